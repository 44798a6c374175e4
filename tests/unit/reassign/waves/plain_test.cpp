#include "equipoise/reassign/waves/plain.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

TEST(ReassignPlain, ProblemsHaveOnlyTheItemsThatMove) {
    Problem problem = test::reassign_problem({0, 0, 1}, {4, 5, 6}, 3);
    problem.at_once = 1;
    const auto plain = as_plain(problem, Places{0, 2, 2});
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->items, (std::vector<ItemId>{1, 2}));
    EXPECT_EQ(plain->problem.places, (std::vector<NodeId>{0, 1}));
    EXPECT_EQ(plain->problem.final_places, (std::vector<NodeId>{2, 2}));
    EXPECT_TRUE(plain->problem.sizes.empty());
    EXPECT_TRUE(plain->problem.capacities.empty());
}

TEST(ReassignPlain, ProblemsInHalfDuplexSayWhichMachinesTakeNothing) {
    Problem problem = test::reassign_problem({0, 0, 1}, {4, 5, 6}, 3);
    problem.at_once = 1;
    problem.half_duplex = true;
    problem.drained[0] = true;
    const auto plain = as_plain(problem, Places{1, 2, 2});
    ASSERT_TRUE(plain);
    EXPECT_TRUE(plain->problem.half_duplex);
    EXPECT_EQ(plain->problem.takes, (std::vector<Tokens>{0, tokens_max, tokens_max}));
}

TEST(ReassignPlain, ProblemsHaveTheCapacitiesOfTheOneResourceThatMayBeShort) {
    Problem problem = test::reassign_problem({0, 1}, {4, 5}, 2);
    problem.capacities = {9, 9, 9, 9};
    const auto roomy = as_plain(problem, Places{1, 0});
    ASSERT_TRUE(roomy);
    EXPECT_TRUE(roomy->problem.capacities.empty());
    problem.capacities = {9, 6, 9, 6};
    const auto tight = as_plain(problem, Places{1, 0});
    ASSERT_TRUE(tight);
    EXPECT_EQ(tight->problem.capacities, (std::vector<Tokens>{6, 6}));
    EXPECT_EQ(tight->problem.sizes, (std::vector<Tokens>{4, 5}));
    problem.capacities = {1, 6, 1, 6};
    EXPECT_FALSE(as_plain(problem, Places{1, 0}));
    problem.capacities = {9, 6, 9, 6};
    problem.resources[1].release = Release::at_once;
    EXPECT_FALSE(as_plain(problem, Places{1, 0}));
}

TEST(ReassignPlain, ProblemsLeaveRulesOutThatNoMoveTouches) {
    Problem problem = test::reassign_problem({0, 1}, {4, 5}, 4);
    problem.machine_labels.push_back({"rack", {}, {0, 1, 0, 1}});
    problem.machine_labels[0].values.number_of("r0");
    problem.machine_labels[0].values.number_of("r1");
    problem.spread.push_back({0, 0, 0});
    EXPECT_TRUE(as_plain(problem, Places{2, 3}));
    EXPECT_FALSE(as_plain(problem, Places{3, 2}));
    problem.spread.clear();
    problem.least_items = {0, 0, 1, 1};
    EXPECT_TRUE(as_plain(problem, Places{2, 3}));
    problem.least_items = {1, 0, 0, 0};
    EXPECT_FALSE(as_plain(problem, Places{2, 3}));
}

TEST(ReassignPlain, ProblemsHaveCopiesWhereOneMayHaveToWaitForAnother) {
    Problem problem = test::reassign_problem({0, 1}, {4, 4}, 3);
    problem.item_labels[0].of = {0, 0};
    const auto free = as_plain(problem, Places{2, 1});
    ASSERT_TRUE(free);
    EXPECT_TRUE(free->problem.copies_of.empty());
    const auto waits = as_plain(problem, Places{1, 2});
    ASSERT_TRUE(waits);
    EXPECT_EQ(waits->problem.copies_of, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_FALSE(as_plain(problem, Places{1, 1}));
}

}  // namespace
}  // namespace equipoise::reassign
