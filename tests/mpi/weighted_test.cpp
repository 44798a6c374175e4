// Plans by weights: the same as placement::place makes of the items of all ranks.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/order_sizes.hpp"
#include "equipoise/placement/transfer.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/weighted_case.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;
using mpi::Failure;

// The items of all ranks after the plan, and that it does what place() says.
void expect_as_placed(const Case& given) {
    const placement::Placement expected = placement::place(given.ranks(), given.place_options());
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    const std::vector<Grain> before = items;
    const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
    const Report report = plan.execute(items);
    EXPECT_EQ(expected.moved, report.moved);
    EXPECT_EQ(expected.moved_at_least, report.moved_at_least);
    EXPECT_DOUBLE_EQ(expected.largest, report.largest);
    EXPECT_DOUBLE_EQ(expected.largest_before, report.largest_before);
    EXPECT_DOUBLE_EQ(expected.largest_at_least, report.largest_at_least);
    EXPECT_DOUBLE_EQ(expected.bytes_moved, report.bytes_moved);
    EXPECT_DOUBLE_EQ(expected.bytes_at_least, report.bytes_at_least);
    if (given.common.machines_first) {
        EXPECT_EQ(expected.between_machines, report.between_machines);
    }
    EXPECT_TRUE(all_there(all_numbers(items)));

    // What stays comes first, in its order; then what arrives, by sender and place.
    std::vector<Grain> expected_here;
    std::vector<bool> leaves(before.size(), false);
    for (const placement::Relocation& move : expected.moves)
        if (move.from == world_rank()) leaves[static_cast<std::size_t>(move.place)] = true;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!leaves[i]) expected_here.push_back(before[i]);
    const std::vector<Tokens> counts = given.counts();
    for (const placement::Relocation& move : expected.moves) {
        if (move.to != world_rank()) continue;
        const Tokens first = std::accumulate(counts.begin(), counts.begin() + move.from, Tokens{0});
        expected_here.push_back(make_grain(first + move.place, move.from));
    }
    EXPECT_EQ(expected_here, items);
}

TEST(WeightedPlans, MoveWhatThePlacementOfAllItemsSays) {
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (const std::size_t items : {2U, 30U})
            for (const double tolerance : {0.0, 0.1}) {
                Case given = drawn_case(seed, items);
                given.common.tolerance = tolerance;
                expect_as_placed(given);
            }
}

TEST(WeightedPlans, FollowBytesPinsSpeedsKindsAndMachines) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const std::size_t kinds : {1U, 3U}) {
            Case given = drawn_case(seed, 25, kinds);
            given.common.tolerance = 0.05;
            given.common.machines_first = true;
            const std::vector<Tokens> counts = given.counts();
            for (int r = 0; r < world_size(); ++r) {
                const auto rank = static_cast<std::size_t>(r);
                given.sizes.emplace_back(counts[rank], 1.0 + r);
                given.pinned.push_back(counts[rank] / 4);
                given.speeds.push_back(1 + r % 3);
                given.machines.push_back(r % 2);
            }
            expect_as_placed(given);
        }
}

