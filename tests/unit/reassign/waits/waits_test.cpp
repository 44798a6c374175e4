#include "equipoise/reassign/checks/waits.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"
#include "equipoise/reassign/waits/reduce.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

using test::reassign_problem;

WaitsFor waits_of(const Problem& problem, const std::vector<Move>& moves) {
    WaitsFor waits = partial_order(problem, moves, {}).waits_for;
    EXPECT_EQ(check_waits(problem, moves, waits).fault, "");
    return waits;
}

TEST(WaitsForMoves, MachinesThatHaveNothingToDoWithAWaveDoNotWaitForIt) {
    Problem problem = reassign_problem({0, 0, 2}, {1, 1, 1}, 4);
    problem.at_once = 1;
    // a -> b twice, one after the other; c -> d in the second wave, which nothing keeps back.
    const std::vector<Move> moves = {{0, 0, 0, 1}, {1, 1, 0, 1}, {1, 2, 2, 3}};
    EXPECT_EQ(waits_of(problem, moves), (WaitsFor{{}, {0}, {}}));
}

TEST(WaitsForMoves, AnArrivalWaitsForTheFirstDeparturesThatMakeRoomForIt) {
    Problem problem = reassign_problem({0, 0, 1, 1}, {4, 4, 4, 4}, 4);
    problem.at_once = 2;
    problem.capacities[1] = 8;
    const std::vector<Move> moves = {{0, 0, 0, 2}, {0, 1, 0, 3}, {1, 2, 1, 0}, {2, 3, 1, 0}};
    // The first arrival needs the room of one departure; the second one comes after it.
    EXPECT_EQ(waits_of(problem, moves), (WaitsFor{{}, {}, {0}, {1, 2}}));
}

TEST(WaitsForMoves, ItemsThatChangePlacesWhereRoomIsFreeAtOnceStartTogether) {
    Problem problem = reassign_problem({0, 1}, {4, 4}, 2);
    problem.resources[1].release = Release::at_once;
    for (const std::size_t machine : {std::size_t{0}, std::size_t{1}})
        problem.capacities[machine * 2 + 1] = 4;
    problem.at_once = 1;
    const std::vector<Move> swap = {{0, 0, 0, 1}, {0, 1, 1, 0}};
    EXPECT_EQ(waits_of(problem, swap), (WaitsFor{{}, {}}));
    // Started one after the other they would not fit.
    const CheckedWaits checked = check_waits(problem, swap, {{}, {0}});
    EXPECT_EQ(checked.fault, "machine b may hold more of bytes than its capacity of 4");
}

TEST(WaitsForMoves, ItemsThatAreApartInTheEndStartTogetherWhereOneTakesThePlaceOfAnother) {
    Problem problem = reassign_problem({0, 1, 2}, {1, 1, 1}, 4);
    problem.item_labels.push_back({"group", {}, {0, 0, no_value}});
    problem.item_labels[1].values.number_of("web");
    problem.apart.push_back({1, false});
    const std::vector<Move> moves = {{0, 0, 0, 1}, {0, 1, 1, 0}, {1, 0, 1, 3}, {1, 2, 2, 3}};
    // i0 moves again when both are done; i2 has nothing to do with it.
    EXPECT_EQ(waits_of(problem, moves), (WaitsFor{{}, {}, {0, 1}, {}}));
    const CheckedWaits checked = check_waits(problem, moves, {{1}, {}, {0, 1}, {}});
    EXPECT_EQ(checked.fault, "machine a may take 1 item of group web and keep another");
    const std::vector<Move> to_one = {{0, 0, 0, 2}, {0, 1, 1, 2}};
    EXPECT_EQ(check_waits(problem, to_one, {{}, {}}).fault,
              "machine c may take 1 item of group web and keep another");
}

std::string circle_words(const Problem& problem, ItemId item, ItemId by) {
    return "item " + problem.item_name(item) + " waits for itself, by way of item " +
           problem.item_name(by);
}

