#include "equipoise/theory/changing_networks.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(ChangingNetworks, BoundsAreThoseOfTheProofs) {
    // Loads 2, 1, 1, 0: n Phi = 4 * 6 - 16 = 8.
    EXPECT_DOUBLE_EQ(max_neighbor_steep_rounds(8, 4), 4);
    EXPECT_DOUBLE_EQ(smoothed_meeting(4, 0.5), 1.0 / 6);
    EXPECT_DOUBLE_EQ(smoothed_meeting(4, 7), 1.0 / 3);
    EXPECT_DOUBLE_EQ(smoothed_meeting(2, 1), 1);
    // 9 * 4 / (16 * 1/3 * 1/4) * ln(2 / 1) = 18.71...
    EXPECT_EQ(smoothed_rounds(4, 8, 1, 0.25, 0.5), 19U);
    EXPECT_EQ(smoothed_rounds(4, 0, 1, 0.25, 0.5), 0U);
    EXPECT_EQ(smoothed_rounds(4, 8, 1e-300, 0.25, 0.5), ~std::uint64_t{0});
}

}  // namespace
}  // namespace equipoise::theory
