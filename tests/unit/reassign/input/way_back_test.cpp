#include "equipoise/reassign/input/way_back.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign::way_back_test {
namespace {

/// Copies of i0 on a and outside; one on c is dropped. i1 is on b.
Instance with_copies() {
    Instance instance;
    Problem& problem = instance.problem;
    problem = test::reassign_problem({0, 1, 3}, {5, 6, 5}, 3);
    problem.thing = {0, 1, 0};
    problem.outside = problem.machines.number_of("");
    problem.at_once = 1;
    instance.dropped = {{2, 0, 2, {1, 5}}};
    return instance;
}

TEST(ReassignWayBack, DropsWhatWasMadeAndMakesWhatWasDropped) {
    Instance instance = with_copies();
    EXPECT_EQ(
        way_back_text(instance, std::vector<Move>{{0, 2, 3, 1}, {1, 1, 1, 2}, {2, 2, 1, 0}}, {}),
        "wave,item,from,to\n0,i0,a,\n0,i1,c,b\n1,i0,,c\n");
    instance.dropped.push_back({3, 0, 1, {1, 5}});
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\n1,i0,,b\n")
        << "a gives one copy in a wave";
    instance.problem.at_once = 0;
    instance.problem.copied = 1;
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\n0,i0,,b\n");
    instance.problem.gives = {9, 9, 9, 9};
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\n1,i0,,b\n");
}

TEST(ReassignWayBack, MakesCopiesAgainThatCountWhereTheyAreGivenAndTaken) {
    // One copy from a to c, one from b to a, which takes it in half duplex after it has given.
    Instance instance = with_copies();
    instance.dropped.push_back({3, 1, 0, {1, 6}});
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\n0,i1,,a\n");
    instance.problem.half_duplex = true;
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\n1,i1,,a\n");
}

TEST(ReassignWayBack, GivesThingsTheLeadersBackThatTheyHad) {
    Instance instance = with_copies();
    instance.problem.leads = {true, true, false};
    const std::vector<LeaderChange> leaders = {{0, 0, 2}};
    EXPECT_EQ(way_back_text(instance, std::vector<Move>{{0, 2, 3, 1}}, leaders),
              "wave,item,from,to\n0,i0,b,\n0,i0,,c\nleaders,i0,,a\n")
        << "the copy that led is gone by then";
}

TEST(ReassignWayBack, ADroppedCopyThatLedLeadsAgain) {
    Instance instance = with_copies();
    instance.problem.leads = {true, true, false};
    instance.dropped.front().led = true;
    EXPECT_EQ(way_back_text(instance, {}, {}), "wave,item,from,to\n0,i0,,c\nleaders,i0,a,c\n");
    const std::vector<LeaderChange> leaders = {{0, 0, 2}};
    EXPECT_EQ(way_back_text(instance, std::vector<Move>{{0, 2, 3, 1}}, leaders),
              "wave,item,from,to\n0,i0,b,\n0,i0,,c\nleaders,i0,,c\n");
}

}  // namespace
}  // namespace equipoise::reassign::way_back_test
