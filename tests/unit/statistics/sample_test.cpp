#include "equipoise/statistics/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::statistics {
namespace {

using Numbers = std::vector<double>;

const std::array<double, 2> quartiles = {0.25, 0.75};

/// Relative error.
void expect_close(double found, double expected, double error) {
    EXPECT_LE(std::abs(found - expected), error * std::abs(expected))
        << found << " beside " << expected;
}

TEST(Sample, TheMeanAndItsIntervalOfThreeNumbers) {
    const Sample sample = sample_of(Numbers{3, 1, 2}, quartiles);
    EXPECT_EQ(sample.n, 3U);
    EXPECT_EQ(sample.mean, 2);
    EXPECT_EQ(*sample.deviation, 1);
    EXPECT_EQ(sample.least, 1);
    EXPECT_EQ(sample.largest, 3);
    EXPECT_EQ(sample.median, 2);
    EXPECT_EQ(sample.quantiles, (Numbers{1.5, 2.5}));
    EXPECT_NEAR(sample.interval->high - 2, 4.302652729911275 / 1.7320508075688772, 1e-10);
}

TEST(Sample, OneNumberHasNeitherDeviationNorInterval) {
    const Sample sample = sample_of(Numbers{7}, quartiles);
    EXPECT_EQ(sample.mean, 7);
    EXPECT_EQ(sample.quantiles, (Numbers{7, 7}));
    EXPECT_FALSE(sample.deviation);
    EXPECT_FALSE(sample.interval);
}

TEST(Sample, EqualNumbersHaveAnIntervalWithoutWidth) {
    for (const IntervalKind kind : {IntervalKind::student, IntervalKind::bootstrap})
        for (const double number : {0.0, -3.5, 0.1, 1e300}) {
            const Sample sample = sample_of(Numbers(20, number), quartiles, {.kind = kind});
            EXPECT_EQ(sample.mean, number);
            EXPECT_EQ(*sample.deviation, 0);
            EXPECT_EQ(sample.interval->low, number);
            EXPECT_EQ(sample.interval->high, number);
        }
}

TEST(Sample, LargeNumbersThatDifferLittleLoseNoDigits) {
    // Their mean is no double: the deviation must not take its rounding for spread.
    const Sample sample = sample_of(Numbers{1e15, 1e15 + 1, 1e15 + 2, 1e15 + 4}, quartiles);
    expect_close(*sample.deviation, 1.7078251276599331, 1e-14);
    EXPECT_EQ(sample.mean, 1e15 + 1.75);
    const Sample larger = sample_of(Numbers{4e15, 4e15 + 1, 4e15 + 3}, quartiles);
    expect_close(*larger.deviation, 1.5275252316519467, 1e-14);
}

TEST(Sample, NeitherHugeNorTinyNumbersOverflowOrVanish) {
    const Numbers plain = {1, 2, 4, -8};
    const Sample expected = sample_of(plain, quartiles);
    for (const double scale : {std::ldexp(1.0, 1000), std::ldexp(1.0, -1000)}) {
        Numbers scaled = plain;
        for (double& number : scaled)
            number *= scale;
        const Sample sample = sample_of(scaled, quartiles);
        EXPECT_EQ(sample.mean, expected.mean * scale);
        EXPECT_EQ(*sample.deviation, *expected.deviation * scale);
        EXPECT_EQ(sample.interval->low, expected.interval->low * scale);
    }
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ(sample_of(Numbers{-most, most}, quartiles).mean, 0);
    EXPECT_EQ(sample_of(Numbers{most, most, most}, quartiles).mean, most);
}

TEST(Sample, WhatFitsADoubleIsFiniteWhateverIsBesideIt) {
    const double most = std::numeric_limits<double>::max();
    const Sample sample = sample_of(Numbers{-most / 2, 1e-20, most / 2}, quartiles);
    EXPECT_EQ(sample.median, 1e-20);
    EXPECT_EQ(sample.least, -most / 2);
    EXPECT_EQ(sample.quantiles, (Numbers{-most / 4, most / 4}));
    expect_close(*sample.deviation, most / 2, 1e-14);
    EXPECT_TRUE(std::isinf(sample.interval->high));
    const double below = std::nextafter(most, 0);
    for (std::size_t count = 2; count < 30; ++count) {
        Numbers numbers(count, most);
        numbers.front() = below;
        const double mean = sample_of(numbers, quartiles).mean;
        EXPECT_TRUE(mean >= below && mean <= most) << count;
    }
}

TEST(Sample, TheOrderOfTheNumbersChangesNoBit) {
    Numbers numbers;
    for (int k = 0; k < 50; ++k)
        numbers.push_back(std::sin(k) * std::pow(10, k % 7));
    for (const IntervalKind kind : {IntervalKind::student, IntervalKind::bootstrap}) {
        const IntervalOptions options = {.kind = kind, .resamples = 500};
        const Sample expected = sample_of(numbers, quartiles, options);
        Numbers turned = numbers;
        std::rotate(turned.begin(), turned.begin() + 17, turned.end());
        const Sample sample = sample_of(turned, quartiles, options);
        EXPECT_EQ(sample.mean, expected.mean);
        EXPECT_EQ(*sample.deviation, *expected.deviation);
        EXPECT_EQ(sample.interval->low, expected.interval->low);
        EXPECT_EQ(sample.interval->high, expected.interval->high);
    }
}

TEST(Sample, QuantilesAreLinearBetweenNeighbours) {
    const Numbers ascending = {10, 20, 40};
    EXPECT_EQ(quantile(ascending, 0), 10);
    EXPECT_EQ(quantile(ascending, 0.25), 15);
    EXPECT_EQ(quantile(ascending, 0.5), 20);
    EXPECT_EQ(quantile(ascending, 0.9), 36);
    EXPECT_EQ(quantile(ascending, 1), 40);
}

struct OfStudent {
    double below;
    std::uint64_t freedom;
    double t;
};

// To 15 digits by mpmath 1.2 with 40 digits, from the binary values of `below`.
TEST(Sample, QuantilesOfStudentAreExact) {
    const std::vector<OfStudent> known = {
        {0.975, 1, 12.7062047361747},
        {0.975, 2, 4.30265272974946},
        {0.975, 19, 2.09302405440831},
        {0.95, 1000, 1.64637881728546},
        {0.995, 3, 5.84090930973336},
        {0.51, 1, 0.0314262660433512},
        {0.6, 100, 0.254022182458228},
        {0.75, 10000, 0.674514284483592},
        {1 - 1e-6, 1, 318309.88617359},
        {1 - 1e-9, 10, 20.1446978249318},
        {1 - 1e-9, 1000, 6.05369027680052},
        {0.975, 100'000, 1.95998770753461},
        {0.975, 1'000'000, 1.95996635681411},
        {0.975, 1'000'000'000, 1.95996398691233},
        {1 - 1e-9, 1'000'000'000, 5.9978070750419},
    };
    for (const auto& [below, freedom, t] : known) {
        expect_close(student_quantile(below, freedom), t, 1e-11);
        expect_close(student_quantile(1 - below, freedom), -t, 1e-6);  // 1 - below has fewer digits
    }
    EXPECT_EQ(student_quantile(0.5, 7), 0);
}

TEST(Sample, QuantilesOfStudentFallWithFreedomAcrossTheExpansion) {
    for (const double below : {0.55, 0.9, 0.975, 1 - 1e-12}) {
        double before = student_quantile(below, 9990);
        for (std::uint64_t freedom = 9991; freedom < 10'010; ++freedom) {
            const double t = student_quantile(below, freedom);
            // Less by about z³/4ν², which is far above the rounding.
            EXPECT_LE(t, before * (1 + 1e-12)) << freedom;
            before = t;
        }
    }
}

TEST(Sample, ABootstrapIsThatOfItsSeedAndInsideTheNumbers) {
    const Numbers numbers = {1, 5.173, 2.311, 8.077, 3.719, 9, 4.433};
    const IntervalOptions options = {.kind = IntervalKind::bootstrap, .level = 0.9, .seed = 3};
    const Interval first = mean_interval(numbers, options);
    const Interval again = mean_interval(numbers, options);
    EXPECT_EQ(first.low, again.low);
    EXPECT_EQ(first.high, again.high);
    IntervalOptions other = options;
    other.seed = 4;
    EXPECT_NE(mean_interval(numbers, other).low, first.low);
    EXPECT_GT(first.low, 1);
    EXPECT_LT(first.low, 4.8);
    EXPECT_GT(first.high, 4.8);
    EXPECT_LT(first.high, 9);
}

TEST(Sample, AHigherLevelMakesAWiderInterval) {
    const Numbers numbers = {1, 5.173, 2.311, 8.077, 3.719, 9, 4.433};
    for (const IntervalKind kind : {IntervalKind::student, IntervalKind::bootstrap}) {
        double before = 0;
        for (const double level : {0.1, 0.5, 0.9, 0.95, 0.99, 1 - 1e-9}) {
            const Interval interval = mean_interval(numbers, {.kind = kind, .level = level});
            EXPECT_GT(interval.high - interval.low, before);
            before = interval.high - interval.low;
        }
    }
}

TEST(Sample, FarTailsOfStudentAreExact) {
    for (const double above : {0.4, 0.025, 1e-6, 5e-13, 0x1p-54, 1e-30, 1e-100}) {
        expect_close(student_upper_quantile(above, 1), 1 / std::tan(std::acos(-1.0) * above),
                     1e-11);
        expect_close(student_upper_quantile(above, 2),
                     (1 - 2 * above) / std::sqrt(2 * above * (1 - above)), 1e-11);
        EXPECT_EQ(student_quantile(above, 7), -student_upper_quantile(above, 7));
    }
}

TEST(Sample, TheLevelsNextToZeroAndOneHaveIntervals) {
    const Numbers numbers = {1, 2, 4};
    for (const IntervalKind kind : {IntervalKind::student, IntervalKind::bootstrap}) {
        const Interval wide = mean_interval(numbers, {.kind = kind, .level = 1 - 0x1p-53});
        EXPECT_TRUE(std::isfinite(wide.low) && std::isfinite(wide.high));
        EXPECT_LT(wide.low, wide.high);
        const Interval narrow = mean_interval(
            numbers, {.kind = kind, .level = std::numeric_limits<double>::denorm_min()});
        EXPECT_LE(narrow.low, narrow.high);
    }
    const Interval wide = mean_interval(numbers, {.level = 1 - 0x1p-53});
    EXPECT_GT(wide.high, 1e7);  // 94,906,266 standard errors
}

TEST(Sample, WordsOfIntervals) {
    EXPECT_EQ(interval_from_word("student"), IntervalKind::student);
    EXPECT_EQ(interval_from_word("bootstrap"), IntervalKind::bootstrap);
    EXPECT_THROW(static_cast<void>(interval_from_word("studnet")), InputError);
}

}  // namespace
}  // namespace equipoise::statistics
