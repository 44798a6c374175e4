#pragma once
// Bounds for averaging over random links with a coin for the odd token, as functions of numbers.
// Phi = sum (x - mean)^2. docs/results/coin-averaging.md proves them.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// By how much one averaging of two loads lowers the sum of squares: floor((a - b)^2 / 2). The
/// loads must not be negative.
[[nodiscard]] Int128 averaging_gain(Tokens a, Tokens b);

/// An upper bound on the expected Phi after `steps` steps from `potential`, when every one of
/// `links` links is active with probability at least `probability` in every step and no active
/// links share a node: (1 - p l2 / 2)^steps Phi + m / l2, l2 the smallest positive Laplacian
/// eigenvalue. On the complete network with one random pair a step p is 2 / (n (n - 1)) and l2 is
/// n.
[[nodiscard]] double averaging_potential(double potential, std::uint64_t links, double probability,
                                         double eigenvalue, std::uint64_t steps);

/// The least probability with which a link is active in a random matching of links whose random
/// keys are least at both ends: 1 / (2 d - 1), d the largest degree.
[[nodiscard]] constexpr double matching_probability(std::uint64_t degree_max) {
    return 1.0 / (2.0 * static_cast<double>(degree_max) - 1);
}

/// Whether the mean load of a network is a whole number plus one half.
[[nodiscard]] constexpr bool mean_is_half_integer(Tokens tokens, std::uint64_t node_count) {
    const auto nodes = static_cast<Int128>(node_count);
    return nodes > 0 && 2 * Int128{tokens} % nodes == 0 && Int128{tokens} % nodes != 0;
}

/// Random pairs of n nodes whose mean is a whole number plus one half: steps after which the
/// discrepancy is above 1 with probability at most `delta`, (n - 1) ln((Phi - n / 4) / (2 delta)).
/// `scaled_potential` is n Phi = n sum x^2 - T^2, exact. 0 if the discrepancy is at most 1.
[[nodiscard]] std::uint64_t random_pairs_steps(std::uint64_t node_count, Int128 scaled_potential,
                                               double delta);

/// Steps after which the discrepancy is above 2 with probability at most `delta`, from any loads
/// of discrepancy `spread`, on a connected network of `node_count` nodes whose links are active as
/// averaging_potential has it: (spread - 2) r ceil(2 ln(6 sqrt(n)) / (p l2)), r the least whole
/// number with (spread - 2) n (7/8)^r <= delta. 0 if `spread` is at most 2.
[[nodiscard]] std::uint64_t averaging_steps_to_two(std::uint64_t node_count, Tokens spread,
                                                   double probability, double eigenvalue,
                                                   double delta);

/// Between which probabilities a discrepancy of 3 is left after `steps` random pairs of n nodes, n
/// even, half of which had 3 tokens more than the others.
struct ThreeLeft {
    double least;
    double most;
};
[[nodiscard]] ThreeLeft random_pairs_leave_three(std::uint64_t node_count, std::uint64_t steps);

}  // namespace equipoise::theory
