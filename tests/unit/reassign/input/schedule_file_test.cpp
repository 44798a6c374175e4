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
