#include "equipoise/report/pictures/network_panels.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

TEST(NetworkPanels, AllNodesAndLinksAreInEachPanel) {
    NetworkPanels panels = panels_of(network::generate("cycle:n=5", 0), "a cycle");
    panels.panels.assign(2, plain_panel(panels, "now"));
    const std::string svg = panels_svg(panels);
    EXPECT_EQ(count_of(svg, "<circle"), 10U);
    EXPECT_EQ(count_of(svg, "<line"), 10U);
    EXPECT_EQ(count_of(svg, ">now<"), 2U);
    EXPECT_EQ(count_of(svg, ">4</text>"), 1U);  // names in the first panel only
}

TEST(NetworkPanels, MarksAndWordsAreDrawnWithTheirMeaning) {
    NetworkPanels panels = panels_of(network::generate("path:n=3", 0), "a path");
    panels.meanings = {{"#123456", "chosen"}};
    Panel panel = plain_panel(panels, "");
    panel.nodes[1].ring = "#123456";
    panel.nodes[2].beside = "end";
    panel.links[0].words = "first";
    panel.links[1].dashed = true;
    panel.arrows.push_back({.from = 0, .to = 1, .words = "7", .dashed = true});
    panels.panels.push_back(panel);
    const std::string svg = panels_svg(panels);
    EXPECT_EQ(count_of(svg, "#123456"), 2U);
    for (const char* words : {">chosen<", ">end<", ">first<", ">7<"})
        EXPECT_EQ(count_of(svg, words), 1U) << words;
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 2U);
}

TEST(NetworkPanels, ADarkerNodeHasMoreTokensAndLoadsBelowZeroAreShadedApart) {
    EXPECT_DOUBLE_EQ(load_shade(0, 9), 0);
    EXPECT_DOUBLE_EQ(load_shade(9, 9), 1);
    EXPECT_LT(load_shade(4, 9), load_shade(5, 9));
    EXPECT_DOUBLE_EQ(load_shade(-9, 9), -1);
    EXPECT_DOUBLE_EQ(load_shade(5, 0), 0);
}

TEST(NetworkPanels, RefusesNetworksTooLargeForNodesWithNumbers) {
    const NetworkPanels panels =
        panels_of(network::generate("path:n=" + std::to_string(panel_nodes_max + 1), 0), "large");
    EXPECT_THROW(static_cast<void>(panels_svg(panels)), InputError);
}

}  // namespace
}  // namespace equipoise::report
