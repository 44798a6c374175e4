#include "equipoise/reassign/schedule/schedule.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

/// The schedule to these ends, which the checker has allowed.
Schedule scheduled(const Problem& problem, const Places& ends) {
    problem.check();
    Schedule schedule = schedule_moves(problem, ends, {});
    const Replayed replayed = replay(problem, schedule.moves);
    EXPECT_TRUE(replayed.allowed) << replayed.fault;
    EXPECT_EQ(schedule.complete, replayed.places == ends);
    EXPECT_EQ(schedule.complete, schedule.blocked.empty());
    return schedule;
}

/// Labels machines with racks.
void put_in_racks(Problem& problem, const std::vector<ValueId>& racks) {
    problem.machine_labels.push_back({"rack", {}, racks});
    const ValueId last = *std::max_element(racks.begin(), racks.end());
    for (ValueId value = 0; value <= last; ++value)
        problem.machine_labels.back().values.number_of("r" + std::to_string(value));
}

/// Labels items with groups.
void put_in_groups(Problem& problem, const std::vector<ValueId>& groups) {
    problem.item_labels.push_back({"group", {}, groups});
    const ValueId last = *std::max_element(groups.begin(), groups.end());
    for (ValueId value = 0; value <= last; ++value)
        problem.item_labels.back().values.number_of("g" + std::to_string(value));
}

void set_capacities(Problem& problem, std::size_t resource, const std::vector<Tokens>& capacities) {
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        problem.capacities[machine * problem.resource_count() + resource] = capacities[machine];
}

TEST(ReassignSchedule, OfNothingHasNoWaves) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 5}, 2);
    const Schedule schedule = scheduled(problem, {0, 1});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 0U);
    EXPECT_EQ(waves_at_least(problem, problem.places).at_least, 0);
}

TEST(ReassignSchedule, WithoutLimitsHasOneWave) {
    const Problem problem = test::reassign_problem({0, 0, 0}, {5, 6, 7}, 2);
    EXPECT_EQ(scheduled(problem, {1, 1, 1}).waves(), 1U);
}

TEST(ReassignSchedule, OfPlainProblemsHasAsManyWavesAsTheBusiestMachineNeeds) {
    Problem problem = test::reassign_problem({0, 0, 1, 1, 2, 2}, {1, 2, 3, 4, 5, 6}, 3);
    problem.at_once = 1;
    const Places ends = {1, 2, 2, 0, 0, 1};
    EXPECT_EQ(scheduled(problem, ends).waves(), 2U);
    const Bound bound = waves_at_least(problem, ends);
    EXPECT_EQ(bound.at_least, 2);
    EXPECT_EQ(bound.reason, "machine a must give 2 items, and gives at most 1 in a wave");
}

TEST(ReassignSchedule, InHalfDuplexHasAsManyWavesAsTheBusiestMachineNeedsForBothDirections) {
    // Three machines exchange two items with each of the others.
    std::vector<MachineId> places;
    std::vector<MachineId> ends;
    for (MachineId from = 0; from < 3; ++from)
        for (MachineId to = 0; to < 3; ++to)
            if (from != to) {
                places.insert(places.end(), 2, from);
                ends.insert(ends.end(), 2, to);
            }
    Problem problem = test::reassign_problem(places, std::vector<Tokens>(places.size(), 1), 3);
    const auto waves = [&](Tokens at_once) {
        problem.at_once = at_once;
        const Schedule schedule = schedule_moves(problem, ends, {});
        EXPECT_TRUE(schedule.complete);
        EXPECT_TRUE(replay(problem, schedule.moves).allowed);
        return std::pair(schedule.waves(), waves_at_least(problem, ends));
    };
    EXPECT_EQ(waves(2).first, 2U);
    problem.half_duplex = true;
    const auto [two, two_at_least] = waves(2);
    EXPECT_EQ(two, 4U);
    EXPECT_EQ(two_at_least.at_least, 4);
    EXPECT_EQ(two_at_least.reason,
              "machine a must give and take 8 items, and gives and takes at most 2 in a wave");
    const auto [one, one_at_least] = waves(1);
    EXPECT_EQ(one, 12U);
    EXPECT_EQ(one_at_least.at_least, 12);
    EXPECT_EQ(one_at_least.reason,
              "machines a, b and c must give each other 12 items, and can give at most 1 in a "
              "wave");
}

