#pragma once
// What a sample of numbers says: mean, spread, quantiles, and an interval for the mean.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::statistics {

/// How an interval for a mean is found.
enum class IntervalKind : std::uint8_t {
    student,    ///< mean ± t s / √n: exact for normal samples
    bootstrap,  ///< quantiles of the means of resamples (percentile method)
};

/// The words of the command line: student, bootstrap. The other way round, throws InputError for
/// another word.
[[nodiscard]] const std::vector<std::string>& interval_words();
[[nodiscard]] IntervalKind interval_from_word(std::string_view word);

struct IntervalOptions {
    IntervalKind kind = IntervalKind::student;
    double level = 0.95;              ///< in (0, 1): how often such intervals hold the true mean
    std::uint64_t resamples = 10000;  ///< of the bootstrap
    std::uint64_t seed = 0;           ///< of the bootstrap
};

struct Interval {
    double low = 0;
    double high = 0;
};

/// A sample of finite numbers. What needs more numbers than there are is empty.
struct Sample {
    std::size_t n = 0;
    double mean = 0;
    std::optional<double> deviation;  ///< √(Σ(x - mean)² / (n - 1)); needs two numbers
    double least = 0;
    double largest = 0;
    double median = 0;
    std::vector<double> quantiles;     ///< at the fractions asked for
    std::optional<Interval> interval;  ///< of the mean; needs two numbers
};

/// The quantile of ascending numbers at a fraction in [0, 1], linear between neighbours (type 7 of
/// Hyndman and Fan 1996). `ascending` must not be empty.
[[nodiscard]] double quantile(std::span<const double> ascending, double fraction);

/// The t of Student's distribution with `freedom` degrees of freedom below which it lies with
/// probability `below`, in [1e-100, 1). Relative error at most 1e-11 unless `below` is within 1e-7
/// of one half.
[[nodiscard]] double student_quantile(double below, std::uint64_t freedom);

/// The t that lies above zero and is exceeded with probability `above`, in [1e-100, 1/2]: as exact,
/// where 1 - `above` has too few digits.
[[nodiscard]] double student_upper_quantile(double above, std::uint64_t freedom);

/// The interval of the mean of at least two numbers. Student: O(n). Bootstrap: O(n resamples).
[[nodiscard]] Interval mean_interval(std::span<const double> numbers,
                                     const IntervalOptions& options = {});

/// `numbers` must not be empty and be finite; `fractions` lie in [0, 1]. The order of the numbers
/// does not change a bit of the result, and no sum on the way overflows; deviation and interval are
/// infinite if they exceed the largest double. O(n log n), and the interval.
[[nodiscard]] Sample sample_of(std::span<const double> numbers, std::span<const double> fractions,
                               const IntervalOptions& options = {});

}  // namespace equipoise::statistics
