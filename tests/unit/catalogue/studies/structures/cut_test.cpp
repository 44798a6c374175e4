#include <gtest/gtest.h>

#include "tests/support/drawn_structure.hpp"

namespace equipoise::test {
namespace {

const std::string ringed = "fill=\"none\" stroke=\"#d55e00\"";
const std::string matched = "stroke=\"#009e73\" stroke-width=\"5\"";

TEST(Cut, ShowsTheSetOfTheoremOneWithItsMatching) {
    const std::string svg = drawn_structure("cut", "path:n=4", "at:0=5,1=3");
    EXPECT_TRUE(shows(svg, "Theorem 1: 4 / 1, at least 4 steps"));
    EXPECT_EQ(times(svg, ringed), 2U);
    EXPECT_EQ(times(svg, matched), 1U);
}

TEST(Cut, ShowsHowZonesGrowWhereTheSetIsNotEnough) {
    // The smallest network on which Theorem 1's bound is too low.
    const std::string loads = "at:2=3,4=3";
    const std::string svg = drawn_structure("cut:target=exact:0", "spider:2x2x1", loads);
    EXPECT_TRUE(shows(svg, "3 steps to level spider:2x2x1"));
    EXPECT_TRUE(shows(svg, "Theorem 1: 2 / 1, at least 2 steps"));
    EXPECT_TRUE(shows(svg, "step 1: nothing can leave"));
    EXPECT_TRUE(shows(svg, "step 2: at most 1 a step"));
    EXPECT_TRUE(shows(svg, "in 2 steps 1 of 2 tokens can leave"));
    const std::string alone = drawn_structure("cut:target=exact:0,zones=no", "spider:2x2x1", loads);
    EXPECT_EQ(alone.find("step 1:"), std::string::npos);
    EXPECT_TRUE(shows(alone, "Theorem 1: 2 / 1, at least 2 steps"));
}

TEST(Cut, LevelLoadsHaveNone) {
    const std::string svg = drawn_structure("cut", "path:n=3", "at:others=2");
    EXPECT_TRUE(shows(svg, "no set has too many tokens"));
    EXPECT_EQ(times(svg, ringed), 0U);
}

TEST(Cut, RefusesOtherWords) {
    EXPECT_EQ(drawn_structure("cut:zones=some", "path:n=3", "at:1=3"),
              "spec 'cut:zones=some': zones=: expected yes or no, found \"some\"");
    EXPECT_NE(drawn_structure("cut:target=even", "path:n=3", "at:1=3").find("exact:DELTA"),
              std::string::npos);
}

}  // namespace
}  // namespace equipoise::test