TEST(ReassignSchedule, InHalfDuplexHasNoFewerWavesThanAllMachinesTogetherCanMove) {
    // Each of three machines has an item that may only be on the next one.
    Problem problem = test::reassign_problem({0, 1, 2}, {1, 1, 1}, 3);
    problem.sets = {{false, true, false}, {false, false, true}, {true, false, false}};
    problem.allowed_set = {0, 1, 2};
    problem.at_once = 1;
    const Score aim = stand(problem, Places{1, 2, 0}).score;
    EXPECT_EQ(waves_at_least(problem, aim, 0).at_least, 1);
    problem.half_duplex = true;
    const Bound bound = waves_at_least(problem, aim, 0);
    EXPECT_EQ(bound.at_least, 3);
    EXPECT_EQ(bound.reason,
              "machines must give each other 3 items, and can give at most 1 item in a wave");
    EXPECT_EQ(scheduled(problem, {1, 2, 0}).waves(), 3U);
}

TEST(ReassignSchedule, KeepsToRatesOfTheCopiedResource) {
    Problem problem = test::reassign_problem({0, 0, 0}, {5, 4, 6}, 3);
    problem.copied = 1;
    problem.takes = {10, 10, 10};
    const Places ends = {1, 1, 1};
    EXPECT_EQ(scheduled(problem, ends).waves(), 2U);
    EXPECT_EQ(waves_at_least(problem, ends).reason,
              "machine b must take 15 of bytes, and takes at most 10 of bytes in a wave");
}

TEST(ReassignSchedule, LeavesItemsThatAreTooLargeForEveryWaveAndMovesTheOthers) {
    Problem problem = test::reassign_problem({0, 0}, {5, 40}, 2);
    problem.copied = 1;
    problem.gives = {10, 10};
    const Schedule schedule = scheduled(problem, {1, 1});
    EXPECT_FALSE(schedule.complete);
    EXPECT_EQ(schedule.blocked, std::vector<ItemId>{1});
    EXPECT_EQ(schedule.moves.size(), 1U);
}

TEST(ReassignSchedule, FillsRoomOnlyWhenItIsFree) {
    // b gives 6 to c, and then takes 6 from a.
    Problem problem = test::reassign_problem({0, 1}, {6, 6}, 3);
    set_capacities(problem, 1, {10, 10, 10});
    EXPECT_EQ(scheduled(problem, {1, 2}).waves(), 2U);
    const Bound bound = waves_at_least(problem, Places{1, 2});
    EXPECT_EQ(bound.at_least, 2);
    EXPECT_EQ(bound.reason, "machine b has no room of bytes for i0 until a first wave is over");
    problem.resources[1].release = Release::at_once;
    EXPECT_EQ(scheduled(problem, {1, 2}).waves(), 1U);
    problem.resources[1].release = Release::after_last;
    EXPECT_FALSE(scheduled(problem, {1, 2}).complete);
}

TEST(ReassignSchedule, SwapsAtOnceWhereItemsFreeTheirRoomWhenTheyBeginToMove) {
    Problem problem = test::reassign_problem({0, 1, 2}, {6, 6, 6}, 3);
    set_capacities(problem, 1, {6, 6, 6});
    problem.resources[1].release = Release::at_once;
    problem.at_once = 1;
    const Schedule schedule = scheduled(problem, {1, 2, 0});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 1U);
    EXPECT_EQ(schedule.detours, 0U);
}

