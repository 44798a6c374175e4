#pragma once
// Bounds of Rabani, Sinclair, Wanka 1998 for diffusion and periodic balancing circuits, as
// functions of numbers. N nodes, degree d, initial discrepancy K, eigenvalue gap mu of the
// (symmetrised) round matrix, local divergence Psi.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Theorem 1: the number of rounds after which the idealised process is l-smooth, (2 / mu) ln(K N^2
/// / l). `gap` in (0, 1], `smoothness` l > 0 tokens. 0 when K <= l.
[[nodiscard]] std::uint64_t idealised_smoothing_rounds(std::uint64_t node_count, Tokens discrepancy,
                                                       double gap, double smoothness);

/// Theorem 2: the token process stays within Psi of the idealised one, at every node and round.
/// Sharpened for weights that are fractions with divisors up to q, whose roundings are at most
/// (q - 1) / q: (q - 1) / q Psi. Weights 1 / (max(deg u, deg v) + 1) have q = d + 1, d the largest
/// degree.
[[nodiscard]] constexpr double diffusion_deviation(double local_divergence, Tokens divisor_max) {
    const auto q = static_cast<double>(divisor_max);
    return (q - 1) / q * local_divergence;
}

/// Theorem 2 if every single transfer is rounded, up or down in any way, instead of the net flow:
/// two roundings a link, 2 (q - 1) / q Psi(P^T).
[[nodiscard]] constexpr double transfer_deviation(double local_divergence, Tokens divisor_max) {
    return 2 * diffusion_deviation(local_divergence, divisor_max);
}

/// Theorem 2, sharpened for circuits, whose roundings are multiples of 1/q if a balancer moves the
/// share p / q of a difference: (q - 1) / q Psi(P^T), which is Psi(P^T) / 2 for even balancers.
[[nodiscard]] constexpr double circuit_deviation(double local_divergence_transposed,
                                                 Tokens share_divisor = 2) {
    return diffusion_deviation(local_divergence_transposed, share_divisor);
}

/// Corollary 3 with explicit constants: once the idealised process is l-smooth the token process is
/// (l + 2 deviation)-smooth; loads are whole, so the bound is rounded down. At most `tokens_max`,
/// as no run has more tokens.
[[nodiscard]] Tokens token_discrepancy(double smoothness, double deviation);

/// A frozen diffusion: p |x - y| < 1 across every link of weight p >= 1 / `divisor_max`, so that
/// neighbours differ by at most divisor_max - 1 and the discrepancy is at most that times the
/// diameter (tokens). If the weights at every node sum to less than 1, every diffusion freezes,
/// since each step with a move lowers sum x^2.
[[nodiscard]] Tokens frozen_discrepancy(Tokens divisor_max, std::uint64_t diameter);

/// Theorem 4 with explicit constants: Psi <= d ceil(1.5 ln N / mu) + 1 / mu for symmetric P, and d
/// ceil(3 ln N / mu) + 2 / mu with mu of the symmetrisation, where d is the number of matchings of
/// a circuit. If its balancers move a share s of a difference, the second term is multiplied by
/// max(1, sqrt(d / (4 s (1 - s))) / N).
[[nodiscard]] double local_divergence_bound(std::uint64_t node_count, std::uint64_t degree_max,
                                            double gap, bool symmetric, double share = 0.5);

/// Theorem 9(b) with the proof's constant: a circuit with an almost Hamiltonian cycle, all
/// balancers up, counts any input of discrepancy K within 2N (K - 1) rounds (N rounds for K = 1).
[[nodiscard]] std::uint64_t counting_rounds(std::uint64_t node_count, Tokens discrepancy);

/// Corollary 10 with the proof's constants: Theorem 1's rounds, then those of Theorem 9(b) for the
/// discrepancy that Corollary 3 leaves.
[[nodiscard]] std::uint64_t counting_rounds_after_smoothing(std::uint64_t node_count,
                                                            Tokens discrepancy, double gap,
                                                            double deviation);

}  // namespace equipoise::theory
