#include "equipoise/reassign/plan.hpp"

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

}  // namespace
}  // namespace equipoise::reassign
