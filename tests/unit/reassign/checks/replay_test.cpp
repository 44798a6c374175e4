#include "equipoise/reassign/checks/replay.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/ends.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

std::string fault_of(const Problem& problem, const std::vector<Move>& moves) {
    const Replayed replayed = replay(problem, moves);
    EXPECT_EQ(replayed.allowed, replayed.fault.empty());
    return replayed.fault;
}

TEST(ReassignReplay, NoMovesLeaveEverythingAsItIs) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 6}, 2);
    const Replayed replayed = replay(problem, {});
    EXPECT_TRUE(replayed.allowed);
    EXPECT_TRUE(replayed.within_budget);
    EXPECT_EQ(replayed.places, problem.places);
    EXPECT_EQ(replayed.waves, 0U);
    EXPECT_EQ(replayed.moved, (std::vector<Tokens>{0, 0}));
    EXPECT_EQ(replayed.peaks, (std::vector<Tokens>{1, 5, 1, 6}));
    EXPECT_TRUE(replayed.seconds.empty());
}

TEST(ReassignReplay, WavesArePlayedInTheirOrderWhateverTheOrderOfMoves) {
    Problem problem = test::reassign_problem({0, 0}, {5, 6}, 3);
    problem.budget.waves = 2;
    const std::vector<Move> moves = {{7, 0, 1, 2}, {2, 0, 0, 1}, {7, 1, 0, 1}};
    const Replayed replayed = replay(problem, moves);
    EXPECT_TRUE(replayed.allowed) << replayed.fault;
    EXPECT_EQ(replayed.places, (std::vector<MachineId>{2, 1}));
    EXPECT_EQ(replayed.waves, 2U);
    EXPECT_EQ(replayed.moved, (std::vector<Tokens>{3, 16}));
    EXPECT_EQ(replayed.end.score.moves, 2);
    EXPECT_TRUE(replayed.within_budget);
    problem.budget.amounts = {2, tokens_max};
    EXPECT_FALSE(replay(problem, moves).within_budget);
    problem.budget = {};
    problem.budget.waves = 1;
    EXPECT_FALSE(replay(problem, moves).within_budget);
}

/// i0 leads i1 and i2, on a, b and c; d is empty, and the thing of i1 is the same.
Problem led_items() {
    Problem problem = test::reassign_problem({0, 1, 2}, {5, 6, 7}, 4);
    problem.thing = {0, 0, 0};
    problem.leads = {true, false, false};
    problem.copies_from_leader = true;
    problem.copied = 1;
    return problem;
}

TEST(ReassignReplay, RatesHoldForTheMachineWithTheLeader) {
    Problem problem = led_items();
    problem.at_once = 1;
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}}), "");
    problem.item_labels[0].of = {0, 1, 2};
    problem.gives = {6, 0, 0, 0};
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}}), "") << "b gives nothing, it only loses its copy";
    EXPECT_EQ(fault_of(problem, {{0, 2, 2, 3}}),
              "machine a, from which i0 is copied, gives 7 of bytes, above its rate of 6, in wave "
              "0");
    problem.gives = {};
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}, {0, 2, 2, 1}}),
              "machine a, from which i0 is copied, gives 2 items, more than 1 at once, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}, {1, 2, 2, 1}}), "");
    // The leader gives from where it was, and in the next wave from where it is.
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {0, 1, 1, 2}}),
              "machine a, from which i0 is copied, gives 2 items, more than 1 at once, in wave 0");
    problem.gives = {5, 0, 0, 6};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {1, 1, 1, 2}}), "");
}

TEST(ReassignReplay, TimesAreThoseOfTheMachineWithTheLeader) {
    Problem problem = led_items();
    problem.gives_a_second = {2, 100, 100, 100};
    problem.takes_a_second = {100, 100, 100, 3};
    const Replayed replayed = replay(problem, std::vector<Move>{{0, 1, 1, 3}});
    ASSERT_EQ(replayed.seconds.size(), 1U);
    EXPECT_DOUBLE_EQ(replayed.seconds[0], 3);
}

