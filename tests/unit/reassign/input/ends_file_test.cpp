#include "equipoise/reassign/input/ends_file.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

/// i0 and i1 have copies on a and b.
Problem on_a_and_b() {
    Problem problem = test::reassign_problem({0, 0}, {1, 1}, 3);
    test::add_copies(problem, {1, 1});
    return problem;
}

AskedEnds ends_in(const std::string& text, const Problem& problem) {
    std::istringstream stream(text);
    LineSource source(stream, "target.csv");
    return read_ends(source, problem);
}

TEST(ReassignEnds, AreReadInAnyOrderOfColumnsAndLines) {
    Problem problem = on_a_and_b();
    const AskedEnds asked = ends_in("broker;leader;item\nb;no;i1\nc;yes;i1\n", problem);
    EXPECT_EQ(asked.machines, (load::EndsByThing{{}, {2, 1}}));
    EXPECT_EQ(asked.leads, (std::vector<bool>{false, true}));
    problem.level.push_back({0});
    set_given_ends(asked, "target.csv", problem);
    EXPECT_EQ(problem.given_ends, (std::vector<MachineId>{0, 2, 1, 1}));
    EXPECT_EQ(problem.given_leaders, (std::vector<ItemId>{no_item, 1}));
    EXPECT_TRUE(problem.level.empty());
    problem.check();
}

TEST(ReassignEnds, WithoutAColumnOfLeadersSayNothingOfThem) {
    Problem problem = on_a_and_b();
    set_given_ends(ends_in("item,machine\ni0,b\ni0,c\n", problem), "target.csv", problem);
    EXPECT_EQ(problem.given_ends, (std::vector<MachineId>{2, 0, 1, 1}));
    EXPECT_EQ(problem.given_leaders, (std::vector<ItemId>{no_item, no_item}));
}

TEST(ReassignEnds, OfWrongFilesNameTheLine) {
    Problem problem = on_a_and_b();
    const auto fault = [&](const std::string& text) {
        return test::thrown_by(
            [&] { set_given_ends(ends_in(text, problem), "target.csv", problem); });
    };
    EXPECT_EQ(fault("item,machine\ni7,b\n"),
              "input: target.csv:2: expected an item of the file of items, found \"i7\"");
    EXPECT_EQ(
        fault("item,machine\ni0,z\n"),
        "input: target.csv:2: expected a machine of the file of items or of --machines, found "
        "\"z\"");
    EXPECT_EQ(fault("item,machine\ni0,b\ni0,b\n"),
              "input: target.csv:3: item \"i0\" is listed twice on machine \"b\"");
    EXPECT_EQ(fault("item,machine,leader\ni0,b,yes\ni0,a,yes\n"),
              "input: target.csv:3: expected one leader of item \"i0\", found a second one");
    EXPECT_EQ(
        fault("item,machine,leader\ni0,b,b\n"),
        "input: target.csv:2: expected yes or no (also true, false, 1, 0 or nothing) in column "
        "\"leader\", found \"b\"");
    EXPECT_EQ(fault("item,machine\ni0,b\n"),
              "input: target.csv: expected item \"i0\" on as many machines as now, 2, found 1");
}

}  // namespace
}  // namespace equipoise::reassign