TEST(WeightedPlans, OfManyItemsAreThoseOfThePlacementToo) {
    Case given = drawn_case(7, 40'000);
    given.common.tolerance = 0.01;
    expect_as_placed(given);
    given.common.tolerance = 0;
    given.weights.assign(static_cast<std::size_t>(world_size()), {});
    given.weights.back() = drawn_case(8, 30'000).weights.front();
    expect_as_placed(given);
}

TEST(WeightedPlans, EmptyRanksOfSpeedZeroOfItemsWithoutWeight) {
    const bool stopped = world_rank() % 2 == 1;
    for (const double weight : {0.0, 1e-15, 1.0}) {
        std::vector<Grain> items =
            make_items(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 30), make_grain);
        const std::vector<double> weights(items.size(), stopped ? weight : 1.0);
        const Report report = rebalance(MPI_COMM_WORLD, items,
                                        {.policy = Policy::weighted,
                                         .speed = stopped ? 0.0 : 1.0,
                                         .pinned = stopped ? 2 : 0,
                                         .weights = weights});
        EXPECT_EQ(stopped, items.size() == 2);
        EXPECT_EQ(28 * (world_size() / 2), report.moved);
        EXPECT_EQ(report.moved, report.moved_at_least);
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
    }
}

TEST(WeightedPlans, NeedNoMoveWithinTheTolerance) {
    Case given;
    for (int r = 0; r < world_size(); ++r)
        given.weights.emplace_back(10, r % 2 == 0 ? 1.0 : 1.05);
    given.common.tolerance = 0.1;
    const Plan plan = make_plan(MPI_COMM_WORLD, 10, given.options());
    EXPECT_EQ(0, plan.moved());
    EXPECT_EQ(10, plan.size_after());
}

TEST(WeightedPlans, KeepRowsOfWeightsWithTheirItems) {
    Case given = drawn_case(3, 20, 2);
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    std::vector<std::array<double, 2>> rows(items.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = {given.weights[here()][2 * i], given.weights[here()][2 * i + 1]};
    const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
    plan.execute(items);
    plan.execute(rows);
    std::vector<double> all;
    for (const auto& own : given.weights)
        all.insert(all.end(), own.begin(), own.end());
    ASSERT_EQ(items.size(), rows.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(all[2 * static_cast<std::size_t>(items[i].number)], rows[i][0]);
}

TEST(WeightedPlans, DescribeHowNearTheyAreToTheBest) {
    if (world_size() != 2) return;
    Case given;
    given.weights = {{4, 3, 3, 2}, {}};
    const Plan plan = make_plan(MPI_COMM_WORLD, given.counts()[here()], given.options());
    EXPECT_EQ(
        "weighted on 2 ranks\n"
        "before: 0 to 4 items per rank, 2 on average, weight 0 to 12, 6 on average\n"
        "after:  2 to 2 items per rank, 2 on average, weight 6 to 6, 6 on average\n"
        "moves:  2 items in 1 message; no equally level plan moves fewer\n"
        "load:   the largest is 6 per unit of speed; no plan has less\n"
        "  rank 0 -> rank 1: 2 items\n",
        plan.describe());
}

// Items of a second and some bytes: all ranks have as many, and rank 0 has all bytes.
Plan plan_of_bytes(const std::vector<double>& weights) {
    return make_plan(MPI_COMM_WORLD, 4,
                     {.policy = Policy::weighted, .weights = weights, .weights_per_item = 2});
}

TEST(WeightedPlans, SaveSecondsOnlyByKindsThatTakeTime) {
    std::vector<double> weights;
    for (int i = 0; i < 4; ++i)
        weights.insert(weights.end(), {1e-3, world_rank() == 0 ? 1e9 : 0.0});
    const Plan plan = plan_of_bytes(weights);
    ASSERT_EQ(world_size() > 1, plan.moved() > 0);
    const auto saved = [&](double seconds, double bytes) {
        return plan.worth_it({.steps = 10, .seconds_by_kind = {seconds, bytes}}).seconds_saved;
    };
    EXPECT_LE(saved(1, 0), 1e-9) << "the ranks were level in time";
    EXPECT_EQ(0, saved(0, 0));
    const int most_after = (4 + world_size() - 1) / world_size();
    EXPECT_NEAR(10.0 * (4 - most_after), saved(0, world_rank() == 0 ? 1e-9 : 0), 1e-6)
        << "the largest figure of all ranks counts";
}

TEST(WeightedPlans, RefuseOneFigureForSeveralKinds) {
    const std::vector<double> weights(8, world_rank() == 0 ? 2 : 1);
    const Plan plan = plan_of_bytes(weights);
    const auto refused = [&](const CostModel& costs) -> std::string {
        try {
            static_cast<void>(plan.worth_it(costs));
        } catch (const CollectiveError& error) {
            EXPECT_EQ(Failure::input, error.failure());
            return error.what();
        }
        return "nothing was thrown";
    };
    EXPECT_EQ(
        "rank 0: bad input: expected either seconds_per_item or, with several weights an "
        "item, seconds_by_kind",
        refused({.seconds_per_item = 1, .steps = 1}));
    EXPECT_EQ(
        "rank 0: bad input: expected seconds_by_kind with 2 figures, one for each weight of "
        "an item (0 for what takes no time), found 0 figures",
        refused({.steps = 1}));
    const bool last = world_rank() == world_size() - 1;
    EXPECT_NE("nothing was thrown", refused({.steps = 1, .seconds_by_kind = {1, last ? -1.0 : 1}}));
    EXPECT_NE("nothing was thrown",
              refused({.steps = 1, .seconds_by_kind = std::vector<double>(last ? 3 : 2, 1)}));
    EXPECT_NE("nothing was thrown",
              refused({.seconds_per_item = last ? 1.0 : 0, .steps = 1, .seconds_by_kind = {1, 1}}));
}

TEST(WeightedPlans, SaveWhatIsEndlessOnlyOnceItEnds) {
    // The last rank stands still and holds an item, which is pinned or not.
    const bool last = world_rank() == world_size() - 1 && world_size() > 1;
    const std::vector<double> weights(world_rank() == 0 ? 4 : 1, 1);
    for (const bool pinned : {false, true}) {
        const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(weights.size()),
                                    {.policy = Policy::weighted,
                                     .speed = last ? 0.0 : 1.0,
                                     .pinned = last && pinned ? 1 : 0,
                                     .weights = weights});
        const double saved = plan.worth_it({.seconds_per_item = 1, .steps = 1}).seconds_saved;
        EXPECT_EQ(world_size() > 1 && !pinned, std::isinf(saved));
        EXPECT_FALSE(std::isnan(saved));
        EXPECT_EQ(0, plan.worth_it({.seconds_per_item = 1, .steps = 0}).seconds_saved);
    }
}

TEST(WeightedPlans, RefuseWhatCannotBeOnEveryRank) {
    const std::vector<double> weights(4, 1);
    const std::vector<double> negative = {1, 1, 1, -1};
    const std::vector<Options> bad = {
        {.policy = Policy::weighted, .weights = weights, .tolerance = -0.5},
        {.policy = Policy::weighted, .weights = weights, .sizes = negative},
        {.policy = Policy::weighted, .weights = weights, .sizes = std::span(weights).first(3)},
        {.policy = Policy::weighted, .weights = weights, .weights_per_item = 2},
        {.policy = Policy::weighted, .weights = weights, .weights_per_item = 0},
        {.policy = Policy::minimum_moves, .tolerance = 0.5},
        {.policy = Policy::minimum_moves, .sizes = weights},
        {.policy = Policy::minimum_moves, .weights_per_item = 2},
        {.policy = Policy::hierarchical, .machines_first = true},
    };
    for (const Options& options : bad) {
        std::vector<int> items(4, world_rank());
        EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, options), CollectiveError);
        EXPECT_EQ(std::vector<int>(4, world_rank()), items);
    }
    if (world_size() == 1) return;
    const std::vector<Options> differing = {
        {.policy = Policy::weighted, .weights = weights, .tolerance = 0.5},
        {.policy = Policy::weighted, .weights = weights, .machines_first = true},
        {.policy = Policy::weighted, .weights = weights, .sizes = weights},
    };
    for (const Options& options : differing) {
        std::vector<int> items(4, world_rank());
        const Options other = {.policy = Policy::weighted, .weights = weights};
        EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, world_rank() == 1 ? options : other),
                     CollectiveError);
        EXPECT_EQ(std::vector<int>(4, world_rank()), items);
    }
}