TEST(ReassignReplay, CopiesFromOutsideAreGivenByTheirThingAndOutsideGivesWithoutLimit) {
    Problem problem = test::reassign_problem({0, 3, 3}, {5, 5, 5}, 4);
    problem.thing = {0, 0, 0};
    problem.item_labels[0].of = {0, 0, 0};
    problem.outside = 3;
    problem.drained[3] = true;
    problem.at_once = 1;
    EXPECT_EQ(fault_of(problem, {{0, 1, 3, 1}, {1, 2, 3, 2}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 1, 3, 1}, {0, 2, 3, 2}}),
              "machine a, from which i0 is copied, gives 2 items, more than 1 at once, in wave 0");
    problem.thing = {0, 1, 1};
    EXPECT_EQ(fault_of(problem, {{0, 1, 3, 1}, {0, 2, 3, 2}}), "") << "nothing else to copy";
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}}),
              "outside is to be drained, but takes item i0 in wave 0");
}

TEST(ReassignReplay, MovesThatCannotBeAreNamed) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    EXPECT_EQ(fault_of(problem, {{0, 2, 0, 1}}),
              "a move names an item or a machine that does not exist");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}}),
              "a move names an item or a machine that does not exist");
    EXPECT_EQ(fault_of(problem, {{4, 0, 0, 0}}), "item i0 goes from machine a to itself in wave 4");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 0, 1, 2}}), "item i0 moves twice in wave 0");
    EXPECT_EQ(fault_of(problem, {{3, 1, 0, 2}}),
              "item i1 is on machine b, not on machine a, in wave 3");
}

TEST(ReassignReplay, TheStateBeforeTheWaveOfTheFaultIsKept) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    const Replayed replayed =
        replay(problem, std::vector<Move>{{0, 0, 0, 2}, {1, 1, 1, 0}, {1, 0, 0, 1}});
    EXPECT_FALSE(replayed.allowed);
    EXPECT_EQ(replayed.fault_at, 2U);
    EXPECT_EQ(replayed.places, (std::vector<MachineId>{2, 1}));
    EXPECT_EQ(replayed.waves, 1U);
    EXPECT_EQ(replayed.moved, (std::vector<Tokens>{1, 5}));
    EXPECT_EQ(replayed.end.used, (std::vector<Tokens>{0, 0, 1, 6, 1, 5}));
}

TEST(ReassignReplay, ItemsGoOnlyWhereTheyMayBe) {
    Problem problem = test::reassign_problem({0, 1, 1}, {5, 6, 7}, 4);
    problem.drained[2] = true;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}}),
              "machine c is to be drained, but takes item i0 in wave 0");
    problem.pinned[3] = true;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}}),
              "machine d is pinned, but takes item i0 in wave 0");
    problem.pinned[0] = true;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}}),
              "machine a is pinned, but gives item i0 in wave 0");
    problem.pinned[0] = false;
    problem.stays = {false, true, false};
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 0}}),
              "item i1 must stay on machine b, but moves in wave 0");
    problem.sets = {{false, true, true, true}};
    problem.allowed_set = {any_machine, any_machine, 0};
    EXPECT_EQ(fault_of(problem, {{0, 2, 1, 0}}),
              "item i2 goes to machine a, where it is not allowed, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {1, 0, 1, 0}}), "");
}

TEST(ReassignReplay, RatesBoundWhatMachinesGiveAndTakeInAWave) {
    Problem problem = test::reassign_problem({0, 0, 0, 1}, {5, 6, 0, 1}, 3);
    problem.resources[1].decimals = 1;
    problem.copied = 1;
    problem.gives = {10, 9, 9};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 0, 2}}),
              "machine a gives 1.1 of bytes, above its rate of 1, in wave 0");
    problem.gives = {11, 9, 9};
    problem.takes = {9, 10, 9};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 0, 1}}),
              "machine b takes 1.1 of bytes, above its rate of 1, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {1, 1, 0, 1}}), "");
    problem.takes = {9, 0, 9};
    EXPECT_EQ(fault_of(problem, {{0, 2, 0, 1}}),
              "machine b takes an item, but its rate is 0, in wave 0");
    problem.gives[0] = 0;
    EXPECT_EQ(fault_of(problem, {{0, 2, 0, 2}}),
              "machine a gives an item, but its rate is 0, in wave 0");
}

TEST(ReassignReplay, AMachineGivesAndTakesNoMoreItemsAtOnceThanItMay) {
    Problem problem = test::reassign_problem({0, 0, 1}, {5, 6, 7}, 4);
    problem.at_once = 1;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 0, 2}}),
              "machine a gives 2 items, more than 1 at once, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {0, 2, 1, 3}}),
              "machine d takes 2 items, more than 1 at once, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 2, 1, 0}}), "");
}

