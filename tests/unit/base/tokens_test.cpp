#include "equipoise/base/tokens.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

constexpr Tokens largest = std::numeric_limits<Tokens>::max();
constexpr Tokens smallest = std::numeric_limits<Tokens>::min();

TEST(CheckedArithmetic, AddsAndMultipliesUpToTheEdges) {
    EXPECT_EQ(checked_add(largest - 1, Tokens{1}), largest);
    EXPECT_EQ(checked_add(smallest + 1, Tokens{-1}), smallest);
    EXPECT_EQ(checked_multiply(Tokens{1} << 31, Tokens{1} << 31), Tokens{1} << 62);
    EXPECT_EQ(checked_multiply(Tokens{-1} << 31, Tokens{1} << 32), smallest);
}

TEST(CheckedArithmetic, RefusesToOverflow) {
    EXPECT_THROW((void)checked_add(largest, Tokens{1}), OverflowError);
    EXPECT_THROW((void)checked_add(smallest, Tokens{-1}), OverflowError);
    EXPECT_THROW((void)checked_multiply(Tokens{1} << 32, Tokens{1} << 31), OverflowError);
    EXPECT_THROW((void)checked_multiply(smallest, Tokens{-1}), OverflowError);
}

TEST(CheckedArithmetic, RefusesToOverflow128Bits) {
    const Int128 half = Int128{1} << 126U;
    EXPECT_TRUE(checked_add(half, half - 1) == half + (half - 1));
    EXPECT_THROW((void)checked_add(half, half), OverflowError);
    EXPECT_THROW((void)checked_multiply(half, Int128{2}), OverflowError);
    EXPECT_TRUE(checked_multiply(half, Int128{1}) == half);
}

TEST(RoundedDivision, IsFloorAndCeilingForBothSigns) {
    for (Tokens dividend = -20; dividend <= 20; ++dividend) {
        for (Tokens divisor = 1; divisor <= 6; ++divisor) {
            const Tokens floor = floor_divide(dividend, divisor);
            const Tokens ceiling = ceil_divide(dividend, divisor);
            EXPECT_LE(floor * divisor, dividend);
            EXPECT_GT((floor + 1) * divisor, dividend);
            EXPECT_GE(ceiling * divisor, dividend);
            EXPECT_LT((ceiling - 1) * divisor, dividend);
        }
    }
}

TEST(TokensMax, LeavesRoomForADoubledDifference) {
    EXPECT_NO_THROW((void)checked_multiply(checked_add(tokens_max, tokens_max), Tokens{2}));
}

}  // namespace
}  // namespace equipoise
