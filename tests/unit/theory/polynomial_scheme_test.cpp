#include "equipoise/theory/polynomial_scheme.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(ImitatedDiscrepancy, IsHalfTheTwoLargestDegreesAndTheSpread) {
    EXPECT_EQ(imitated_discrepancy(4, 4, 0), 4);
    EXPECT_EQ(imitated_discrepancy(9, 1, 0.001), 5);
    EXPECT_EQ(imitated_discrepancy(4, 3, 0.4), 3);
    EXPECT_EQ(imitated_discrepancy(4, 3, 0.6), 4);
    EXPECT_EQ(imitated_discrepancy(2, 2, 1e300), tokens_max);
}

TEST(LogFactor, IsAtLeastTheFactorAnywhereInTheEnclosure) {
    for (const double root : {0.3, 1.0, 7.0})
        for (const Enclosure e : {Enclosure{0.1, 0.2}, {0.2, 0.5}, {0.9, 1.1}, {3, 12}})
            for (int i = 0; i <= 10; ++i) {
                const double value = e.least + (e.most - e.least) * i / 10;
                EXPECT_GE(std::exp(log_factor(e, root)) * (1 + 1e-15), std::abs(1 - value / root));
            }
}

TEST(ProductBound, IsThatOfThreeEigenvaluesByHand) {
    // Descending 4, 2, 1: products 3/4 and 1/2 of 1, 1/2 of 2; after them 0.
    const std::vector<Enclosure> eigenvalues{{1, 1}, {2, 2}, {4, 4}};
    const ProductBound bound = product_bound(eigenvalues, std::vector<double>{4, 2, 1});
    EXPECT_NEAR(bound.growth, 0, 1e-12);
    EXPECT_LT(bound.residual, std::log(1e-14));
    // After the last round 1; before it the root 1 acts: |1 - 4|; before that 2 and 1: 1 * 3.
    EXPECT_NEAR(std::exp(bound.noise), 1 + 3 + 3, 1e-9);
    // 1/4 of all; then at most 3/4 over 2; then at most 3/8 over 1.
    EXPECT_NEAR(std::exp(bound.flow), 0.375, 1e-9);
    const ProductBound up = product_bound(eigenvalues, std::vector<double>{1, 2, 4});
    EXPECT_NEAR(std::exp(up.growth), 3, 1e-9);
}

TEST(Chebyshev, RoundsAreTheFewestThatLeaveSoMuch) {
    for (const auto& [least, most] : {std::pair{1.0, 4.0}, {0.01, 8.0}, {2.0, 2.0}}) {
        const double rate = chebyshev_rate(least, most);
        for (const double residual : {0.5, 1e-3, 1e-9}) {
            const std::uint64_t rounds = chebyshev_rounds(rate, residual);
            EXPECT_LE(chebyshev_residual(rate, rounds), residual * (1 + 1e-9));
            if (rounds > 1) {
                EXPECT_GT(chebyshev_residual(rate, rounds - 1), residual);
            }
        }
    }
    EXPECT_EQ(chebyshev_rounds(0.5, 1), 0U);
}

}  // namespace
}  // namespace equipoise::theory
