#include "equipoise/base/random.hpp"

#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(RandomStream, IsAPureFunctionOfItsName) {
    RandomStream first(5, Purpose::loads, 3, 9);
    const RandomStream second(5, Purpose::loads, 3, 9);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(first(), second.at(i));
    }
}

TEST(RandomStream, DiffersBySeedPurposeSubjectAndStep) {
    std::set<std::uint64_t> words;
    std::size_t drawn = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed)
        for (const Purpose purpose : {Purpose::network, Purpose::loads, Purpose::rule})
            for (std::uint64_t subject = 0; subject < 8; ++subject)
                for (std::uint64_t step = 0; step < 8; ++step)
                    for (std::uint64_t i = 0; i < 8; ++i, ++drawn)
                        words.insert(RandomStream(seed, purpose, subject, step).at(i));
    // Two equal words among 12,288 of 64 bits have a chance of about 4e-12.
    EXPECT_EQ(words.size(), drawn);
}

TEST(RandomStream, BelowIsUniformByChiSquare) {
    constexpr std::size_t bins = 7;
    constexpr double draws = 70000;
    std::array<double, bins> count{};
    RandomStream random(1, Purpose::sampling);
    for (int i = 0; i < static_cast<int>(draws); ++i)
        count.at(random.below(bins)) += 1;
    double chi_square = 0;
    for (const double seen : count)
        chi_square += (seen - draws / bins) * (seen - draws / bins) / (draws / bins);
    // Six degrees of freedom: 33.1 is exceeded once in 100,000 streams.
    EXPECT_LT(chi_square, 33.1);
}

TEST(RandomStream, BelowStaysInRangeForHardBounds) {
    RandomStream random(2, Purpose::sampling);
    for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                      (std::uint64_t{1} << 63U) + 1, ~std::uint64_t{0}})
        for (int i = 0; i < 1000; ++i)
            ASSERT_LT(random.below(bound), bound);
}

TEST(RandomStream, UnitHasTheMeanAndRangeOfTheUniformLaw) {
    RandomStream random(3, Purpose::sampling);
    constexpr int draws = 100000;
    double sum = 0;
    for (int i = 0; i < draws; ++i) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    // Five standard deviations of the mean.
    EXPECT_NEAR(sum / draws, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
}

TEST(RandomStream, EveryBitFlipsAboutHalfOfTheOutputBits) {
    double flipped = 0;
    int pairs = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        for (unsigned bit = 0; bit < 64; ++bit, ++pairs) {
            const std::uint64_t change = RandomStream(seed, Purpose::rule).at(0) ^
                                         RandomStream(seed ^ (1ULL << bit), Purpose::rule).at(0);
            flipped += __builtin_popcountll(change);
        }
    }
    // A binomial mean over 64 * 4,096 bits: five standard deviations are 0.3 bits of 64.
    EXPECT_NEAR(flipped / pairs, 32.0, 0.32);
}

}  // namespace
}  // namespace equipoise
