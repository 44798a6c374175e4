#include "equipoise/reassign/plan.hpp"

#include <ctime>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

SearchOptions by_effort() {
    SearchOptions options;
    options.seconds.reset();
    options.effort = 1'000;
    return options;
}

/// Items on two full machines; a third one has room for the smaller item.
Problem full_machines() {
    Problem problem = test::reassign_problem({0, 1}, {4, 3}, 3);
    problem.capacities = {tokens_max, 4, tokens_max, 4, tokens_max, 3};
    problem.at_once = 1;
    return problem;
}

TEST(ReassignPlan, OfGivenMovesCountsThoseThatDoNotLeadToTheEnd) {
    Problem problem = full_machines();
    problem.allowed_set = {0, any_machine};
    problem.sets = {{false, true, false}};
    const Plan judged =
        judge_moves(problem, {{0, 1, 1, 2}, {1, 0, 0, 1}, {2, 1, 2, 0}}, {}, by_effort());
    ASSERT_TRUE(judged.replayed.allowed) << judged.replayed.fault;
    EXPECT_EQ(judged.detours, 1U);
}

TEST(ReassignPlan, NamesNoChangesThatWavesWouldNotReach) {
    // In one wave a machine gives one item, and two must leave: another capacity does not help.
    Problem problem = test::reassign_problem({0, 0}, {1, 1}, 2);
    problem.drained[0] = true;
    problem.at_once = 1;
    problem.budget.waves = 1;
    const Plan plan = make_plan(problem, by_effort());
    EXPECT_FALSE(plan.reached());
    EXPECT_EQ(plan.moves.size(), 1U);
    EXPECT_TRUE(plan.conflicts.empty());
}

/// Two items on full machines cost 4 units of load above a threshold, 2 each, unless they exchange
/// their places by way of the third machine, on which no load may stay for nothing.
Problem costly_exchange(Tokens cost_of_move) {
    Problem problem = test::reassign_problem({0, 1}, {6, 6}, 3);
    problem.resources.push_back({"load"});
    problem.amounts = {1, 6, 9, 1, 6, 2};
    problem.capacities = {tokens_max, 6, 100, tokens_max, 6, 100, tokens_max, 6, 100};
    problem.thresholds = {tokens_max, tokens_max, 5,          tokens_max, tokens_max,
                          10,         tokens_max, tokens_max, 0};
    problem.objective.given = true;
    problem.objective.over_threshold = {0, 0, 2};
    problem.objective.move_costs = {cost_of_move, cost_of_move};
    return problem;
}

TEST(ReassignPlan, MakesNoDetourThatCostsMoreThanTheEndGains) {
    // The exchange costs two moves, its detour a third: 8 is what nothing costs.
    const Plan pays = make_plan(costly_exchange(2), by_effort());
    EXPECT_EQ(pays.moves.size(), 3U);
    EXPECT_EQ(pays.detours, 1U);
    EXPECT_EQ(pays.replayed.end.score.cost, 4);
    const Plan does_not = make_plan(costly_exchange(3), by_effort());
    EXPECT_TRUE(does_not.moves.empty());
    EXPECT_EQ(does_not.replayed.end.score.cost, 8);
    EXPECT_LE(does_not.at_least.cost.at_least, 8);
}

/// Pairs of full machines that would be level if they exchanged items, for which there is no way.
Problem blocked_pairs(MachineId pairs) {
    std::vector<MachineId> places;
    for (MachineId machine = 0; machine < 2 * pairs; ++machine)
        places.insert(places.end(), {machine, machine});
    Problem problem =
        test::reassign_problem(places, std::vector<Tokens>(places.size(), 5), 2 * pairs);
    problem.resources.push_back({"load"});
    problem.amounts.clear();
    for (const MachineId place : places)
        problem.amounts.insert(problem.amounts.end(), {1, 5, place % 2 == 0 ? 9 : 1});
    problem.capacities.clear();
    for (MachineId machine = 0; machine < 2 * pairs; ++machine)
        problem.capacities.insert(problem.capacities.end(), {tokens_max, 10, tokens_max});
    problem.thresholds.assign(problem.capacities.size(), tokens_max);
    problem.level = {{2, 0}};
    return problem;
}

TEST(ReassignPlan, TakesNoMoreThanItsSecondsWhereTheWaysToAllEndsAreBlocked) {
    const Problem problem = blocked_pairs(13);
    SearchOptions options;
    options.seconds = 1;
    // Of this process: other ones do not count.
    const std::clock_t begin = std::clock();
    const Plan plan = make_plan(problem, options);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 2);
    EXPECT_TRUE(plan.moves.empty());
    EXPECT_TRUE(plan.replayed.allowed);
    EXPECT_FALSE(plan.interrupted);
}

TEST(ReassignPlan, WithoutTimeIsTheOneThatMovesNothing) {
    const Problem problem = blocked_pairs(4);
    SearchOptions options;
    options.seconds = 0;
    const Plan plan = make_plan(problem, options);
    EXPECT_TRUE(plan.moves.empty());
    EXPECT_TRUE(plan.bounds_cut_short);
    EXPECT_LE(plan.at_least.over_levels.at_least, plan.replayed.end.score.over_levels);
}

}  // namespace
}  // namespace equipoise::reassign
