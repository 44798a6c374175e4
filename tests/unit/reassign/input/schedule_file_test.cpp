#include "equipoise/reassign/input/schedule_file.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

ReadMoves read(const std::string& text, const Problem& problem) {
    std::istringstream stream(text);
    LineSource source(stream, "moves.csv");
    return read_moves(source, problem);
}

TEST(ReassignSchedules, AreReadAsTheyAreWritten) {
    Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    problem.thing.push_back(problem.things.number_of("a \"b\", c"));
    problem.places.push_back(2);
    const std::vector<Move> moves = {{0, 2, 2, 0}, {0, 1, 1, 2}, {3, 2, 0, 1}};
    const std::string text = moves_text(problem, moves);
    EXPECT_EQ(text,
              "wave,item,from,to\n0,\"a \"\"b\"\", c\",c,a\n0,i1,b,c\n3,\"a \"\"b\"\", c\",a,b\n");
    const ReadMoves again = read(text, problem);
    EXPECT_EQ(again.moves, moves);
    EXPECT_EQ(again.lines, (std::vector<std::uint64_t>{2, 3, 4}));
    EXPECT_TRUE(again.fault.empty());
}

TEST(ReassignSchedules, WithoutBarriersAreReadAsTheyAreWritten) {
    const Problem problem = test::reassign_problem({0, 1, 0}, {5, 6, 7}, 3);
    const std::vector<Move> moves = {{0, 0, 0, 1}, {0, 1, 1, 2}, {1, 2, 0, 1}};
    const WaitsFor waits = {{}, {}, {0, 1}};
    const std::vector<double> starts = {0, 0, 2.5};
    const std::vector<double> ends = {2.5, 1, 4};
    const std::string text = waits_text(problem, moves, waits, starts, ends);
    EXPECT_EQ(text,
              "wave,item,from,to,move,waits_for,starts,ends\n0,i0,a,b,0,,0,2.5\n"
              "0,i1,b,c,1,,0,1\n1,i2,a,b,2,0 1,2.5,4\n");
    const ReadMoves again = read(text, problem);
    EXPECT_EQ(again.moves, moves);
    EXPECT_EQ(again.waits_for, waits);
    EXPECT_FALSE(read(moves_text(problem, moves), problem).waits_for);
    EXPECT_EQ(waits_text(problem, {}, {}, {}, {}),
              "wave,item,from,to,move,waits_for,starts,ends\n");
}

TEST(ReassignSchedules, WithoutBarriersMayNumberMovesAsTheyLikeAndLeaveOutThoseThatAreDone) {
    const Problem problem = test::reassign_problem({0, 1, 0}, {5, 6, 7}, 3);
    const std::string header = "wave,item,from,to,move,waits_for,starts,ends\n";
    const ReadMoves some = read(header + "0,i1,b,c,12,9 30 9,,\n1,i2,a,b,30,,,\n", problem);
    EXPECT_EQ(some.waits_for, (WaitsFor{{1}, {}}));
    EXPECT_EQ(test::thrown_by([&] { (void)read(header + "0,i1,b,c,1,x,,\n", problem); }),
              "input: moves.csv:2: expected the number of a move, found \"x\"");
    const std::string twice = header + "0,i1,b,c,1,,,\n1,i2,a,b,1,,,\n";
    EXPECT_EQ(test::thrown_by([&] { (void)read(twice, problem); }),
              "input: moves.csv:3: expected a number that no move before it has, found \"1\"");
}

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

TEST(ReassignSchedules, CopiesThatAreMadeAndDroppedHaveNoFromAndNoTo) {
    const Instance instance = with_copies();
    const std::vector<Move> moves = {{0, 2, 3, 1}, {1, 1, 1, 2}};
    const std::string text = moves_text(instance.problem, moves, {}, instance.dropped);
    EXPECT_EQ(text, "wave,item,from,to\n0,i0,c,\n0,i0,,b\n1,i1,b,c\n");
    const ReadMoves again = read(text, instance.problem);
    EXPECT_EQ(again.moves, moves);
    ASSERT_EQ(again.drops.size(), 1U);
    EXPECT_EQ(again.drops[0].thing, 0U);
    EXPECT_EQ(again.drops[0].from, 2U);
    EXPECT_EQ(again.drops[0].line, 2U);
}

TEST(ReassignSchedules, EachCopyOfAThingThatIsMadeIsAnItemOfItsOwn) {
    Instance instance = with_copies();
    Problem& problem = instance.problem;
    problem.thing = {0, 0, 0};
    problem.places = {0, 3, 3};
    const ReadMoves made = read("wave,item,from,to\n0,i0,,b\n1,i0,,c\n2,i0,b,a\n", problem);
    EXPECT_EQ(made.moves, (std::vector<Move>{{0, 1, 3, 1}, {1, 2, 3, 2}, {2, 1, 1, 0}}));
    const ReadMoves more = read("wave,item,from,to\n0,i0,,b\n0,i0,,c\n1,i0,,a\n", problem);
    EXPECT_EQ(more.moves.size(), 2U);
    EXPECT_EQ(more.fault_line, 4U);
    EXPECT_EQ(more.fault, "no copy of item i0 is to be made in wave 1");
}

