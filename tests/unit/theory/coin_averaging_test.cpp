#include "equipoise/theory/coin_averaging.hpp"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(CoinAveragingBounds, KnowWhatOneAveragingTakes) {
    EXPECT_TRUE(averaging_gain(7, 7) == 0);
    EXPECT_TRUE(averaging_gain(7, 8) == 0);
    EXPECT_TRUE(averaging_gain(9, 7) == 2);
    EXPECT_TRUE(averaging_gain(0, 5) == 12);
    EXPECT_TRUE(averaging_gain(tokens_max, 0) == Int128{tokens_max} * tokens_max / 2);
}

TEST(CoinAveragingBounds, ShrinkThePotentialTowardsLinksByEigenvalue) {
    // Complete network of 4: 6 links, l2 = 4; one random link a step.
    EXPECT_DOUBLE_EQ(averaging_potential(90, 6, 1.0 / 6, 4, 0), 91.5);
    EXPECT_DOUBLE_EQ(averaging_potential(90, 6, 1.0 / 6, 4, 1), 61.5);
    EXPECT_NEAR(averaging_potential(90, 6, 1.0 / 6, 4, 1000), 1.5, 1e-9);
    EXPECT_DOUBLE_EQ(matching_probability(1), 1);
    EXPECT_DOUBLE_EQ(matching_probability(4), 1.0 / 7);
}

TEST(CoinAveragingBounds, TellMeansOfAWholeNumberAndAHalf) {
    EXPECT_TRUE(mean_is_half_integer(10, 4));
    EXPECT_FALSE(mean_is_half_integer(12, 4));
    EXPECT_FALSE(mean_is_half_integer(11, 4));
    EXPECT_FALSE(mean_is_half_integer(0, 4));
    EXPECT_TRUE(mean_is_half_integer(3, 2));
}

TEST(CoinAveragingBounds, CountTheStepsOfRandomPairs) {
    // Loads 10 0 0 0: n Phi = 4 * 100 - 100, Phi - n / 4 = 74.
    EXPECT_EQ(random_pairs_steps(4, 300, 0.01),
              static_cast<std::uint64_t>(std::ceil(3 * std::log(74 / 0.02))));
    EXPECT_GT(random_pairs_steps(4, 300, 0.01), random_pairs_steps(4, 300, 0.5));
    // Loads 3 3 2 2 are level.
    EXPECT_EQ(random_pairs_steps(4, 4 * 26 - 100, 0.01), 0U);
}

}  // namespace
}  // namespace equipoise::theory