TEST(WaitsForMoves, ThatLeaveOneOutWhichMattersAreRefused) {
    Problem problem = reassign_problem({0, 1, 0}, {4, 4, 1}, 3);
    problem.capacities[1] = 5;
    problem.at_once = 1;
    const std::vector<Move> moves = {{0, 0, 0, 2}, {1, 1, 1, 0}, {2, 2, 0, 2}};
    const WaitsFor waits = waits_of(problem, moves);
    EXPECT_EQ(waits, (WaitsFor{{}, {0}, {0}}));
    const CheckedWaits room = check_waits(problem, moves, {{}, {}, {0}});
    EXPECT_EQ(room.fault, "machine a may hold more of bytes than its capacity of 5");
    EXPECT_EQ(room.fault_at, 1U);
    const CheckedWaits end = check_waits(problem, moves, {{}, {0}, {}});
    EXPECT_EQ(end.fault, "machine a may give more at once than 1 item");
    const CheckedWaits circle = check_waits(problem, moves, {{2}, {0}, {1}});
    EXPECT_EQ(circle.fault, circle_words(problem, 0, 2));
    EXPECT_EQ(circle.fault_at, 0U);
    // The first move is innocent: it only waits for those that never start.
    const CheckedWaits behind = check_waits(problem, moves, {{1}, {2}, {1}});
    EXPECT_EQ(behind.fault, circle_words(problem, 1, 2));
    EXPECT_EQ(behind.fault_at, 1U);
    EXPECT_FALSE(check_waits(problem, moves, {{}, {0}}).kept);
    EXPECT_EQ(check_waits(problem, moves, {{}, {7}, {0}}).fault,
              "item " + problem.item_name(1) + " waits for a move that does not exist");
}

TEST(WaitsForMoves, ThatAreTooManyToJudgeAreNotSaidToBeKept) {
    const Problem problem = reassign_problem({0}, {1}, 2);
    const std::vector<Move> moves(checked_waits_most + 1, Move{0, 0, 0, 1});
    const CheckedWaits checked = check_waits(problem, moves, WaitsFor(moves.size()));
    EXPECT_FALSE(checked.kept);
    EXPECT_EQ(checked.fault, "expected at most 30000 moves that wait");
}

TEST(WaitsForMoves, WithTooManyOrdersOfOneRuleAreNotSaidToBeKept) {
    // One item arrives on a, then n leave it, each after another move that has nothing to do with
    // it: in 2^n ways, of which none leaves a empty.
    const auto checked = [](std::uint32_t n) {
        std::vector<MachineId> places = {1};
        places.insert(places.end(), n, 0);
        places.insert(places.end(), n, 3);
        Problem problem = reassign_problem(places, std::vector<Tokens>(places.size(), 1), 5);
        problem.least_items = {1, 0, 0, 0, 0};
        std::vector<Move> moves = {{0, 0, 1, 0}};
        WaitsFor waits(places.size());
        for (ItemId item = 1; item <= n; ++item) {
            moves.push_back({1, item, 0, 2});
            waits[item] = {0, n + item};
        }
        for (ItemId item = n + 1; item <= 2 * n; ++item)
            moves.push_back({0, item, 3, 4});
        return check_waits(problem, moves, waits);
    };
    EXPECT_EQ(checked(14).fault, "");
    EXPECT_EQ(checked(15).fault,
              "machine a may hold too few items, or not: there are too many orders to tell");
}

TEST(WaitsForMoves, AreTransitivelyReduced) {
    WaitsFor waits(5000);
    for (std::uint32_t move = 1; move < waits.size(); ++move) {
        if (move > 2) waits[move].push_back(move / 2);
        waits[move].push_back(move - 1);
    }
    reduce(waits);
    for (std::uint32_t move = 1; move < waits.size(); ++move)
        ASSERT_EQ(waits[move], std::vector<std::uint32_t>{move - 1});
}

TEST(WaitsForMoves, GiveTimesOfASharedRateAndABoundOnThem) {
    Problem problem = reassign_problem({0, 0, 0}, {60, 20, 10}, 3);
    problem.copied = 1;
    problem.at_once = 1;
    problem.gives_a_second = {10, 10, 10};
    problem.takes_a_second = {10, 5, 10};
    const std::vector<Move> moves = {{0, 0, 0, 1}, {1, 1, 0, 2}, {2, 2, 0, 1}};
    const PartialOrder order = partial_order(problem, moves, {});
    EXPECT_EQ(order.ends, (std::vector<double>{12, 14, 16}));
    EXPECT_EQ(order.starts, (std::vector<double>{0, 12, 14}));
    EXPECT_EQ(order.seconds(), 16);
    const SecondsBound bound = seconds_at_least(problem, std::vector<MachineId>{1, 2, 1});
    // The last item may go by way of c, and keeps a busy for a second less then.
    EXPECT_EQ(bound.at_least, 15);
    EXPECT_EQ(bound.reason,
              "machine a moves 3 items, at most 1 at once, each at the rate of the slower machine");
    problem.at_once = 0;
    const SecondsBound of_ends = seconds_at_least(problem, std::vector<MachineId>{1, 2, 1});
    EXPECT_EQ(of_ends.at_least, 14);
    EXPECT_EQ(of_ends.reason, "machine b must take 70 of bytes");
}

}  // namespace
}  // namespace equipoise::reassign
