#include "equipoise/reassign/bounds/cost_by_prices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

constexpr std::uint64_t effort = 200'000;

/// The least cost of all placements at which a plan may end.
std::optional<Int128> least_cost(const Problem& problem) {
    std::optional<Int128> least;
    const Standing before = stand(problem, problem.places);
    std::vector<MachineId> places(problem.item_count(), 0);
    const auto advance = [&] {
        for (MachineId& place : places) {
            if (++place < problem.machine_count()) return true;
            place = 0;
        }
        return false;
    };
    do {
        const Standing standing = stand(problem, places);
        if (!within(problem.budget, standing.moved) || !may_end(problem, places, standing, before))
            continue;
        least = std::min(least.value_or(standing.score.cost), standing.score.cost);
    } while (advance());
    return least;
}

/// Two machines of `capacities` for a resource that costs 7 a unit above `thresholds`.
Problem two_machines(const std::vector<MachineId>& places, const std::vector<Tokens>& amounts,
                     const std::vector<Tokens>& capacities, const std::vector<Tokens>& thresholds) {
    Problem problem = test::reassign_problem(places, amounts, 2);
    problem.level.clear();
    problem.objective.given = true;
    problem.objective.over_threshold = {0, 7};
    for (std::size_t machine = 0; machine < 2; ++machine) {
        problem.capacities[machine * 2 + 1] = capacities[machine];
        problem.thresholds[machine * 2 + 1] = thresholds[machine];
    }
    return problem;
}

Int128 bound(const Problem& problem) {
    return cost_by_prices(problem, reach_of(problem), false,
                          stand(problem, problem.places).score.cost, effort);
}

TEST(CostByPrices, NoPlanOfADrawnProblemCostsLess) {
    test::ReassignDraw draw(11);
    int problems = 0;
    int reached = 0;
    int above_0 = 0;
    for (int number = 0; number < 1500; ++number) {
        const Problem problem = draw.draw({5, 4, true, number % 2 == 0});
        if (!problem.objective.given) continue;
        const std::optional<Int128> least = least_cost(problem);
        if (!least) continue;
        ++problems;
        const Reach reach = reach_of(problem);
        for (const Int128 cost : {*least, *least + 5, 3 * *least + 40}) {
            const Int128 at_least = cost_by_prices(problem, reach, false, cost, effort);
            ASSERT_LE(at_least, *least) << "problem " << number;
            ASSERT_LE(cost_by_prices(problem, reach, false, cost, effort / 50), *least)
                << "problem " << number;
            if (cost != *least) continue;
            if (at_least == *least) ++reached;
            if (at_least > 0) ++above_0;
        }
    }
    EXPECT_GE(problems, 600);
    EXPECT_GE(above_0, problems * 20 / 100);
    EXPECT_GE(reached, problems * 50 / 100);
}

TEST(CostByPrices, AnItemStaysForWhichThereIsNoRoomAtTheBeginning) {
    Problem problem = two_machines({0, 1}, {8, 5}, {10, 10}, {5, 9});
    EXPECT_EQ(bound(problem), 0);  // the two could trade places
    problem.resources[1].release = Release::after_last;
    EXPECT_EQ(bound(problem), 7 * 3);
}

// Either of the items of machine 0 may go, and not both.
TEST(CostByPrices, WhatArrivesHasAPriceWhereRoomIsShort) {
    Problem problem = two_machines({0, 0, 1}, {4, 4, 5}, {10, 10}, {2, 9});
    problem.resources[1].release = Release::after_last;
    const Int128 at_least = bound(problem);
    // Items may be cut: 5 of 8 leave.
    EXPECT_GE(at_least, 7);
    EXPECT_LE(at_least, least_cost(problem));
}

TEST(CostByPrices, LessEffortGivesALowerBoundAndNoneNothing) {
    const Problem problem = two_machines({0, 0, 1}, {4, 4, 5}, {20, 20}, {2, 2});
    const Reach reach = reach_of(problem);
    EXPECT_EQ(cost_by_prices(problem, reach, false, 1000, 0), 0);
    EXPECT_EQ(cost_by_prices(problem, reach, false, 1000, effort), 7 * 9);
    EXPECT_EQ(cost_by_prices(problem, reach, false, 1000, effort),
              cost_by_prices(problem, reach, false, 1000, effort));
}

TEST(CostByPrices, LargeNumbersAreAddedUpExactlyOrNotAtAll) {
    constexpr Tokens large = tokens_max / 4;
    Problem problem = two_machines({0, 0, 1}, {large, large, large}, {tokens_max, tokens_max},
                                   {large, large - 1});
    problem.objective.over_threshold[1] = 1'000'000'000;
    const Int128 cost = Int128{1'000'000'000} * (Int128{large} + 1);
    EXPECT_EQ(least_cost(problem), cost);
    EXPECT_EQ(bound(problem), cost);
    problem.objective.over_threshold[1] = tokens_max;
    EXPECT_LE(bound(problem), least_cost(problem));
}

}  // namespace
}  // namespace equipoise::reassign