TEST(ReassignReplay, InHalfDuplexWhatAMachineGivesAndTakesCountsTogether) {
    Problem problem = test::reassign_problem({0, 0, 1}, {5, 6, 7}, 4);
    problem.at_once = 1;
    problem.half_duplex = true;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 2, 1, 0}}),
              "machine b gives and takes 2 items together, more than 1 at once, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}, {0, 2, 1, 3}}), "");
    problem.at_once = 2;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 2, 1, 0}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 0, 2}, {0, 2, 1, 0}}),
              "machine a gives and takes 3 items together, more than 2 at once, in wave 0");
    problem.copied = 1;
    problem.gives = {11, 12, 11, 9};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 2, 1, 0}}),
              "machine a gives and takes 12 of bytes, above its rate of 11, in wave 0");
    problem.gives = {12, 12, 0, 9};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 2, 1, 0}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}}),
              "machine c gives and takes an item, but its rate is 0, in wave 0");
}

TEST(ReassignReplay, InHalfDuplexTheMachineWithTheLeaderTakesLessAsItGives) {
    Problem problem = led_items();
    problem.item_labels[0].of = {0, 1, 2};
    problem.at_once = 1;
    problem.half_duplex = true;
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}, {0, 2, 2, 1}}),
              "machine a, from which i0 is copied, gives and takes 2 items together, more than 1 "
              "at once, in wave 0");
    problem.leads = {false, false, false};
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}, {0, 2, 2, 1}}),
              "machine b gives and takes 2 items together, more than 1 at once, in wave 0");
}

TEST(ReassignReplay, InHalfDuplexTimesAreOfWhatAMachineGivesAndTakes) {
    Problem problem = test::reassign_problem({0, 1}, {6, 4}, 3);
    problem.copied = 1;
    problem.gives_a_second = {5, 10, 1};
    problem.half_duplex = true;
    const std::vector<Move> exchange = {{0, 0, 0, 1}, {0, 1, 1, 0}};
    ASSERT_EQ(replay(problem, exchange).seconds.size(), 1U);
    EXPECT_DOUBLE_EQ(replay(problem, exchange).seconds[0], 2);
}

// Two machines exchange items of 6 and 5; each has a capacity of 8.
TEST(ReassignReplay, RoomIsFreeAtOnceOrAfterTheWaveOrAfterTheLastOne) {
    Problem problem = test::reassign_problem({0, 1}, {6, 5}, 3);
    problem.capacities = {9, 8, 9, 8, 9, tokens_max};
    const std::vector<Move> exchange = {{0, 0, 0, 1}, {0, 1, 1, 0}};
    const std::vector<Move> by_the_third = {{0, 0, 0, 2}, {1, 1, 1, 0}, {2, 0, 2, 1}};
    problem.resources[1].release = Release::at_once;
    EXPECT_EQ(fault_of(problem, exchange), "");
    EXPECT_EQ(replay(problem, exchange).peaks[1], 6);
    problem.resources[1].release = Release::after_wave;
    EXPECT_EQ(fault_of(problem, exchange),
              "machine b holds 11 of bytes, above its capacity of 8, in wave 0");
    EXPECT_EQ(fault_of(problem, by_the_third), "");
    EXPECT_EQ(replay(problem, by_the_third).peaks, (std::vector<Tokens>{1, 6, 1, 6, 1, 6}));
    problem.resources[1].release = Release::after_last;
    EXPECT_EQ(fault_of(problem, by_the_third),
              "machine a holds 11 of bytes, above its capacity of 8, in wave 1");
    problem.capacities[1] = problem.capacities[3] = 11;
    EXPECT_EQ(fault_of(problem, by_the_third), "");
    EXPECT_EQ(replay(problem, by_the_third).peaks, (std::vector<Tokens>{1, 11, 1, 11, 1, 6}));
}

TEST(ReassignReplay, RoomReleasedAfterTheLastWaveIsCountedOnceForAnItemThatComesBack) {
    Problem problem = test::reassign_problem({0, 1}, {6, 5}, 2);
    problem.resources[1].release = Release::after_last;
    problem.capacities = {9, 11, 9, 11};
    const std::vector<Move> to_and_fro = {{0, 0, 0, 1}, {1, 0, 1, 0}, {2, 0, 0, 1}, {3, 0, 1, 0}};
    EXPECT_EQ(fault_of(problem, to_and_fro), "");
    EXPECT_EQ(replay(problem, to_and_fro).peaks[3], 11);
}

