#include "equipoise/theory/deal_agreement.hpp"

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(DealAgreementBounds, AreZeroWhereThereIsNothingToDo) {
    EXPECT_EQ(deal_agreement_1_rounds(1, 0, 100, 0.5), 0U);
    EXPECT_EQ(deal_agreement_1_rounds(5, 2, 0.5, 0.5), 0U);
    EXPECT_EQ(deal_agreement_2_rounds(1, 0, 100), 0U);
    EXPECT_EQ(deal_agreement_2_rounds(5, 2, 1), 0U);
    EXPECT_EQ(deal_agreement_2_rounds_to_twice_the_diameter(1, 0, 100), 0U);
    EXPECT_EQ(deal_agreement_2_rounds_to_twice_the_diameter(5, 2, 3), 0U);
    EXPECT_GT(deal_agreement_2_rounds_to_twice_the_diameter(5, 2, 4), 0U);
    EXPECT_EQ(deal_agreement_3_rounds(5, 0), 0U);
    EXPECT_EQ(deal_rounds_by_potential(0, 5), 0U);
}

TEST(DealAgreementBounds, PotentialBoundIsOneRoundForOneLinkWithTwoTokens) {
    // loads (2, 0): n sum x^2 - T^2 = 2 * 4 - 4 = 4, Phi = 2, one round.
    EXPECT_EQ(deal_rounds_by_potential(4, 2), 1U);
    EXPECT_EQ(deal_agreement_3_rounds(2, 2), 1U);
}

TEST(DealAgreementBounds, GrowWithEveryArgument) {
    EXPECT_LT(deal_agreement_2_rounds(10, 3, 50), deal_agreement_2_rounds(11, 3, 50));
    EXPECT_LT(deal_agreement_2_rounds(10, 3, 50), deal_agreement_2_rounds(10, 3, 100));
    EXPECT_LT(deal_agreement_1_rounds(10, 3, 50, 1), deal_agreement_1_rounds(10, 3, 50, 0.5));
}

TEST(DealAgreementBounds, SaturateInsteadOfOverflowing) {
    EXPECT_EQ(deal_agreement_3_rounds(~std::uint64_t{0}, tokens_max), ~std::uint64_t{0});
    EXPECT_EQ(deal_agreement_3_rounds(8, tokens_max), ~std::uint64_t{0});
    EXPECT_EQ(deal_rounds_by_potential(Int128{1} << 100, 2), ~std::uint64_t{0});
}

}  // namespace
}  // namespace equipoise::theory
