#include "equipoise/reassign/checks/leaders.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// Two things with copies on a and b, of which i0 is led from a; c holds nothing.
Problem two_things() {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 3);
    test::add_copies(problem, {1, 0});
    problem.leads = {true, false, false, false};
    return problem;
}

std::string change_fault(const Problem& problem, const std::vector<LeaderChange>& changes) {
    return replay_leaders(problem, problem.places, changes).fault;
}

TEST(ReassignLeaders, AreCountedWhereTheyAre) {
    Problem problem = two_things();
    EXPECT_EQ(leaders_of(problem), (Leaders{0, no_item}));
    const LeaderStanding standing =
        stand_leaders(problem, std::vector<MachineId>{2, 1, 1, 0}, leaders_of(problem));
    EXPECT_EQ(standing.led, (std::vector<Tokens>{0, 0, 1}));
    EXPECT_EQ(standing.over, 0);
}

TEST(ReassignLeaders, AboveLimitsAreTheOnesBeyondTheShareRoundedUp) {
    Problem problem = two_things();
    problem.leads = {true, false, false, true};
    problem.leaders_tolerance = 0;
    EXPECT_EQ(problem.leader_limits(), (std::vector<Tokens>{1, 1, 1}));
    const LeaderStanding standing = stand_leaders(problem, problem.places, leaders_of(problem));
    EXPECT_EQ(standing.led, (std::vector<Tokens>{2, 0, 0}));
    EXPECT_EQ(standing.above, (std::vector<Tokens>{1, 0, 0}));
    EXPECT_EQ(standing.over, 1);
    problem.leaders_tolerance = 2'000'000;
    EXPECT_EQ(problem.leader_limits(), (std::vector<Tokens>{2, 2, 2}));
    problem.drained[1] = true;
    problem.leaders_tolerance = 0;
    EXPECT_EQ(problem.leader_limits(), (std::vector<Tokens>{1, 0, 1}));
    problem.pinned[0] = true;
    EXPECT_EQ(problem.leader_limits(), (std::vector<Tokens>{2, 0, 0}));
}

TEST(ReassignLeaders, ChangesAreReplayedOneByOne) {
    const Problem problem = two_things();
    const ReplayedLeaders replayed = replay_leaders(
        problem, problem.places, std::vector<LeaderChange>{{0, 0, 2}, {1, no_item, 1}});
    EXPECT_EQ(replayed.fault, "");
    EXPECT_EQ(replayed.leaders, (Leaders{2, 1}));
}

TEST(ReassignLeaders, EachFaultHasItsWords) {
    Problem problem = two_things();
    EXPECT_EQ(change_fault(problem, {{0, 2, 0}}), "machine b does not lead item i0");
    EXPECT_EQ(change_fault(problem, {{1, 1, 3}}), "machine b does not lead item i1");
    EXPECT_EQ(change_fault(problem, {{0, no_item, 2}}), "item i0 has a leader");
    EXPECT_EQ(change_fault(problem, {{0, 0, 1}}),
              "item i0 gets a leader that is none of its copies");
    EXPECT_EQ(change_fault(problem, {{0, 0, no_item}}),
              "item i0 gets a leader that is none of its copies");
    EXPECT_EQ(change_fault(problem, {{0, 0, 0}}), "machine a leads item i0 already");
    EXPECT_EQ(change_fault(problem, {{0, 0, 2}, {0, 2, 0}}), "item i0 changes its leader twice");
    problem.drained[1] = true;
    EXPECT_EQ(change_fault(problem, {{0, 0, 2}}),
              "machine b is drained, but begins to lead item i0");
    problem.drained[1] = false;
    problem.pinned[1] = true;
    EXPECT_EQ(change_fault(problem, {{0, 0, 2}}),
              "machine b is pinned, but begins to lead item i0");
    problem.pinned = {true, false, false};
    EXPECT_EQ(change_fault(problem, {{0, 0, 2}}),
              "machine a is pinned, but ceases to lead item i0");
}

TEST(ReassignLeaders, ProblemsHaveOneLeaderOfAThingAtMost) {
    Problem problem = two_things();
    problem.check();
    problem.leads[2] = true;
    EXPECT_THROW(problem.check(), InputError);
    problem.leads[2] = false;
    problem.given_leaders = {1, no_item};
    EXPECT_THROW(problem.check(), InputError);
    problem.given_leaders = {2, no_item};
    problem.given_ends = {0, 1, 1, 3};
    EXPECT_THROW(problem.check(), InputError);
}

}  // namespace
}  // namespace equipoise::reassign
