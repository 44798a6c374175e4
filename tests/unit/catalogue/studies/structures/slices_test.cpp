#include <gtest/gtest.h>

#include "tests/support/drawn_structure.hpp"

namespace equipoise::test {
namespace {

TEST(Slices, ShowTheTokensThatMeshWeakColours) {
    // Two full rows of 8: at most sqrt(N k) = 40 of the 80 tokens of a row are black.
    const std::string svg = drawn_structure("slices", "mesh:8x8", "corner:tokens=160,block=2x8");
    EXPECT_TRUE(shows(svg, "8 slices of mesh:8x8"));
    EXPECT_TRUE(shows(svg, "N = 160, k = 10"));
    EXPECT_TRUE(shows(svg, "black: at most 40 in a slice"));
    EXPECT_EQ(times(svg, ">10</text>"), 16U + 8U + 8U);
}

TEST(Slices, AreAcrossTheLongestAxis) {
    EXPECT_TRUE(
        shows(drawn_structure("slices", "mesh:2x5x3", "spike:tokens=9"), "5 slices of mesh:2x5x3"));
}

TEST(Slices, NeedAMeshOfTwoAxesThatCanBeDrawn) {
    for (const std::string network : {"path:n=8", "mesh:8", "star:leaves=7"})
        EXPECT_EQ(drawn_structure("slices", network, "spike:tokens=9"),
                  "slices needs a mesh of two axes or more");
    EXPECT_EQ(drawn_structure("slices", "mesh:33x32", "spike:tokens=9"),
              "meshes are drawn up to 1024 cells, this one has more");
    for (const std::string network : {"mesh:2x2x2x2", "hypercube:d=4"})
        EXPECT_EQ(drawn_structure("slices", network, "spike:tokens=9"),
                  "meshes are drawn up to 3 axes, this one has 4");
}

TEST(Slices, AreThoseOfAMeshOnTheHypercube) {
    std::string drawn = drawn_structure("slices", "hypercube:d=3", "spike:tokens=9");
    const std::string origin = "hypercube:d=3";
    EXPECT_EQ(times(drawn, origin), 2U);
    for (std::size_t at = drawn.find(origin); at != std::string::npos; at = drawn.find(origin))
        drawn.replace(at, origin.size(), "mesh:2x2x2");
    EXPECT_EQ(drawn, drawn_structure("slices", "mesh:2x2x2", "spike:tokens=9"));
}

}  // namespace
}  // namespace equipoise::test
