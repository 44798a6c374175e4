// Sums of fractions near 0.

#include "equipoise/optimum/checks/fraction_sum.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::optimum {
namespace {

TEST(FractionSum, IsExactWhereFractionsMeetAWholeNumber) {
    EXPECT_EQ(sign_of_sum(-1, {{1, 2}, {1, 3}, {1, 6}}), 0);
    EXPECT_EQ(sign_of_sum(-1, {{1, 2}, {1, 3}, {1, 7}}), -1);
    EXPECT_EQ(sign_of_sum(-1, {{1, 2}, {1, 3}, {1, 5}}), 1);
    EXPECT_EQ(sign_of_sum(1, {{-1, 2}, {-1, 3}, {-1, 6}}), 0);
    EXPECT_EQ(sign_of_sum(0, {}), 0);
    EXPECT_EQ(sign_of_sum(3, {{-7, 2}}), -1);
    EXPECT_EQ(sign_of_sum(-3, {{7, 2}}), 1);
    EXPECT_EQ(sign_of_sum(-2, {{4, 6}, {8, 6}}), 0);
}

TEST(FractionSum, TellsDifferencesBelowAllRounding) {
    // 1/p + 1/q + (pq - p - q)/(pq) = 1, with numbers that 64 binary places do not tell apart.
    const std::uint64_t p = 4294967291;  // primes near 2^32
    const std::uint64_t q = 4294967279;
    const std::uint64_t both = p * q;
    const auto rest = static_cast<Int128>(both - p - q);
    EXPECT_EQ(sign_of_sum(-1, {{1, p}, {1, q}, {rest, both}}), 0);
    EXPECT_EQ(sign_of_sum(-1, {{1, p}, {1, q}, {rest - 1, both}}), -1);
    EXPECT_EQ(sign_of_sum(-1, {{1, p}, {1, q}, {rest + 1, both}}), 1);
    // 1/p - 1/q differs from (q - p)/(pq) by nothing, and from it and 1/(pq)^2 by less than any
    // fixed number of places shows.
    const auto difference = static_cast<Int128>(q) - static_cast<Int128>(p);
    EXPECT_EQ(sign_of_sum(0, {{1, p}, {-1, q}, {-difference, both}}), 0);
    EXPECT_EQ(sign_of_sum(0, {{1, p}, {-1, q}, {-difference, both}, {1, both}}), 1);
    EXPECT_EQ(sign_of_sum(0, {{1, p}, {-1, q}, {-difference, both}, {-1, both}}), -1);
    // Consecutive fractions n/(n+1): their sum with 1/(n+1) is whole only once.
    EXPECT_EQ(sign_of_sum(-2, {{both - 1, both}, {both - 2, both - 1}, {1, both}, {1, both - 1}}),
              0);
    EXPECT_EQ(sign_of_sum(-2, {{both - 1, both}, {both - 2, both - 1}, {2, both - 1}}), 1);
}

TEST(FractionSum, AgreesWithACommonDenominator) {
    RandomStream random(5, Purpose::sampling);
    int zeros = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::vector<Fraction> fractions(random.below(6));
        Int128 sum = 0;  // in units of 1/2520
        for (Fraction& fraction : fractions) {
            fraction.denominator = 1 + random.below(10);
            fraction.numerator = static_cast<Int128>(random.below(21)) - 10;
            sum += fraction.numerator * (2520 / static_cast<Int128>(fraction.denominator));
        }
        const Int128 whole = static_cast<Int128>(random.below(7)) - 3;
        sum += 2520 * whole;
        zeros += sum == 0 ? 1 : 0;
        ASSERT_EQ(sign_of_sum(whole, fractions), sum == 0 ? 0 : (sum < 0 ? -1 : 1));
    }
    EXPECT_GT(zeros, 100);
}

}  // namespace
}  // namespace equipoise::optimum