TEST(WeightedPlans, SurviveShortagesOfMemoryInEveryStep) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    for (int failing = 0; failing < world_size(); ++failing) {
        Case few = drawn_case(5, 10);
        few.common.machines_first = true;
        survive_shortages(few, failing);
    }
    Case many;
    many.weights.resize(static_cast<std::size_t>(world_size()));
    many.weights.front().assign(17'000, 1.0);
    for (const int failing : {0, world_size() - 1})
        survive_shortages(many, failing);
}

TEST(KeepOrder, BringsFewItemsToOtherMachinesIfTheseComeFirst) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<int> machine;
        for (int rank = 0; rank < world_size(); ++rank)
            machine.push_back(rank / 2);
        std::vector<Grain> items = make_items(counts, make_grain);
        const Report report = rebalance(
            MPI_COMM_WORLD, items,
            {.policy = Policy::keep_order, .machines_first = true, .machine = machine[here()]});
        EXPECT_LE(report.after.most - report.after.least, 1);
        EXPECT_TRUE(counts_up(all_numbers(items)));
        if (report.moved == 0) continue;
        const std::vector<Tokens> sizes = placement::order_sizes(counts, {}, machine);
        EXPECT_EQ(sizes[here()], static_cast<Tokens>(items.size()));
        std::vector<Grain> others = make_items(counts, make_grain);
        const Plan plain =
            make_plan(MPI_COMM_WORLD, counts[here()], {.policy = Policy::keep_order});
        EXPECT_LE(report.between_machines, placement::items_between(plain.transfers(), machine));
    }
}

// The first call on a communicator asks MPI which ranks share a machine.
TEST(MachinesAskedOfMpi, AreTheSameShortageOfMemoryOnAllRanks) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<double> weights(world_rank() == 0 ? 9 : 0, 1.0);
    Options weighted = by_weight({}, weights);
    weighted.machines_first = true;
    const std::vector<Options> all = {weighted,
                                      {.policy = Policy::hierarchical},
                                      {.policy = Policy::keep_order, .machines_first = true}};
    for (std::size_t place = 0; place < all.size(); ++place) {
        if (!test::plays_case(world_size(), place)) continue;
        const Options& options = all[place];
        bool any = true;
        for (std::int64_t which = 0; any; ++which) {
            MPI_Comm fresh = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
            std::vector<double> items = weights;
            std::int64_t thrown = 0;
            any = test::falls_short(world_size() - 1, which, [&] {
                try {
                    rebalance(fresh, items, options);
                } catch (const CollectiveError& error) {
                    thrown = 1;
                }
            });
            std::int64_t all_thrown = 0;
            MPI_Allreduce(&thrown, &all_thrown, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            MPI_Comm_free(&fresh);
            ASSERT_EQ(thrown * world_size(), all_thrown) << "allocation " << which;
            if (thrown != 0) {
                EXPECT_EQ(weights, items);
            }
        }
    }
}

TEST(Weighted, AsksMpiForMachines) {
    Case given = drawn_case(2, 30);
    given.common.machines_first = true;
    std::vector<Grain> items = make_items(given.counts(), make_grain);
    const Report report = rebalance(MPI_COMM_WORLD, items, given.options());
    EXPECT_EQ(0, report.between_machines);
    EXPECT_TRUE(all_there(all_numbers(items)));
}

}  // namespace
}  // namespace equipoise::balancer
