#include <gtest/gtest.h>

#include "tests/support/drawn_structure.hpp"

namespace equipoise::test {
namespace {

/// Figure 1.
std::string figure_1(const std::string& structure) {
    return drawn_structure(structure, "path:n=3", "at:0=4,1=3,2=5");
}

std::string sums(int flow, int cut) {
    return "Blue: a largest flow, " + std::to_string(flow) + ". Orange: a cut of capacity " +
           std::to_string(cut) + ". Numbers are flow/capacity, or flow without limit.";
}

TEST(FlowGraph, HasTheFlowAndTheCutOfFigureOne) {
    const std::string svg = figure_1("flow-graph:steps=2,cut=2");
    EXPECT_TRUE(shows(svg, sums(12, 13)));
    // q, s and seven levels of three nodes.
    EXPECT_EQ(times(svg, "<circle"), 2 + 7 * 3);
    EXPECT_EQ(times(svg, "fill=\"#fbe3d2\""), 4U);
}

TEST(FlowGraph, ASmallestCutHasTheCapacityOfTheFlow) {
    EXPECT_TRUE(shows(figure_1("flow-graph:steps=2"), sums(12, 12)));
    // Nine of the twelve tokens fit.
    EXPECT_TRUE(shows(figure_1("flow-graph:steps=1,most=3"), sums(9, 9)));
    EXPECT_TRUE(shows(figure_1("flow-graph:steps=1,most=3,cut=0+1+2"), sums(9, 3 + 9)));
}

TEST(FlowGraph, RefusesWhatIsTooLargeAndNodesThatAreNotThere) {
    EXPECT_EQ(drawn_structure("flow-graph:steps=2", "path:n=13", "at:0=4"),
              "flow graphs are drawn of networks up to 12 nodes, this one has 13");
    EXPECT_NE(figure_1("flow-graph:steps=9").find("a whole number from 1 to 8"), std::string::npos);
    EXPECT_NE(figure_1("flow-graph").find("steps=: expected"), std::string::npos);
    EXPECT_EQ(figure_1("flow-graph:steps=1,cut=0+7"),
              "cut=: expected the name of a node (\"0\" to \"2\"), or several joined by +, found "
              "\"7\"");
}

}  // namespace
}  // namespace equipoise::test