TEST(ReassignSchedule, GoesByWayOfAMachineWithRoomWhereTwoFullOnesSwap) {
    Problem problem = test::reassign_problem({0, 1}, {6, 6}, 3);
    set_capacities(problem, 1, {6, 6, 6});
    const Schedule schedule = scheduled(problem, {1, 0});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 3U);
    EXPECT_EQ(schedule.detours, 1U);
    problem.drained[2] = true;
    EXPECT_FALSE(scheduled(problem, {1, 0}).complete);
}

TEST(ReassignSchedule, MakesNoDetoursBeyondTheBudget) {
    Problem problem = test::reassign_problem({0, 1}, {6, 6}, 3);
    set_capacities(problem, 1, {6, 6, 6});
    problem.budget.amounts = {2, tokens_max};
    EXPECT_FALSE(scheduled(problem, {1, 0}).complete);
    problem.budget.amounts = {3, tokens_max};
    EXPECT_TRUE(scheduled(problem, {1, 0}).complete);
}

TEST(ReassignSchedule, BringsItemsThatMadeRoomBackWhereTheyWere) {
    // Room on c for either item of b, none elsewhere: i1 makes room for i0, though it is to stay.
    Problem problem = test::reassign_problem({0, 1, 2}, {6, 4, 2}, 3);
    set_capacities(problem, 1, {8, 8, 6});
    const Schedule schedule = scheduled(problem, {1, 0, 2});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 3U);
}

TEST(ReassignSchedule, KeepsItemsApartOnTheWay) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 3);
    put_in_groups(problem, {0, 0});
    problem.apart.push_back({1});
    EXPECT_EQ(scheduled(problem, {1, 2}).waves(), 2U);
    EXPECT_EQ(waves_at_least(problem, Places{1, 2}).at_least, 2);
    const Schedule swap = scheduled(problem, {1, 0});
    EXPECT_TRUE(swap.complete);
    EXPECT_EQ(swap.waves(), 3U);
    EXPECT_EQ(swap.detours, 1U);
}

TEST(ReassignSchedule, ItemsThatAreApartInTheEndTradePlacesOnFullMachinesInOneWave) {
    Problem problem = test::reassign_problem({0, 1, 2}, {5, 5, 5}, 3);
    put_in_groups(problem, {0, 0, 0});
    problem.apart.push_back({1, false});
    problem.resources[1].release = Release::at_once;
    set_capacities(problem, 1, {5, 5, 5});
    problem.at_once = 1;
    for (const Places& ends : {Places{1, 0, 2}, Places{1, 2, 0}}) {
        const Schedule schedule = scheduled(problem, ends);
        EXPECT_TRUE(schedule.complete);
        EXPECT_EQ(schedule.waves(), 1U);
        EXPECT_EQ(schedule.detours, 0U);
        EXPECT_EQ(waves_at_least(problem, ends).at_least, 1);
    }
    // Without capacities the rule alone asks that they go together.
    set_capacities(problem, 1, {tokens_max, tokens_max, tokens_max});
    EXPECT_EQ(scheduled(problem, {1, 0, 2}).waves(), 1U);
    // Copies of one thing are never together, not even while one leaves.
    problem.item_labels[0].of = {0, 0, 1};
    EXPECT_EQ(scheduled(problem, {1, 0, 2}).waves(), 3U);
    EXPECT_GT(scheduled(problem, {1, 0, 2}).detours, 0U);
}

TEST(ReassignSchedule, KeepsSpreadByMovesThatGoTogether) {
    // One of each group in each rack; both swap racks, which they can only do at the same time.
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 4);
    put_in_racks(problem, {0, 1, 0, 1});
    put_in_groups(problem, {0, 0});
    problem.spread.push_back({1, 0, 0});
    problem.at_once = 1;
    const Schedule schedule = scheduled(problem, {3, 2});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 1U);
}

