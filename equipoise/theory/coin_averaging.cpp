#include "equipoise/theory/coin_averaging.hpp"

#include <cmath>

#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

Int128 averaging_gain(Tokens a, Tokens b) {
    const Int128 difference = Int128{a} - b;
    return difference * difference / 2;
}

double averaging_potential(double potential, std::uint64_t links, double probability,
                           double eigenvalue, std::uint64_t steps) {
    const double kept = 1 - probability * eigenvalue / 2;
    return std::pow(kept, static_cast<double>(steps)) * potential +
           static_cast<double>(links) / eigenvalue;
}

std::uint64_t random_pairs_steps(std::uint64_t node_count, Int128 scaled_potential, double delta) {
    const auto nodes = static_cast<double>(node_count);
    const double above = static_cast<double>(scaled_potential) / nodes - nodes / 4;
    if (above < 1) return 0;  // it is an even number
    return saturating_ceil((nodes - 1) * std::log(above / (2 * delta)));
}

std::uint64_t averaging_steps_to_two(std::uint64_t node_count, Tokens spread, double probability,
                                     double eigenvalue, double delta) {
    if (spread <= 2) return 0;
    const auto nodes = static_cast<double>(node_count);
    const auto levels = static_cast<double>(spread - 2);
    const double phase = std::ceil(2 * std::log(6 * std::sqrt(nodes)) / (probability * eigenvalue));
    const double phases = std::ceil(std::log(levels * nodes / delta) / std::log(8.0 / 7));
    return saturating_ceil(levels * phases * phase);
}

ThreeLeft random_pairs_leave_three(std::uint64_t node_count, std::uint64_t steps) {
    const auto n = static_cast<double>(node_count);
    const auto kept = [&](double falls, double start) {
        return start * std::pow(1 - falls / (n * (n - 1)), static_cast<double>(steps));
    };
    const double half = std::floor(n / 2);
    const double one = kept(2 * n - 2, half * half);
    const double two = kept(4 * n - 8, half * half * (half - 1) * (half - 1));
    const double mixed = kept(3 * n - 4, half * half * 2 * (half - 1));
    return {one > 0 ? one * one / (two + mixed + one) : 0, one};
}

double coin_adds_to_discrepancy(std::uint64_t node_count) {
    return 2 * std::sqrt(std::log(static_cast<double>(node_count)));
}

double arrivals_square(std::uint64_t node_count, std::uint64_t distance) {
    const auto n = static_cast<double>(node_count);
    const auto k = static_cast<double>(distance);
    return (k * (n - k) - 1) / n;
}

double averaging_decay(std::uint64_t degree) {
    const auto d = static_cast<double>(degree);
    // Above 10 a pair stays together for longer than walks take to part.
    return degree <= 10 ? d - 2 * std::sqrt(d - 1) : (d + 3 + std::sqrt((d - 1) * (d - 9))) / 4;
}

double averaging_cutoff(std::uint64_t node_count, std::uint64_t degree) {
    const auto n = static_cast<double>(node_count);
    return static_cast<double>(degree) * n / 2 * std::log(n) / averaging_decay(degree);
}

}  // namespace equipoise::theory
