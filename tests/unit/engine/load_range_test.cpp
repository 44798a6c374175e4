// The range of loads is followed by looking at as few of them as possible, and is always the range.

#include "equipoise/engine/kernels/load_range.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/range_tree.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {
namespace {

LoadRange plain_range(const load::Loads& loads) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return {*least, *most};
}

load::Loads drawn_loads(std::size_t count, Tokens most, RandomStream& random) {
    load::Loads loads(count);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most) + 1));
    return loads;
}

constexpr Workers one{1, 1};
constexpr Workers three{3, 1};

TEST(ExtremeNodes, FindTheRangeOfLoadsOfEveryWidth) {
    RandomStream random(1, Purpose::loads);
    for (const std::size_t count : {1u, 2u, 5u, 4095u, 4096u, 4097u, 30000u})
        for (const Width width : {Width::two, Width::four, Width::eight})
            for (const Workers& workers : {one, three}) {
                load::Loads loads = drawn_loads(count, 65535, random);
                if (width == Width::eight) loads[count / 2] = -tokens_max;
                const LoadRange expected = plain_range(loads);
                repack(loads, Width::eight, width);
                ExtremeNodes nodes;
                const PackedLoads view = packed(loads, width);
                const auto nodes_count = static_cast<NodeId>(count);
                EXPECT_EQ(nodes.look(workers, view, nodes_count), expected);
                EXPECT_EQ(nodes.at(view), expected);
            }
}

/// Pairs of nodes come closer, so that the range never grows.
void come_closer(load::Loads& loads, RandomStream& random) {
    const std::size_t one_node = random.below(loads.size());
    const std::size_t other = random.below(loads.size());
    const Tokens flow = (loads[one_node] - loads[other]) / 2;
    loads[one_node] -= flow;
    loads[other] += flow;
}

TEST(ExtremeNodes, FollowARangeThatNeverGrows) {
    RandomStream random(2, Purpose::loads);
    for (const Workers& workers : {one, three})
        for (const std::size_t count : {1u, 2u, 3u, 50u, 9000u}) {
            load::Loads loads = drawn_loads(count, 90, random);
            const auto nodes_count = static_cast<NodeId>(count);
            ExtremeNodes nodes;
            LoadRange range = nodes.look(workers, packed(loads, Width::eight), nodes_count);
            for (int step = 0; step < 400; ++step) {
                for (std::size_t i = 0; i < std::max<std::size_t>(1, count / 8); ++i)
                    come_closer(loads, random);
                const PackedLoads view = packed(loads, Width::eight);
                nodes.follow(workers, view, nodes_count, range);
                range = nodes.at(view);
                ASSERT_EQ(range, plain_range(loads)) << count << " nodes, step " << step;
            }
        }
}

// What ranks do: the range is that of all, and a rank looks for another node only if its own held
// an end of it.
TEST(ExtremeNodes, LookNoFurtherThanTheEndsOfTheRangeOfAllRanks) {
    load::Loads loads = {5, 9, 7, 9, 1};
    ExtremeNodes nodes;
    EXPECT_EQ(nodes.look(one, packed(loads, Width::eight), 5), (LoadRange{1, 9}));
    loads[1] = 8;
    nodes.follow(one, packed(loads, Width::eight), 5, {0, 12});
    EXPECT_EQ(nodes.at(packed(loads, Width::eight)), (LoadRange{1, 8}));
    nodes.look(one, packed(loads, Width::eight), 5);
    loads[3] = 8;
    nodes.follow(one, packed(loads, Width::eight), 5, {0, 9});
    EXPECT_EQ(nodes.at(packed(loads, Width::eight)), (LoadRange{1, 8}));
}

TEST(RangeTree, HasTheRangeWhateverChanges) {
    RandomStream random(3, Purpose::loads);
    for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 5000u}) {
        load::Loads loads = drawn_loads(count, 30, random);
        RangeTree tree(loads);
        EXPECT_EQ(tree.range(loads), plain_range(loads));
        for (int step = 0; step < 300; ++step) {
            const std::size_t changes = random.below(step % 50 == 0 ? count + 1 : 4);
            for (std::size_t i = 0; i < changes; ++i) {
                const auto node = static_cast<NodeId>(random.below(count));
                loads[node] += static_cast<Tokens>(random.below(9)) - 4;
                tree.change(node);
            }
            ASSERT_EQ(tree.range(loads), plain_range(loads)) << count << " nodes, step " << step;
        }
    }
    RangeTree none(load::Loads{});
    EXPECT_EQ(none.range({}), LoadRange{});
}

}  // namespace
}  // namespace equipoise::engine
