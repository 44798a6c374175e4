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

TEST(CoinAveragingBounds, CountTheStepsToADiscrepancyOfTwo) {
    EXPECT_EQ(averaging_steps_to_two(8, 2, 0.1, 1, 0.5), 0U);
    // Phases of ceil(20 ln(6 sqrt(8))) = 57 steps, as many as 8 (7/8)^phases <= 1/400 needs.
    const double phases = std::ceil(std::log(8 / 0.0025) / std::log(8.0 / 7));
    EXPECT_LE(8 * std::pow(7.0 / 8, phases), 0.0025);
    EXPECT_GT(8 * std::pow(7.0 / 8, phases - 1), 0.0025);
    EXPECT_EQ(averaging_steps_to_two(8, 3, 0.1, 1, 0.0025),
              static_cast<std::uint64_t>(phases) * 57);
    EXPECT_EQ(averaging_steps_to_two(8, 6, 0.1, 1, 0.01),
              4 * static_cast<std::uint64_t>(phases) * 57);
}

TEST(CoinAveragingBounds, EncloseTheChanceOfThreeAfterRandomPairs) {
    EXPECT_DOUBLE_EQ(random_pairs_leave_three(4, 0).most, 4);
    EXPECT_DOUBLE_EQ(random_pairs_leave_three(4, 0).least, 16.0 / (4 + 8 + 4));
    EXPECT_DOUBLE_EQ(random_pairs_leave_three(4, 2).most, 1);
    EXPECT_DOUBLE_EQ(random_pairs_leave_three(5, 0).most, 4);
    EXPECT_DOUBLE_EQ(random_pairs_leave_three(5, 0).least, 16.0 / (4 + 8 + 4));
    for (const std::uint64_t nodes : {1'000'000U, 1'000'001U}) {
        const auto n = static_cast<double>(nodes);
        const auto at_spectral_time =
            random_pairs_leave_three(nodes, static_cast<std::uint64_t>((n - 1) * std::log(3 * n)));
        EXPECT_NEAR(at_spectral_time.most, 1.0 / 36, 1e-5);
        EXPECT_NEAR(at_spectral_time.least, 1.0 / 49, 1e-5);
    }
}

TEST(CoinAveragingBounds, SayWhatArrivalsLeaveOnCyclesAndWhatWholeTokensAdd) {
    EXPECT_EQ(coin_adds_to_discrepancy(1), 0);
    EXPECT_NEAR(coin_adds_to_discrepancy(1024), 5.266, 0.001);
    EXPECT_DOUBLE_EQ(arrivals_square(3, 1), 1.0 / 3);
    EXPECT_DOUBLE_EQ(arrivals_square(1024, 512), 256 - 1.0 / 1024);
    EXPECT_DOUBLE_EQ(arrivals_square(10, 3), arrivals_square(10, 7));
}

TEST(CoinAveragingBounds, KnowTheDecayOnTreesAndTheCutoffOnRandomRegularNetworks) {
    EXPECT_DOUBLE_EQ(averaging_decay(5), 1);
    EXPECT_DOUBLE_EQ(averaging_decay(10), 4);
    EXPECT_NEAR(averaging_decay(10), (10 + 3 + std::sqrt(9.0)) / 4, 1e-12);  // both formulas
    for (const std::uint64_t degree : {11U, 20U, 100U})
        EXPECT_LT(averaging_decay(degree),
                  static_cast<double>(degree) - 2 * std::sqrt(static_cast<double>(degree) - 1));
    EXPECT_DOUBLE_EQ(averaging_cutoff(1024, 5), 2560 * std::log(1024.0));
}

}  // namespace
}  // namespace equipoise::theory
