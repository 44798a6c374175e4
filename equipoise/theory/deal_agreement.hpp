#pragma once
// Bounds of Dinitz, Dolev, Kumar 2020 for deal-agreement algorithms, as functions of numbers.
// n nodes, diameter D, initial discrepancy K (tokens), Phi = sum (x - average)^2.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Theorem 1 (Algorithm 1): rounds until the discrepancy is at most `epsilon` (tokens, above 0),
/// (2nD + 1) ln(ceil(2nK^2 / epsilon^2)). 0 for K <= epsilon or n = 1. The paper's time is three
/// times as many. Saturates at the largest 64-bit number.
[[nodiscard]] std::uint64_t deal_agreement_1_rounds(std::uint64_t node_count,
                                                    std::uint64_t diameter, double discrepancy,
                                                    double epsilon);

/// How many bits below the token Algorithm 1 in fixed point needs for Theorem 1: the least s with D
/// 2^-s <= epsilon / 256. A round that begins with a discrepancy of K units lowers the potential by
/// at least (K - D)^2 / 2D, and K is above 256 D until the end; as the potential is at most nK^2/4,
/// this is a larger fraction of it than in the proof, which uses nK^2. Throws OverflowError if s
/// would exceed 61.
[[nodiscard]] unsigned deal_agreement_1_fraction_bits(std::uint64_t diameter, double epsilon);

/// Lemma 7 (Algorithm 2): rounds after which the discrepancy stays below 2D,
/// (8nD + 1) ln(ceil(nK^2 / 2D^2)). 0 for K < 2D or n = 1.
[[nodiscard]] std::uint64_t deal_agreement_2_rounds_to_twice_the_diameter(std::uint64_t node_count,
                                                                          std::uint64_t diameter,
                                                                          Tokens discrepancy);

/// Theorem 2 (Algorithm 2), with the logarithm of its proof: rounds until 1-balanced,
/// (8nD + 1) ln(ceil(nK^2 / 2D^2)) + 2nD^2. 0 for K <= 1 or n = 1.
[[nodiscard]] std::uint64_t deal_agreement_2_rounds(std::uint64_t node_count,
                                                    std::uint64_t diameter, Tokens discrepancy);

/// Rounds in which some deal is made, for Algorithms 2 and 3: every such round lowers Phi by at
/// least 2, hence at most floor(Phi / 2). `scaled_potential` is n * Phi = n sum x^2 - T^2, exact.
/// Attained by one link with loads (2, 0).
[[nodiscard]] std::uint64_t deal_rounds_by_potential(Int128 scaled_potential,
                                                     std::uint64_t node_count);

/// How much a round of Algorithm 2 lowers Phi at least if it begins with a discrepancy of K and
/// makes a deal: max(2, K - D, (K - D)^2 / 2D); the last two only where K > D > 0
/// (docs/results/rounds-of-deal-agreement.md, Lemma).
[[nodiscard]] double deal_agreement_2_fall(std::uint64_t diameter, Tokens discrepancy);

/// Rounds of Algorithm 2 in which some deal is made, from any loads of discrepancy K: n / 2 and the
/// sum over k = 3 .. K of n (2k - 1) / 4 divided by `deal_agreement_2_fall`
/// (docs/results/rounds-of-deal-agreement.md, Theorem 2; without floors). From 3D on the sum is
/// bounded by nD ln((K - D) / 2D) + nD / 2. 0 for K <= 1, n <= 1 or D = 0. Costs O(min(K, D)) time.
[[nodiscard]] double deal_agreement_2_deal_rounds(std::uint64_t node_count, std::uint64_t diameter,
                                                  Tokens discrepancy);

/// Theorem 3 (Algorithm 3): floor(n K^2 / 8) rounds, for every potential of discrepancy K.
[[nodiscard]] std::uint64_t deal_agreement_3_rounds(std::uint64_t node_count, Tokens discrepancy);

/// The discrepancy of a 1-balanced network is at most its diameter: neighbours differ by at most
/// one along a shortest path. Attained by loads 0, 1, ..., D along a path.
[[nodiscard]] constexpr Tokens one_balanced_discrepancy(std::uint64_t diameter) {
    return static_cast<Tokens>(diameter);
}

/// The discrepancy if any two nodes within distance k >= 1 differ by at most one: at most
/// ceil(D / k), since a shortest path of D links is that many pieces of at most k links.
[[nodiscard]] constexpr Tokens balanced_within_distance(std::uint64_t diameter,
                                                        std::uint64_t distance) {
    return static_cast<Tokens>((diameter + distance - 1) / distance);
}

}  // namespace equipoise::theory
