#include "equipoise/statistics/sample.hpp"

#include <algorithm>
#include <cmath>

#include <unsupported/Eigen/SpecialFunctions>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::statistics {

namespace {

/// Numbers in ascending order, as multiples of a power of two near the largest of them: sums and
/// squares then neither overflow nor vanish, and are the same in whatever order they were given.
struct Scaled {
    explicit Scaled(std::span<const double> numbers) : given(numbers.begin(), numbers.end()) {
        std::sort(given.begin(), given.end());
        ascending = given;
        const double largest = std::max(std::abs(ascending.front()), std::abs(ascending.back()));
        if (largest > 0) exponent = std::ilogb(largest);
        for (double& number : ascending)
            number = std::scalbn(number, -exponent);
    }
    [[nodiscard]] double back(double number) const { return std::scalbn(number, exponent); }

    std::vector<double> given;  ///< in ascending order, as they are
    std::vector<double> ascending;
    int exponent = 0;
};

double mean_of(std::span<const double> numbers) {
    // Around the first number, so that large numbers that differ little lose no digits.
    const double first = numbers.front();
    double sum = 0;
    for (const double number : numbers)
        sum += number - first;
    return first + sum / static_cast<double>(numbers.size());
}

double deviation_of(std::span<const double> numbers, double mean) {
    double squares = 0;
    double rest = 0;  // what the mean was rounded by, times n
    for (const double number : numbers) {
        squares += (number - mean) * (number - mean);
        rest += number - mean;
    }
    const auto n = static_cast<double>(numbers.size());
    return std::sqrt(std::max(0.0, squares - rest * rest / n) / (n - 1));
}

/// The probability that |T| is at most t > 0, and that it exceeds it.
double within(double t, double freedom) {
    return Eigen::numext::betainc(0.5, freedom / 2, t * t / (freedom + t * t));
}
double beyond(double t, double freedom) {
    return Eigen::numext::betainc(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/// Where the incomplete beta function loses digits: the expansion around the normal quantile
/// (Abramowitz and Stegun 1964, 26.7.5).
double nearly_normal(double above, double freedom) {
    const double z = -Eigen::numext::ndtri(above);
    const double s = z * z;
    const double g1 = (s + 1) * z / 4;
    const double g2 = ((5 * s + 16) * s + 3) * z / 96;
    const double g3 = (((3 * s + 19) * s + 17) * s - 15) * z / 384;
    const double g4 = ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) * z / 92160;
    return z + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom;
}

Interval student(std::span<const double> numbers, double level) {
    const double mean = mean_of(numbers);
    const double n = static_cast<double>(numbers.size());
    const double half = student_upper_quantile((1 - level) / 2, numbers.size() - 1) *
                        deviation_of(numbers, mean) / std::sqrt(n);
    return {mean - half, mean + half};
}

/// Of ascending numbers.
Interval bootstrap(std::span<const double> numbers, const IntervalOptions& options) {
    std::vector<double> means(options.resamples);
    std::vector<double> resample(numbers.size());
    for (std::uint64_t k = 0; k < options.resamples; ++k) {
        RandomStream random(options.seed, Purpose::resampling, k);
        for (double& number : resample)
            number = numbers[random.below(numbers.size())];
        means[k] = mean_of(resample);
    }
    std::sort(means.begin(), means.end());
    const auto at = [&](double fraction) {
        return std::clamp(quantile(means, fraction), numbers.front(), numbers.back());
    };
    return {at((1 - options.level) / 2), at((1 + options.level) / 2)};
}

/// The interval of scaled numbers, scaled back.
Interval interval_of(const Scaled& numbers, const IntervalOptions& options) {
    EQUIPOISE_ASSERT(options.level > 0 && options.level < 1 && options.resamples > 0);
    const std::vector<double>& ascending = numbers.ascending;
    Interval found = {ascending.front(), ascending.front()};
    if (ascending.front() < ascending.back())
        found = options.kind == IntervalKind::student ? student(ascending, options.level)
                                                      : bootstrap(ascending, options);
    return {numbers.back(found.low), numbers.back(found.high)};
}

}  // namespace

const std::vector<std::string>& interval_words() {
    static const std::vector<std::string> words = {"student", "bootstrap"};
    return words;
}

IntervalKind interval_from_word(std::string_view word) {
    if (word == "student") return IntervalKind::student;
    if (word == "bootstrap") return IntervalKind::bootstrap;
    throw InputError("interval: " + expected_word(word, interval_words()));
}

double quantile(std::span<const double> ascending, double fraction) {
    EQUIPOISE_ASSERT(!ascending.empty());
    const double place = fraction * static_cast<double>(ascending.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), ascending.size() - 1);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double part = place - static_cast<double>(below);
    return std::lerp(ascending[below], ascending[above], part);
}

double student_quantile(double below, std::uint64_t freedom) {
    EQUIPOISE_ASSERT(below > 0 && below < 1);
    return below < 0.5 ? -student_upper_quantile(below, freedom)
                       : student_upper_quantile(1 - below, freedom);
}

double student_upper_quantile(double above, std::uint64_t freedom) {
    EQUIPOISE_ASSERT(above >= 1e-100 && above <= 0.5 && freedom > 0);
    if (above == 0.5) return 0;
    const auto nu = static_cast<double>(freedom);
    if (freedom > 10'000) return nearly_normal(above, nu);
    const double tails = 2 * above;
    const double centre = 2 * (0.5 - above);
    const auto is_less = [&](double t) {
        return centre < 0.5 ? within(t, nu) < centre : beyond(t, nu) > tails;
    };
    double low = 0;
    double high = 1;
    while (is_less(high))
        high *= 2;
    for (double middle = high / 2; low < middle && middle < high; middle = (low + high) / 2)
        (is_less(middle) ? low : high) = middle;
    return high;
}

Interval mean_interval(std::span<const double> numbers, const IntervalOptions& options) {
    EQUIPOISE_ASSERT(numbers.size() >= 2);
    return interval_of(Scaled(numbers), options);
}

Sample sample_of(std::span<const double> numbers, std::span<const double> fractions,
                 const IntervalOptions& options) {
    EQUIPOISE_ASSERT(!numbers.empty());
    const Scaled scaled(numbers);
    const std::vector<double>& ascending = scaled.ascending;
    // Rounded, it may lie beyond the numbers.
    const double mean = std::clamp(mean_of(ascending), ascending.front(), ascending.back());
    Sample sample;
    sample.n = numbers.size();
    sample.mean = scaled.back(mean);
    sample.least = scaled.given.front();
    sample.largest = scaled.given.back();
    sample.median = quantile(scaled.given, 0.5);
    for (const double fraction : fractions)
        sample.quantiles.push_back(quantile(scaled.given, fraction));
    if (sample.n < 2) return sample;
    sample.deviation = scaled.back(deviation_of(ascending, mean));
    sample.interval = interval_of(scaled, options);
    return sample;
}

}  // namespace equipoise::statistics
