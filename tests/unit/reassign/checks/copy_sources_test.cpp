#include "equipoise/reassign/checks/copy_sources.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

/// Two copies of i0 on a and b, one of i2 on c.
Problem two_copies() {
    Problem problem = test::reassign_problem({0, 1, 2}, {5, 6, 7}, 3);
    problem.thing = {0, 0, 1};
    return problem;
}

TEST(ReassignCopySources, AreItemsThemselvesUnlessLeadersGive) {
    Problem problem = two_copies();
    EXPECT_TRUE(CopySources(problem).are_own());
    problem.copies_from_leader = true;
    EXPECT_TRUE(CopySources(problem).are_own()) << "nothing leads";
    problem.leads = {false, true, false};
    problem.copies_from_leader = false;
    EXPECT_TRUE(CopySources(problem).are_own());
    EXPECT_EQ(CopySources(problem).giver(0, 0, problem.places), 0U);
}

TEST(ReassignCopySources, AreLeadersWhereverTheseAreWhenTheWaveBegins) {
    Problem problem = two_copies();
    problem.copies_from_leader = true;
    problem.leads = {false, true, false};
    const CopySources sources(problem);
    EXPECT_FALSE(sources.are_own());
    EXPECT_EQ(sources.giver(0, 0, problem.places), 1U);
    EXPECT_EQ(sources.giver(0, 0, Places{0, 2, 2}), 2U) << "the leader has moved";
    EXPECT_EQ(sources.giver(1, 1, problem.places), 1U) << "the leader itself";
    EXPECT_EQ(sources.giver(2, 2, problem.places), 2U) << "of a thing that nothing leads";
}

TEST(ReassignCopySources, OfCopiesFromOutsideAreLeadersOrTheFirstOfTheirThing) {
    Problem problem = test::reassign_problem({3, 0, 1, 2}, {5, 5, 5, 7}, 4);
    problem.thing = {0, 0, 0, 1};
    problem.outside = 3;
    problem.drained[3] = true;
    EXPECT_FALSE(CopySources(problem).are_own());
    EXPECT_EQ(CopySources(problem).giver(0, 3, problem.places), 0U);
    EXPECT_EQ(CopySources(problem).giver(0, 2, Places{2, 0, 1, 2}), 2U) << "made already";
    problem.leads = {false, false, true, false};
    EXPECT_EQ(CopySources(problem).giver(0, 3, problem.places), 1U);
    EXPECT_EQ(CopySources(problem).giver(1, 0, problem.places), 0U) << "copied from where it is";
}

}  // namespace
}  // namespace equipoise::reassign
