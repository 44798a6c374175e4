#include "equipoise/mesh/clock.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::mesh {
namespace {

Box box_of(const std::vector<NodeId>& sides) {
    return Box(sides);
}

TEST(Clock, ChargesAReductionTheLinksOfATreeThereAndBack) {
    Traffic traffic;
    Clock clock(traffic);
    const Box box = box_of({3, 4});
    clock.reduce_and_broadcast(box);
    EXPECT_EQ(clock.now(), 2U * (2 + 3));
    EXPECT_EQ(traffic.messages, 2U * 11);
    clock.prefix_sums(box.slice(0, 0), 3);  // in three rows of four at the same time
    EXPECT_EQ(clock.now(), 10U + 6);
    EXPECT_EQ(traffic.messages, 22U + 3 * 6);
    clock.scan_lines(box, 1, 4);  // four scans of three rows
    EXPECT_EQ(clock.now(), 16U + 12);
    EXPECT_EQ(traffic.messages, 40U + 3 * 12);
    EXPECT_EQ(traffic.moving.size(), 0U);
}

TEST(Clock, OfPartsGoesOnFromTheSlowestAndAddsUpTheTrafficOfAll) {
    Traffic traffic;
    Clock clock(traffic);
    const Box box = box_of({2});
    clock.wait(5);
    Parallel parts(clock);
    parts.run([&](Clock& own) { own.move_tokens(3); });  // steps 5 to 7
    parts.run([&](Clock& own) {
        own.reduce_and_broadcast(box);
        own.move_tokens(4);  // steps 7 to 10
    });
    parts.run([&](Clock& own) { own.wait(1); });
    EXPECT_EQ(clock.now(), 11U);
    EXPECT_EQ(traffic.messages, 2U);
    EXPECT_EQ(traffic.moving.size(), 6U);  // what the first part moves while the second computes
}

TEST(Clock, RefusesStepsBeyondTheLargestCount) {
    Traffic traffic;
    Clock clock(traffic);
    clock.wait(count_max);
    EXPECT_THROW(clock.wait(1), OverflowError);
    EXPECT_THROW(clock.move_tokens(1), OverflowError);
    EXPECT_THROW(clock.send(0, ~std::uint64_t{0}), OverflowError);
}

}  // namespace
}  // namespace equipoise::mesh
