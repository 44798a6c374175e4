#include "equipoise/report/pictures/circuit_drawing.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

DrawnCircuit small() {
    DrawnCircuit circuit;
    circuit.caption = "three wires";
    circuit.wires = {"0", "1", "2"};
    circuit.levels = {{{0, 1, false}}, {{0, 2, true}, {1, 2, false}}};
    circuit.round = 2;
    return circuit;
}

TEST(CircuitDrawing, EveryWireHasItsNameAndEveryBalancerItsArrow) {
    const std::string svg = circuit_svg("a circuit", std::array{small()}, {});
    for (const char* text : {">a circuit</text>", ">three wires</text>", ">0</text>", ">2</text>"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_EQ(count_of(svg, "<polygon"), 3U);
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 1U);
    EXPECT_EQ(svg.find("round 1"), std::string::npos);
}

TEST(CircuitDrawing, SeveralRoundsAreNumbered) {
    DrawnCircuit circuit = small();
    circuit.levels.push_back(circuit.levels.front());
    const std::string svg = circuit_svg("a circuit", std::array{circuit}, {});
    EXPECT_NE(svg.find(">round 1</text>"), std::string::npos);
    EXPECT_NE(svg.find(">round 2</text>"), std::string::npos);
}

TEST(CircuitDrawing, TokensStandOnTheirWires) {
    DrawnCircuit circuit = small();
    circuit.tokens = {{{"13"}, {"", 1, 1}, {}}, {{"7"}, {}, {}}, {{"8"}, {}, {}}};
    const std::string without = circuit_svg("a circuit", std::array{small()}, {});
    const std::string svg = circuit_svg("a circuit", std::array{circuit}, {});
    EXPECT_NE(svg.find(">13</text>"), std::string::npos);
    EXPECT_EQ(count_of(svg, "<circle"), count_of(without, "<circle") + 2);
}

}  // namespace
}  // namespace equipoise::report
