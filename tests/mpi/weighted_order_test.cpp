// keep-order with weights: the same as placement::place_in_order makes of the items of all ranks.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/order_planner.hpp"
#include "equipoise/placement/in_order.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/refusal.hpp"
#include "tests/mpi/weighted_case.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

Case in_order(Case given) {
    given.common.policy = Policy::keep_order;
    return given;
}

void expect_as_cut(const Case& given,
                   std::size_t sketch = placement::SharedCuts::sketch_words_max) {
    const placement::OrderPlacement expected =
        placement::place_in_order(given.ranks(), given.place_options(), sketch);
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
    const Report report = plan.execute(items);
    EXPECT_EQ(expected.sizes[here()], static_cast<Tokens>(items.size()));
    EXPECT_EQ(expected.figures.moved, report.moved);
    EXPECT_EQ(expected.figures.moved_at_least, report.moved_at_least);
    EXPECT_DOUBLE_EQ(expected.figures.largest, report.largest);
    EXPECT_DOUBLE_EQ(expected.figures.largest_before, report.largest_before);
    EXPECT_DOUBLE_EQ(expected.figures.largest_at_least, report.largest_at_least);
    EXPECT_TRUE(report.by_weight);
    if (given.common.machines_first) {
        EXPECT_EQ(expected.figures.between_machines, report.between_machines);
    }
    EXPECT_TRUE(counts_up(all_numbers(items)));
    EXPECT_TRUE(undamaged(items));
}

TEST(WeightedOrder, IsCutAsThePlacementOfAllItemsSays) {
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (const std::size_t items : {2U, 30U})
            for (const double tolerance : {0.0, 0.1}) {
                Case given = in_order(drawn_case(seed, items));
                given.common.tolerance = tolerance;
                expect_as_cut(given);
            }
}

TEST(WeightedOrder, FollowsSpeedsKindsAndMachines) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const std::size_t kinds : {1U, 3U}) {
            Case given = in_order(drawn_case(seed, 25, kinds));
            given.common.machines_first = true;
            for (int r = 0; r < world_size(); ++r) {
                given.speeds.push_back(r == 1 ? 0 : 1 + r % 3);
                given.machines.push_back(r % 2);
            }
            expect_as_cut(given);
        }
}

// Too many for every rank to learn all weights: by a sketch, of two sizes, and by walks that pass
// through the ranks.
TEST(WeightedOrder, OfManyItemsIsThatOfThePlacementToo) {
    const std::size_t before = set_sketch_words(0);
    for (const std::size_t sketch : {std::size_t{0}, std::size_t{1000}, before})
        for (const std::size_t kinds : {1U, 2U})
            for (const double tolerance : {0.0, 0.02}) {
                set_sketch_words(sketch);
                Case given = in_order(drawn_case(7, 20'000, kinds));
                given.common.tolerance = tolerance;
                expect_as_cut(given, sketch);
                given.weights.assign(static_cast<std::size_t>(world_size()), {});
                given.weights.back() = drawn_case(8, 15'000, kinds).weights.front();
                expect_as_cut(given, sketch);
            }
    set_sketch_words(before);
}

TEST(WeightedOrder, BringsWeightsWithTheirItems) {
    Case given = in_order(drawn_case(3, 20));
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    std::vector<double> weights = given.weights[here()];
    rebalance(MPI_COMM_WORLD, items, weights, {.policy = Policy::keep_order});
    std::vector<double> all;
    for (const auto& own : given.weights)
        all.insert(all.end(), own.begin(), own.end());
    ASSERT_EQ(items.size(), weights.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(all[static_cast<std::size_t>(items[i].number)], weights[i]);
}

TEST(WeightedOrder, IsDescribedWithWhatIsProved) {
    if (world_size() != 2) return;
    Case given;
    given.common.policy = Policy::keep_order;
    given.weights = {{4, 3, 3, 2}, {}};
    const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
    EXPECT_EQ(
        "keep-order on 2 ranks\n"
        "before: 0 to 4 items per rank, 2 on average, weight 0 to 12, 6 on average\n"
        "after:  2 to 2 items per rank, 2 on average, weight 5 to 7, 6 on average\n"
        "moves:  2 items in 1 message, the fewest possible for these final sizes; no equally "
        "level plan in this order moves fewer\n"
        "load:   the largest is 7 per unit of speed; no plan in this order has less\n"
        "  rank 0 -> rank 1: 2 items\n",
        plan.describe());
}

TEST(WeightedOrder, RefusesWeightsOfSomeRanksAndAToleranceWithoutAny) {
    const std::vector<double> weights(4, 1);
    const Options without = {.policy = Policy::keep_order};
    const Options with = {.policy = Policy::keep_order, .weights = weights};
    if (world_size() > 1) {
        EXPECT_EQ(
            "rank 1: bad input: expected weights on all ranks that have items or on none, found "
            "none",
            refusal_of(world_rank() == 1 ? without : with));
    }
    EXPECT_NE("nothing was thrown", refusal_of({.policy = Policy::keep_order, .tolerance = 0.1}));
    EXPECT_NE("nothing was thrown",
              refusal_of({.policy = Policy::keep_order, .pinned = 1, .weights = weights}));
    EXPECT_NE("nothing was thrown",
              refusal_of({.policy = Policy::keep_order, .weights = weights, .sizes = weights}));
    EXPECT_NE("nothing was thrown",
              refusal_of({.policy = Policy::keep_order, .speed = 0, .weights = weights}));
    EXPECT_EQ("nothing was thrown", refusal_of(with));
    const std::vector<double> endless(4, 1e308);
    EXPECT_NE("nothing was thrown", refusal_of({.policy = Policy::keep_order, .weights = endless}));
}

TEST(WeightedOrder, SurvivesShortagesOfMemoryInEveryStep) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    for (int failing = 0; failing < world_size(); ++failing) {
        if (!test::plays_case(world_size(), static_cast<std::size_t>(failing))) continue;
        Case few = in_order(drawn_case(5, 10));
        few.common.machines_first = true;
        survive_shortages(few, failing);
    }
    Case many;
    many.common.policy = Policy::keep_order;
    many.weights.resize(static_cast<std::size_t>(world_size()));
    many.weights.front().assign(17'000, 1.0);
    const std::size_t before = set_sketch_words(0);
    for (const std::size_t sketch : {std::size_t{0}, std::size_t{1000}, before}) {
        set_sketch_words(sketch);
        for (const int failing : {0, world_size() - 1})
            if (test::plays_case(world_size(), static_cast<std::size_t>(failing)))
                survive_shortages(many, failing);
    }
    set_sketch_words(before);
}

}  // namespace
}  // namespace equipoise::balancer
