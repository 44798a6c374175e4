#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

std::string drawn(const std::string& spec, const std::string& network, const std::string& loads) {
    const network::AnyNetwork made = network::generate(network, 0);
    const NetworkFacts facts(made);
    return structure_svg(spec, {.facts = facts, .given_loads = {.text = loads}});
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

}  // namespace
}  // namespace equipoise::catalogue
