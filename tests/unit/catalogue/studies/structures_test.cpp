#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::catalogue {
namespace {

std::string drawn(const std::string& spec, const std::string& network, const std::string& loads) {
    const network::AnyNetwork made = network::generate(network, 0);
    const NetworkFacts facts(made);
    return structure_svg(spec, {.facts = facts, .given_loads = {.text = loads}});
}

std::string drawn_with(const std::string& spec, const std::string& network,
                       const std::string& loads, const std::string& matchings) {
    const network::AnyNetwork made = network::generate(network, 0);
    const NetworkFacts facts(made);
    return structure_svg(
        spec,
        {.facts = facts, .given_loads = {.text = loads}, .given_matchings = {.text = matchings}});
}

std::string refusal(const std::string& spec, const std::string& network, const std::string& loads) {
    try {
        static_cast<void>(drawn(spec, network, loads));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Structures, ExamplesOfTheListHaveTheirNames) {
    for (const Structure& structure : structures())
        EXPECT_TRUE(structure.info.example.starts_with(structure.info.name));
}

TEST(Structures, AnUnknownNameOrKeyIsRefusedWithTheKnownOnes) {
    EXPECT_NE(refusal("lods", "path:n=3", "").find("did you mean \"loads\""), std::string::npos);
    EXPECT_NE(refusal("loads:gap=3", "path:n=3", "spike:tokens=3").find("gap"), std::string::npos);
}

TEST(Structures, LoadsShowTheTokensOfEachNode) {
    const std::string svg = drawn("loads", "path:n=3", "spike:tokens=1234,node=1");
    EXPECT_NE(svg.find(">1,234</text>"), std::string::npos);
    EXPECT_NE(svg.find(">1,234 tokens</text>"), std::string::npos);
    EXPECT_NE(refusal("loads", "path:n=3", "").find("--loads"), std::string::npos);
}

TEST(Structures, MatchingsHaveAPanelEachAndAnArrowForEveryBalancer) {
    const std::string torus = drawn_with("matchings", "torus:4x4", "", "snake");
    for (const char* words : {">4 matchings of torus:4x4, arrows to where odd tokens go</text>",
                              ">all, numbered as they count</text>", ">matching 4</text>"})
        EXPECT_NE(torus.find(words), std::string::npos) << words;
    // 16 of the 32 links lead around the torus and have an arrow at either edge.
    EXPECT_EQ(report::count_of(torus, "<polygon"), 2U * (24 + 2 * 8));
    // A circle of three needs three matchings, each without one node.
    const std::string odd = drawn("matchings", "cycle:n=3", "");
    EXPECT_EQ(report::count_of(odd, ", 1 node left out</text>"), 3U);
    EXPECT_NE(refusal("matchings", "complete:n=50", "").find("at most 40 matchings"),
              std::string::npos);
}

TEST(Structures, ACircuitShowsTheTokensAfterEveryLevel) {
    const std::string svg = drawn("circuit:rounds=2", "cycle:n=4", "spike:tokens=13,node=0");
    // 13 0 0 0, 7 6 0 0, 4 3 3 3, 4 3 3 3, 4 3 3 3.
    EXPECT_EQ(report::count_of(svg, ">13</text>"), 1U);
    EXPECT_EQ(report::count_of(svg, ">7</text>"), 1U);
    EXPECT_EQ(report::count_of(svg, ">4</text>"), 3U);
    EXPECT_EQ(report::count_of(svg, "<polygon"), 8U);
    EXPECT_EQ(report::count_of(drawn("circuit", "cycle:n=4", ""), "<polygon"), 4U);
    EXPECT_NE(drawn_with("circuit", "torus:4x4", "", "snake").find(">4 (node 7)</text>"),
              std::string::npos);
    EXPECT_NE(refusal("circuit:rounds=61", "cycle:n=4", "").find("rounds"), std::string::npos);
    EXPECT_NE(refusal("circuit", "cycle:n=61", "").find("at most 60 nodes"), std::string::npos);
}

TEST(Structures, TheSorterIsDrawnBelowItsCircuitWithTheTurnedBalancersDashed) {
    for (const char* loads : {"at:0=2,1=2,2=1,3=2", "at:5=2,4=2,3=1", "at:0=1,2=2,4=2,5=1"}) {
        const std::string svg = drawn("circuit:rounds=3,sorter=yes", "cycle:n=6", loads);
        EXPECT_NE(svg.find("and its sorter</text>"), std::string::npos);
        EXPECT_GT(report::count_of(svg, "stroke-dasharray=\"4 3\""), 0U) << loads;
    }
    EXPECT_NE(refusal("circuit:sorter=yes", "cycle:n=4", "spike:tokens=3").find("0, 1 and 2"),
              std::string::npos);
    EXPECT_NE(refusal("circuit:sorter=yes", "torus:4x4", "at:0=2").find("almost Hamiltonian"),
              std::string::npos);
    EXPECT_NE(refusal("circuit:sorter=perhaps", "cycle:n=4", "at:0=2").find("yes or no"),
              std::string::npos);
}

}  // namespace
}  // namespace equipoise::catalogue