TEST(ReassignReplay, AMachineAboveItsCapacityTakesNothingThatNeedsTheResource) {
    Problem problem = test::reassign_problem({0, 0, 1, 1}, {6, 5, 1, 0}, 2);
    problem.capacities = {9, 10, 9, 20};
    EXPECT_EQ(fault_of(problem, {{0, 2, 1, 0}}),
              "machine a holds 12 of bytes, above its capacity of 10, in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 3, 1, 0}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 1, 0, 1}, {1, 2, 1, 0}}), "");
    // Nor in exchange for something larger, unless the room of that is free at once and suffices.
    const std::vector<Move> exchange = {{0, 1, 0, 1}, {0, 2, 1, 0}};
    EXPECT_EQ(fault_of(problem, exchange),
              "machine a holds 12 of bytes, above its capacity of 10, in wave 0");
    problem.resources[1].release = Release::at_once;
    EXPECT_EQ(fault_of(problem, exchange), "");
    problem.capacities[1] = 6;
    EXPECT_EQ(fault_of(problem, exchange),
              "machine a holds 7 of bytes, above its capacity of 6, in wave 0");
}

TEST(ReassignReplay, NothingArrivesWhereItMustBeApartNotEvenFromWhatLeaves) {
    Problem problem = test::reassign_problem({0, 1, 2}, {1, 1, 1}, 4);
    problem.item_labels[0].of = {0, 0, 1};
    problem.item_labels.push_back({"group", {}, {0, no_value, 0}});
    problem.item_labels[1].values.number_of("web");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}}),
              "machine b takes 1 copy of i0 and has another in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 1, 3}}),
              "machine b takes 1 copy of i0 and has another in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {0, 1, 1, 3}}),
              "machine d takes 1 copy of i0 and has another in wave 0");
    EXPECT_EQ(fault_of(problem, {{0, 1, 1, 3}, {1, 0, 0, 1}}), "");
    problem.apart.push_back({1});
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}}),
              "machine c takes 1 item of group web and has another in wave 0");
}

TEST(ReassignReplay, ItemsThatAreApartInTheEndMayTakeEachOthersPlacesInOneWave) {
    Problem problem = test::reassign_problem({0, 1, 2, 2}, {1, 1, 1, 1}, 4);
    problem.item_labels.push_back({"group", {}, {0, 0, 0, 0}});
    problem.item_labels[1].values.number_of("web");
    problem.apart.push_back({1, false});
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 1, 0}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 1, 3}, {1, 1, 3, 0}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}}),
              "after wave 0, machine b has 2 items of group web, at most 1 allowed");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {0, 1, 1, 3}}),
              "after wave 0, machine d has 2 items of group web, at most 1 allowed");
    // Two that are together may stay, but none may join or follow one of them.
    EXPECT_EQ(fault_of(problem, {{0, 2, 2, 3}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 2, 2, 0}, {0, 0, 0, 2}}),
              "after wave 0, machine c has 2 items of group web, at most 1 allowed");
    EXPECT_EQ(fault_of(problem, {{0, 2, 2, 0}, {0, 3, 2, 3}, {0, 0, 0, 2}}), "");
    problem.apart[1].on_the_way = true;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {0, 1, 1, 0}}),
              "machine b takes 1 item of group web and has another in wave 0");
}

TEST(ReassignReplay, CopiesThatAreTogetherInTheBeginningMayPart) {
    Problem problem = test::reassign_problem({0, 0, 0}, {1, 1, 1}, 3);
    problem.item_labels[0].of = {0, 0, 0};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {1, 1, 0, 2}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}, {1, 0, 1, 0}}),
              "machine a takes 1 copy of i0 and has another in wave 1");
}

TEST(ReassignReplay, LeastNumbersOfItemsAreKeptOnTheWay) {
    Problem problem = test::reassign_problem({0, 0, 1, 2}, {1, 1, 1, 1}, 3);
    problem.least_items = {2, 2, 0};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}}),
              "after wave 0, machine a has 1 item, at least 2 needed");
    EXPECT_EQ(fault_of(problem, {{0, 2, 1, 2}}),
              "after wave 0, machine b has 0 items, at least 2 needed: further from the rule than "
              "in the beginning");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}, {0, 3, 2, 0}}), "");
}

TEST(ReassignReplay, ItemsThatAreSpreadStaySpreadAfterEveryWave) {
    Problem problem = test::reassign_problem({0, 2, 1}, {1, 1, 1}, 4);
    problem.item_labels[0].of = {0, 0, 1};
    problem.machine_labels.push_back({"rack", {}, {0, 0, 1, 1}});
    for (const char* rack : {"r1", "r2"})
        problem.machine_labels[0].values.number_of(rack);
    problem.spread = {{0, 0, 0}};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {1, 1, 2, 0}}),
              "after wave 0, i0 is on 1 rack, at least 2 needed");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}, {0, 1, 2, 1}}), "");
    problem.spread[0].least = 2;
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 3}}),
              "after wave 0, i0 is on 1 rack, at least 2 needed");
}

