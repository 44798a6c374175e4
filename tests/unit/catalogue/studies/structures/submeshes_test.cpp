#include <gtest/gtest.h>

#include "tests/support/drawn_structure.hpp"

namespace equipoise::test {
namespace {

TEST(Submeshes, GrowFromThePartsOfPhaseTwoToSidesOfTwoDT) {
    // Only the first of four submeshes has tokens: k_S = 9, so its parts are 2 (2dt/9), 4 (2dt/9)
    // and 8 (2dt/9) cells wide, rounded up, then 8.
    const std::string svg = drawn_structure("submeshes:t=2", "mesh:16x16", "spike:tokens=9");
    EXPECT_TRUE(shows(svg, "Phase 2: 19 parts"));
    EXPECT_TRUE(shows(svg, "after pass 1 of Phase 3: 7 parts"));
    EXPECT_TRUE(shows(svg, "after pass 2 of Phase 3: 4 parts"));
    EXPECT_EQ(svg.find("pass 3"), std::string::npos);
    EXPECT_NE(svg.find("submeshes of side 8 or more"), std::string::npos);
}

TEST(Submeshes, AreTheWholeMeshFromSomeRoundOn) {
    const std::string svg = drawn_structure("submeshes:t=64", "mesh:4x4", "even:tokens=16");
    EXPECT_TRUE(shows(svg, "Phase 2: 1 part"));
}

TEST(Submeshes, NeedAMeshAndARound) {
    EXPECT_EQ(drawn_structure("submeshes:t=1", "cycle:n=8", "spike:tokens=9"),
              "submeshes needs a mesh of two cells or more");
    EXPECT_EQ(drawn_structure("submeshes:t=1", "mesh:1x1", "spike:tokens=9"),
              "submeshes needs a mesh of two cells or more");
    EXPECT_NE(drawn_structure("submeshes", "mesh:4x4", "spike:tokens=9").find("t=: expected"),
              std::string::npos);
}

}  // namespace
}  // namespace equipoise::test