TEST(ReassignSchedules, TheWayBackUndoesEveryMove) {
    Problem problem = test::reassign_problem({0, 1, 2}, {5, 6, 7}, 3);
    const std::vector<Move> moves = {{1, 0, 0, 1}, {1, 1, 1, 2}, {4, 0, 1, 2}};
    const std::vector<Move> back = {{0, 0, 2, 1}, {1, 0, 1, 0}, {1, 1, 2, 1}};
    EXPECT_EQ(way_back(moves), back);
    EXPECT_TRUE(way_back({}).empty());
    const std::vector<MachineId> places = problem.places;
    carry_out(problem, moves);
    EXPECT_EQ(problem.places, (std::vector<MachineId>{2, 2, 2}));
    carry_out(problem, way_back(moves));
    EXPECT_EQ(problem.places, places);
}

/// i0 has copies on a and b, of which the first one leads.
Problem led_thing() {
    Problem problem = test::reassign_problem({0}, {5}, 3);
    problem.thing.push_back(0);
    problem.places.push_back(1);
    problem.leads = {true, false};
    return problem;
}

TEST(ReassignSchedules, HoldChangesOfLeadersAfterTheMoves) {
    Problem problem = led_thing();
    const std::vector<Move> moves = {{0, 0, 0, 2}};
    const std::vector<LeaderChange> leaders = {{0, 0, 1}};
    const std::string text = moves_text(problem, moves, leaders);
    EXPECT_EQ(text, "wave,item,from,to\n0,i0,a,c\nleaders,i0,c,b\n");
    EXPECT_EQ(leaders_text(problem, moves, leaders), "item,from,to\ni0,c,b\n");
    const ReadMoves again = read(text, problem);
    EXPECT_EQ(again.moves, moves);
    EXPECT_EQ(again.leaders, leaders);
    EXPECT_EQ(again.leader_lines, (std::vector<std::uint64_t>{3}));
    EXPECT_EQ(again.fault, "");
    const std::string back = moves_text(problem, way_back(moves), leaders_back(leaders));
    EXPECT_EQ(back, "wave,item,from,to\n0,i0,c,a\nleaders,i0,b,a\n");
    carry_out(problem, moves, leaders);
    EXPECT_EQ(problem.leads, (std::vector<bool>{false, true}));
    const ReadMoves way = read(back, problem);
    EXPECT_EQ(way.fault, "");
    carry_out(problem, way.moves, way.leaders);
    EXPECT_EQ(problem.leads, (std::vector<bool>{true, false}));
    EXPECT_EQ(problem.places, (std::vector<MachineId>{0, 1}));
}

TEST(ReassignSchedules, OfLeadersThatNobodyWasSayNothingInTheirPlace) {
    Problem problem = led_thing();
    problem.leads.clear();
    const std::vector<LeaderChange> leaders = {{0, no_item, 1}};
    EXPECT_EQ(leaders_text(problem, {}, leaders), "item,from,to\ni0,,b\n");
    EXPECT_EQ(read(moves_text(problem, {}, leaders), problem).leaders, leaders);
    EXPECT_TRUE(leaders_back(leaders).empty());
    carry_out(problem, {}, leaders);
    EXPECT_EQ(problem.leads, (std::vector<bool>{false, true}));
}

TEST(ReassignSchedules, LeadersOnMachinesWithoutTheItemAreAFaultAfterAllMoves) {
    const Problem problem = led_thing();
    const ReadMoves found = read("wave,item,from,to\n0,i0,a,c\nleaders,i0,a,b\n", problem);
    EXPECT_EQ(found.fault, "machine a does not hold item i0 after the last wave");
    EXPECT_EQ(found.fault_line, 3U);
    EXPECT_EQ(found.moves.size(), 1U);
    EXPECT_GT(found.fault_wave, found.moves.front().wave);
}

TEST(ReassignSchedules, AMoveFromWhereTheItemIsNotEndsTheList) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    const ReadMoves found = read("wave,item,from,to\n0,i0,a,b\n2,i1,c,a\n3,i0,b,c\n", problem);
    EXPECT_EQ(found.moves.size(), 1U);
    EXPECT_EQ(found.fault, "machine c does not hold item i1 in wave 2");
    EXPECT_EQ(found.fault_line, 3U);
    EXPECT_EQ(found.fault_wave, 2U);
    const auto error = [&](const std::string& line) {
        return test::thrown_by(
            [&] { static_cast<void>(read("wave,item,from,to\n" + line, problem)); });
    };
    EXPECT_EQ(error("0,i9,a,b\n"),
              "input: moves.csv:2: expected an item of the file of items, found \"i9\"");
    EXPECT_EQ(error("0,i0,a,z\n"),
              "input: moves.csv:2: expected a machine of the file of items or of --machines, found "
              "\"z\"");
}

}  // namespace
}  // namespace equipoise::reassign
