#include "equipoise/theory/dimension_exchange.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace {

using namespace equipoise;

TEST(Theorem18Bound, CountsTwoPhasesForEveryTokenOfDiscrepancyAboveOne) {
    EXPECT_EQ(theory::discrepancy_1_steps_bound(22, 2, 3), 2U * 21U * 2U * 3U);
    EXPECT_EQ(theory::discrepancy_1_steps_bound_with_termination(22, 2, 3), 43U * 6U);
}

TEST(Theorem18Bound, IsZeroWhereNothingIsToBeDone) {
    for (const Tokens discrepancy : {0, 1})
        EXPECT_EQ(theory::discrepancy_1_steps_bound(discrepancy, 5, 100), 0U);
    EXPECT_EQ(theory::discrepancy_1_steps_bound_with_termination(0, 5, 100), 500U);
    EXPECT_EQ(theory::discrepancy_1_steps_bound_with_termination(9, 0, 1), 0U);
}

TEST(Theorem18Bound, ThrowsIfItDoesNotFit) {
    EXPECT_THROW(static_cast<void>(theory::discrepancy_1_steps_bound(
                     std::numeric_limits<Tokens>::max(), 1000, 1000)),
                 OverflowError);
}

TEST(Threshold1PlusCalmSteps, AreARoundANodeOnTreesAndRoundsForEveryTwoCyclesElsewhere) {
    EXPECT_EQ(theory::threshold_1_plus_calm_steps(9, 2, true), 18U);
    EXPECT_EQ(theory::threshold_1_plus_calm_steps(3, 3, false), 9U);
    EXPECT_EQ(theory::threshold_1_plus_calm_steps(16, 4, false), 256U);
    EXPECT_EQ(theory::threshold_1_plus_calm_steps(std::uint64_t{1} << 32U, 4, false),
              ~std::uint64_t{0});
}

TEST(Theorem5Bound, IsTheDiameter) {
    EXPECT_EQ(theory::threshold_2_discrepancy_bound(17), 17);
    EXPECT_THROW(static_cast<void>(theory::threshold_2_discrepancy_bound(~std::uint64_t{0})),
                 OverflowError);
}

}  // namespace
