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
/// >= 2, half of which had 3 tokens more than the others; if n is odd, one node more had a load in
/// between.
struct ThreeLeft {
    double least;
    double most;
};
[[nodiscard]] ThreeLeft random_pairs_leave_three(std::uint64_t node_count, std::uint64_t steps);

// ---- Beside real loads that are averaged over the same links (docs/results/arrivals.md)

/// The most that whole tokens add to the expected discrepancy, whatever arrives where, if links and
/// arrivals do not depend on the coins: 2 sqrt(ln n).
[[nodiscard]] double coin_adds_to_discrepancy(std::uint64_t node_count);

/// A cycle of n nodes, n >= 3. In every step one unit arrives at a random link, whose ends then
/// share their real loads evenly. The mean square of the difference of two nodes at a distance of
/// `distance` links, 1 to n - 1, in the long run: (k (n - k) - 1) / n. From equal loads it is never
/// more. With whole tokens p more, p the probability that the ends of a link differ by an even
/// number.
[[nodiscard]] double arrivals_square(std::uint64_t node_count, std::uint64_t distance);

// ---- On networks that look like trees around every node (docs/results/cutoff.md)

/// On the infinite tree of this degree, at least 3, whose links each average at rate 1: the rate at
/// which the expected sum of squares falls in the long run from one unit at one node, which is the
/// probability that two walks over the same links are where they met. d - 2 sqrt(d - 1) for d <=
/// 10, and (d + 3 + sqrt((d - 1) (d - 9))) / 4, which is less, above.
[[nodiscard]] double averaging_decay(std::uint64_t degree);

/// The steps, one random link each, in which n times that sum falls from n to about 1 on a random
/// regular network of n nodes: (d n / 2) ln n / averaging_decay(d).
[[nodiscard]] double averaging_cutoff(std::uint64_t node_count, std::uint64_t degree);

}  // namespace equipoise::theory