TEST(ReassignReplay, ABrokenSpreadMayGetBetterAndStayAsItIsButNotWorse) {
    // Four copies in racks of two machines each: 3 and 1, where 2 and 2 would be right.
    Problem problem = test::reassign_problem({0, 0, 1, 2}, {1, 1, 1, 1}, 4);
    problem.item_labels[0].of = {0, 0, 0, 0};
    problem.apart.clear();
    problem.machine_labels.push_back({"rack", {}, {0, 0, 1, 1}});
    for (const char* rack : {"r1", "r2"})
        problem.machine_labels[0].values.number_of(rack);
    problem.spread = {{0, 0, 0}};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}}), "");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}, {0, 1, 0, 3}}), "");  // as far, the other way
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}, {0, 1, 0, 3}, {0, 2, 1, 3}}),
              "after wave 0, i0 is on 1 rack, at least 2 needed: further from the rule than in the "
              "beginning");
    EXPECT_EQ(fault_of(problem, {{0, 3, 2, 0}}),
              "after wave 0, i0 is on 1 rack, at least 2 needed: further from the rule than in the "
              "beginning");
}

TEST(ReassignReplay, ServicesStayNearAfterEveryWave) {
    Problem problem = test::reassign_problem({0, 0, 1}, {1, 1, 1}, 4);
    problem.item_labels.push_back({"service", {}, {0, 1, no_value}});
    for (const char* service : {"web", "db"})
        problem.item_labels[1].values.number_of(service);
    problem.machine_labels.push_back({"zone", {}, {0, 1, 0, 1}});
    for (const char* zone : {"z1", "z2"})
        problem.machine_labels[0].values.number_of(zone);
    problem.near = {{1, 0, {{0, 1}}}};
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 1}}),
              "after wave 0, zone z2 has service web, but not service db, which it needs there");
    EXPECT_EQ(fault_of(problem, {{0, 1, 0, 1}}),
              "after wave 0, zone z1 has service web, but not service db, which it needs there");
    EXPECT_EQ(fault_of(problem, {{0, 0, 0, 2}, {1, 0, 2, 3}, {1, 1, 0, 1}}), "");
}

TEST(ReassignReplay, AWaveTakesAsLongAsTheMachineThatTakesLongest) {
    Problem problem = test::reassign_problem({0, 0, 1}, {60, 30, 0}, 3);
    problem.copied = 1;
    problem.gives_a_second = {10, 0, 10};
    problem.takes_a_second = {10, 5, 20};
    const std::vector<Move> moves = {{0, 0, 0, 2}, {0, 1, 0, 1}, {3, 1, 1, 0}, {4, 2, 1, 0}};
    const Replayed replayed = replay(problem, moves);
    ASSERT_TRUE(replayed.allowed) << replayed.fault;
    ASSERT_EQ(replayed.seconds.size(), 3U);
    EXPECT_DOUBLE_EQ(replayed.seconds[0], 9);
    EXPECT_TRUE(std::isinf(replayed.seconds[1]));
    EXPECT_DOUBLE_EQ(replayed.seconds[2], 0);
}

TEST(ReassignEnds, ARuleIsNotTradedForAnother) {
    // Machine a is above its capacity; its items would fit on c, which is drained.
    Problem problem = test::reassign_problem({0, 0, 1}, {6, 5, 1}, 3);
    problem.capacities = {9, 10, 9, 10, 9, 20};
    problem.drained[2] = true;
    const Standing before = stand(problem, problem.places);
    const auto may = [&](const std::vector<MachineId>& places) {
        return may_end(problem, places, stand(problem, places), before);
    };
    EXPECT_TRUE(may(problem.places));
    EXPECT_TRUE(may({0, 1, 1}));
    EXPECT_FALSE(may({0, 2, 1}));
    EXPECT_FALSE(may({0, 0, 0}));
    EXPECT_FALSE(may({1, 1, 1}));
    problem.resources[1].release = Release::after_last;
    EXPECT_TRUE(may({1, 0, 1}));
    EXPECT_FALSE(may({1, 0, 0}));  // 6 is still there
}

}  // namespace
}  // namespace equipoise::reassign
