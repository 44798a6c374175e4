#include "equipoise/load/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace equipoise::load {

namespace {

/// Fewer trials are made one by one.
constexpr std::uint64_t single_trials_most = 40;
constexpr std::uint64_t exact_trials_most = std::uint64_t{1} << 30U;

/// What Stirling's formula lacks at log k!.
double stirling_rest(double k) {
    constexpr std::array<double, 10> small = {
        0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
        0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
        0.00925546218271273, 0.00833056343336287};
    if (k <= 9) return small[static_cast<std::size_t>(k)];
    const double next = k + 1;
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / (next * next)) / (next * next)) / next;
}

/// Transformed rejection, for p up to 1/2 and n p from 10 on.
double binomial_by_rejection(double n, double p, RandomStream& random) {
    const double spread = std::sqrt(n * p * (1 - p));
    const double b = 1.15 + 2.53 * spread;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double centre = n * p + 0.5;
    const double ratio = p / (1 - p);
    const double alpha = (2.83 + 5.1 / b) * spread;
    const double mode = std::floor((n + 1) * p);
    while (true) {
        const double u = random.unit() - 0.5;
        const double v = 1 - random.unit();
        const double us = 0.5 - std::abs(u);
        if (us == 0) continue;
        const double k = std::floor((2 * a / us + b) * u + centre);
        if (k < 0 || k > n) continue;
        if (us >= 0.07 && v <= 0.92 - 4.2 / b) return k;
        const double height = std::log(v * alpha / (a / (us * us) + b));
        const double most = (mode + 0.5) * std::log((mode + 1) / (ratio * (n - mode + 1))) +
                            (n + 1) * std::log((n - mode + 1) / (n - k + 1)) +
                            (k + 0.5) * std::log(ratio * (n - k + 1) / (k + 1)) +
                            stirling_rest(mode) + stirling_rest(n - mode) - stirling_rest(k) -
                            stirling_rest(n - k);
        if (height <= most) return k;
    }
}

/// The mean in integers and a rounded normal variate, so that nothing is lost to rounding.
std::uint64_t binomial_by_normal(std::uint64_t trials, std::uint64_t part, std::uint64_t whole,
                                 RandomStream& random) {
    const double p = static_cast<double>(part) / static_cast<double>(whole);
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    const double normal = radius * std::cos(2 * std::numbers::pi * random.unit());
    const double away = std::round(normal * std::sqrt(static_cast<double>(trials) * p * (1 - p)));
    const Int128 mean = static_cast<Int128>(static_cast<UInt128>(trials) * part / whole);
    const Int128 drawn = mean + static_cast<Int128>(away);
    return static_cast<std::uint64_t>(std::clamp<Int128>(drawn, 0, trials));
}

/// Divides tokens among nodes begin .. end-1, of which those of `loads` matter.
struct Spread {
    NodeId first;
    std::span<Tokens> loads;
    std::uint64_t seed;

    void divide(NodeId begin, NodeId end, std::uint64_t tokens) const {
        if (tokens == 0 || end <= first || begin >= first + loads.size()) return;
        if (end - begin == 1) {
            loads[begin - first] += static_cast<Tokens>(tokens);
            return;
        }
        // A range is known by its first node and its length.
        RandomStream random(seed, Purpose::loads, begin, std::uint64_t{end - begin} + 1);
        const NodeId left = (end - begin) / 2;
        const std::uint64_t to_left = binomial(tokens, left, end - begin, random);
        divide(begin, begin + left, to_left);
        divide(begin + left, end, tokens - to_left);
    }
};

}  // namespace

std::uint64_t binomial(std::uint64_t trials, std::uint64_t part, std::uint64_t whole,
                       RandomStream& random) {
    if (part == 0 || trials == 0) return 0;
    if (part >= whole) return trials;
    if (part > whole - part) return trials - binomial(trials, whole - part, whole, random);
    if (trials > exact_trials_most) return binomial_by_normal(trials, part, whole, random);
    const double p = static_cast<double>(part) / static_cast<double>(whole);
    const auto n = static_cast<double>(trials);
    if (trials > single_trials_most && n * p >= 10)
        return static_cast<std::uint64_t>(binomial_by_rejection(n, p, random));
    std::uint64_t successes = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial)
        successes += random.below(whole) < part ? 1 : 0;
    return successes;
}

void spread_at_random(Tokens tokens, NodeId node_count, NodeId first, std::span<Tokens> loads,
                      std::uint64_t seed) {
    Spread{first, loads, seed}.divide(0, node_count, static_cast<std::uint64_t>(tokens));
}

}  // namespace equipoise::load
