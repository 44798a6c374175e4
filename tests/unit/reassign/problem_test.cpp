#include "equipoise/reassign/problem.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

TEST(ReassignProblem, SharesAreInProportionToSpeedsOfMachinesThatTakePart) {
    Problem problem = test::reassign_problem({0, 0, 1, 2}, {10, 20, 30, 7}, 4);
    problem.pinned[2] = true;
    problem.drained[1] = true;
    problem.speeds = {1, 5, 9, 2};
    const Problem::Shares shares = problem.shares(1);
    EXPECT_DOUBLE_EQ(shares.of(0), 20);
    EXPECT_DOUBLE_EQ(shares.of(1), 0);
    EXPECT_DOUBLE_EQ(shares.of(2), 7);
    EXPECT_DOUBLE_EQ(shares.of(3), 40);
}

TEST(ReassignProblem, ALevelLimitIsTheShareWithToleranceOrRoundedUp) {
    const Problem problem = test::reassign_problem({0, 0, 1}, {10, 20, 31}, 3);
    EXPECT_EQ(problem.level_limits({1, 100'000}), (std::vector<Tokens>{22, 22, 22}));
    EXPECT_EQ(problem.level_limits({1, 0}), (std::vector<Tokens>{21, 21, 21}));
}

TEST(ReassignProblem, AnItemMayNotLeavePinnedMachinesNorGoToDrainedOnes) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 3);
    problem.pinned[0] = true;
    problem.drained[2] = true;
    EXPECT_TRUE(problem.may_be_on(0, 0));
    EXPECT_FALSE(problem.may_be_on(0, 1));
    EXPECT_FALSE(problem.may_be_on(1, 0));
    EXPECT_FALSE(problem.may_be_on(1, 2));
    EXPECT_TRUE(problem.may_be_on(1, 1));
}

TEST(ReassignProblem, InHalfDuplexHasOneRateAMachine) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 2);
    problem.gives = {3, 4};
    problem.takes = {5, 6};
    EXPECT_EQ(problem.take_rates(), problem.takes);
    problem.check();
    problem.half_duplex = true;
    EXPECT_EQ(problem.take_rates(), problem.gives);
    EXPECT_THROW(problem.check(), InputError);
    problem.takes.clear();
    problem.check();
}

TEST(ReassignProblem, ListsThatDoNotFitAreRefused) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 3);
    EXPECT_NO_THROW(problem.check());
    problem.places.push_back(0);
    EXPECT_THROW(problem.check(), InputError);
}

}  // namespace
}  // namespace equipoise::reassign