TEST(ReassignSchedule, KeepsServicesNearByMovesThatGoTogether) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 4);
    put_in_racks(problem, {0, 0, 1, 1});
    put_in_groups(problem, {0, 1});
    problem.near.push_back({1, 0, {{0, 1}, {1, 0}}});
    problem.at_once = 1;
    const Schedule schedule = scheduled(problem, {2, 3});
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(schedule.waves(), 1U);
}

TEST(ReassignSchedule, TakesNoMoreThanTheLeastNumberOfItemsAway) {
    Problem problem = test::reassign_problem({0, 1}, {1, 1}, 2);
    problem.least_items = {1, 1};
    EXPECT_EQ(scheduled(problem, {1, 0}).waves(), 1U);
    // b is one short from the beginning: it may give what it takes.
    problem.least_items = {0, 2};
    EXPECT_EQ(scheduled(problem, {1, 0}).waves(), 1U);
    EXPECT_FALSE(scheduled(problem, {0, 0}).complete);
}

TEST(ReassignSchedule, OfBrokenRulesMendsThemAndMakesNoneWorse) {
    // a is above its capacity and is emptied; nothing may go there on the way.
    Problem problem = test::reassign_problem({0, 0, 1}, {6, 6, 6}, 3);
    set_capacities(problem, 1, {10, 10, 10});
    const Schedule schedule = scheduled(problem, {2, 1, 0});
    EXPECT_FALSE(schedule.complete);
    EXPECT_TRUE(scheduled(problem, {2, 0, 1}).complete);
}

TEST(ReassignSchedule, NeverUsesPinnedOrForbiddenMachinesForDetours) {
    Problem problem = test::reassign_problem({0, 1}, {6, 6}, 4);
    set_capacities(problem, 1, {6, 6, 6, 6});
    problem.pinned[2] = true;
    problem.sets = {{true, true, true, false}};
    problem.allowed_set = {0, 0};
    EXPECT_FALSE(scheduled(problem, {1, 0}).complete);
    problem.allowed_set = {0, any_machine};
    EXPECT_TRUE(scheduled(problem, {1, 0}).complete);
}

TEST(ReassignSchedule, ToEndsAsGoodSharesTheWorkOfTakingItems) {
    // Two items leave each of a, b and c; d and e may take any of them.
    Problem problem = test::reassign_problem({0, 0, 1, 1, 2, 2}, {1, 2, 3, 4, 5, 6}, 5);
    problem.drained = {true, true, true, false, false};
    problem.at_once = 2;
    const Places crowded = {3, 3, 3, 3, 3, 3};
    EXPECT_EQ(scheduled(problem, crowded).waves(), 3U);
    const Schedule shared = schedule_as_good(problem, crowded, {});
    const Replayed replayed = replay(problem, shared.moves);
    ASSERT_TRUE(replayed.allowed) << replayed.fault;
    EXPECT_EQ(replayed.end.score, stand(problem, crowded).score);
    EXPECT_EQ(shared.waves(), 2U);
}

TEST(ReassignSchedule, WithinAsManyWavesAsAreAllowedBringsTheScoreFurthestDown) {
    // Three items must leave a drained machine; two waves of one.
    Problem problem = test::reassign_problem({0, 0, 0, 1}, {1, 9, 5, 1}, 3);
    problem.drained[0] = true;
    problem.at_once = 1;
    problem.budget.waves = 2;
    problem.thresholds[1] = 0;  // bytes of a
    const Schedule schedule = schedule_within(problem, Places{2, 2, 2, 1}, {});
    const Replayed replayed = replay(problem, schedule.moves);
    ASSERT_TRUE(replayed.allowed) << replayed.fault;
    EXPECT_TRUE(replayed.within_budget);
    EXPECT_EQ(replayed.waves, 2U);
    EXPECT_EQ(replayed.places, (Places{0, 2, 2, 1}));
    EXPECT_FALSE(schedule.complete);
    problem.budget.waves = 3;
    EXPECT_TRUE(schedule_within(problem, Places{2, 2, 2, 1}, {}).complete);
}

}  // namespace
}  // namespace equipoise::reassign
