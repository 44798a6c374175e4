// Drawn items with weights on ranks that have room for so many items, or so many bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/in_order.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/weighted_case.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

// Limits for which there is a placement that keeps them, whatever the policy: that of items dealt
// in their order. At first, ranks may hold more.
Case limited_case(std::uint64_t seed, std::size_t items_per_rank, Policy policy, bool bytes) {
    Case given = drawn_case(seed, items_per_rank, seed % 3 == 0 ? 2 : 1);
    given.common.policy = policy;
    given.common.tolerance = seed % 2 == 0 ? 0.1 : 0;
    given.common.machines_first = seed % 5 == 0;
    RandomStream random(seed, Purpose::loads, 1);
    std::vector<double> all;  // sizes
    for (const Tokens count : given.counts()) {
        std::vector<double> own;
        for (Tokens i = 0; i < count; ++i)
            own.push_back(static_cast<double>(random.below(1000)));
        all.insert(all.end(), own.begin(), own.end());
        if (bytes) given.sizes.push_back(own);
    }
    std::size_t from = 0;
    for (int r = 0; r < world_size(); ++r) {
        const bool last = r + 1 == world_size();
        const std::size_t to = last ? all.size() : from + random.below(all.size() - from + 1);
        const double sum = std::accumulate(all.begin() + static_cast<std::ptrdiff_t>(from),
                                           all.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
        given.items_max.push_back(static_cast<Tokens>(to - from + random.below(3)));
        if (bytes)
            given.bytes_max.push_back(seed % 4 == 1 && r == 0 && !last
                                          ? std::numeric_limits<double>::infinity()
                                          : sum + static_cast<double>(random.below(300)));
        given.machines.push_back(r % 2);
        given.speeds.push_back(seed % 2 == 0 ? 1 : 1 + r % 2);
        from = to;
    }
    return given;
}

// The number of items and the largest load that the placement of all items has, or what it says.
struct Expected {
    Tokens moved = 0;
    double largest = 0;
    double largest_at_least = 0;
    std::string refusal;
};
Expected expected_of(const Case& given) {
    try {
        const placement::PlacementFigures figures =
            given.common.policy == Policy::weighted
                ? placement::place(given.ranks(), given.place_options())
                : placement::place_in_order(given.ranks(), given.place_options()).figures;
        return {figures.moved, figures.largest, figures.largest_at_least, {}};
    } catch (const InputError& error) {
        return {0, 0, 0, error.what()};
    }
}

void expect_limits_kept(const Case& given) {
    const Expected expected = expected_of(given);
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    const std::vector<Grain> before = items;
    try {
        const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
        const Report report = plan.execute(items);
        EXPECT_EQ(expected.refusal, "");
        EXPECT_EQ(expected.moved, report.moved);
        EXPECT_DOUBLE_EQ(expected.largest, report.largest);
        EXPECT_DOUBLE_EQ(expected.largest_at_least, report.largest_at_least);
        EXPECT_LE(static_cast<Tokens>(items.size()), given.items_max[here()]);
        EXPECT_TRUE(all_there(all_numbers(items)));
        if (given.common.policy == Policy::keep_order) {
            EXPECT_TRUE(counts_up(all_numbers(items)));
        }
        if (given.bytes_max.empty()) return;
        std::vector<double> sizes = given.sizes[here()];
        plan.execute(sizes);
        EXPECT_LE(std::accumulate(sizes.begin(), sizes.end(), 0.0), given.bytes_max[here()]);
    } catch (const mpi::CollectiveError& error) {
        EXPECT_EQ("all ranks: bad input: " + expected.refusal, error.what());
        EXPECT_EQ(before, items);
        EXPECT_NE(Policy::keep_order, given.common.policy) << error.what();
        EXPECT_FALSE(given.bytes_max.empty()) << error.what();
    }
}

TEST(Limits, AreKeptAsThePlacementOfAllItemsKeepsThem) {
    for (std::uint64_t seed = 0; seed < 8; ++seed)
        for (const Policy policy : {Policy::weighted, Policy::keep_order})
            for (const bool bytes : {false, true}) {
                expect_limits_kept(limited_case(seed, 3, policy, bytes));
                expect_limits_kept(limited_case(seed, 25, policy, bytes));
            }
}

TEST(Limits, OfManyItemsAreKeptToo) {
    for (const Policy policy : {Policy::weighted, Policy::keep_order})
        for (const bool bytes : {false, true})
            expect_limits_kept(
                limited_case(policy == Policy::weighted ? 4 : 3, 9'000, policy, bytes));
}

TEST(Limits, SurviveShortagesOfMemoryInEveryStep) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    for (int failing = 0; failing < world_size(); ++failing) {
        if (!test::plays_case(world_size(), static_cast<std::size_t>(failing))) continue;
        for (const Policy policy : {Policy::weighted, Policy::keep_order})
            survive_shortages(limited_case(7, 8, policy, true), failing);
    }
    Case many;
    many.weights.resize(static_cast<std::size_t>(world_size()));
    many.weights.front().assign(17'000, 1.0);
    many.items_max.assign(many.weights.size(), 17'000 / world_size() + 100);
    for (const int failing : {0, world_size() - 1})
        if (test::plays_case(world_size(), static_cast<std::size_t>(failing)))
            survive_shortages(many, failing);
}

}  // namespace
}  // namespace equipoise::balancer
