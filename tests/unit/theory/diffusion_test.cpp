#include "equipoise/theory/diffusion.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(DiffusionBounds, AreZeroWhereThereIsNothingToDo) {
    EXPECT_EQ(idealised_smoothing_rounds(10, 1, 0.5, 1), 0U);
    EXPECT_EQ(idealised_smoothing_rounds(1, 100, 0.5, 1), 0U);
    EXPECT_EQ(counting_rounds(10, 0), 0U);
    EXPECT_EQ(local_divergence_bound(1, 0, 1, true), 0.0);
}

TEST(DiffusionBounds, LetTheIdealisedProcessShrinkToTheWantedSmoothness) {
    // ||xi_t - pi|| <= K N^2 (1 - mu)^t: the bound must push the right-hand side to l / 2 or less.
    for (const double gap : {0.9, 0.1, 0.001}) {
        const auto rounds = idealised_smoothing_rounds(100, 1000, gap, 1);
        EXPECT_LE(1000.0 * 100 * 100 * std::pow(1 - gap, static_cast<double>(rounds)), 1.0);
    }
}

TEST(DiffusionBounds, TokenDiscrepancyDoesNotLoseATokenToRounding) {
    // The complete graph K_n: Psi = n - 1, deviation (n-1)/n (n-1).
    EXPECT_EQ(token_discrepancy(1, 3.0), 7);
    EXPECT_EQ(token_discrepancy(1, 3.0 - 1e-13), 7);
    EXPECT_EQ(token_discrepancy(1, 2.9), 6);
    EXPECT_EQ(token_discrepancy(1, 1e300), tokens_max);
}

TEST(DiffusionBounds, SharpeningsStayBelowThePrintedBound) {
    EXPECT_EQ(diffusion_deviation(10, 5), 8);  // roundings up to 4/5
    EXPECT_LT(circuit_deviation(10), 10);
}

TEST(DiffusionBounds, CountingTakesTwoNRoundsAToken) {
    EXPECT_EQ(counting_rounds(8, 1), 8U);
    EXPECT_EQ(counting_rounds(8, 2), 16U);
    EXPECT_EQ(counting_rounds(8, 5), 64U);
    EXPECT_EQ(counting_rounds(~std::uint64_t{0}, tokens_max), ~std::uint64_t{0});
}

TEST(DiffusionBounds, CountingAfterSmoothingDependsOnTheLogarithmOfTheDiscrepancy) {
    // (2 / 0.5) ln(100 * 64) = 35.06, then 2 * 8 * (5 - 1) for the discrepancy floor(1 + 2 * 2).
    EXPECT_EQ(counting_rounds_after_smoothing(8, 100, 0.5, 2), 36U + 64U);
    EXPECT_EQ(counting_rounds_after_smoothing(8, 1, 0.5, 2), 64U);
    EXPECT_EQ(counting_rounds_after_smoothing(~std::uint64_t{0}, 9, 1e-300, 1e300),
              ~std::uint64_t{0});
}

}  // namespace
}  // namespace equipoise::theory
