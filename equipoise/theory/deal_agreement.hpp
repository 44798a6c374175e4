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

/// Bits below the token with which Algorithm 1 in fixed point keeps Theorem 1: the least s with
/// D 2^-s <= epsilon / 256. Then a steepest link with a discrepancy above epsilon / D differs by at
/// least 256 units, and rounding a deal down costs at most 2^-16 of what it takes off the
/// potential. Throws OverflowError where s would exceed 61.
[[nodiscard]] unsigned deal_agreement_1_fraction_bits(std::uint64_t diameter, double epsilon);

/// Theorem 1 in fixed point: the rounds of `deal_agreement_1_rounds` with the factor
/// 1 / (1 - 2^-16) for the roundings.
[[nodiscard]] std::uint64_t deal_agreement_1_rounds_in_fixed_point(std::uint64_t node_count,
                                                                   std::uint64_t diameter,
                                                                   double discrepancy,
                                                                   double epsilon);

/// Theorem 2 (Algorithm 2), with the logarithm of its proof: rounds until 1-balanced,
/// (8nD + 1) ln(ceil(nK^2 / 2D^2)) + 2nD^2. 0 for K <= 1 or n = 1.
[[nodiscard]] std::uint64_t deal_agreement_2_rounds(std::uint64_t node_count,
                                                    std::uint64_t diameter, Tokens discrepancy);

/// Rounds in which some deal is made, for Algorithms 2 and 3: every such round lowers Phi by at
/// least 2, hence at most floor(Phi / 2). `scaled_potential` is n * Phi = n sum x^2 - T^2, exact.
/// Attained by one link with loads (2, 0).
[[nodiscard]] std::uint64_t deal_rounds_by_potential(Int128 scaled_potential,
                                                     std::uint64_t node_count);

/// Theorem 3 (Algorithm 3): floor(n K^2 / 8) rounds, for every potential of discrepancy K.
[[nodiscard]] std::uint64_t deal_agreement_3_rounds(std::uint64_t node_count, Tokens discrepancy);

/// The discrepancy of a 1-balanced network is at most its diameter: neighbours differ by at most
/// one along a shortest path. Attained by loads 0, 1, ..., D along a path.
[[nodiscard]] constexpr Tokens one_balanced_discrepancy(std::uint64_t diameter) {
    return static_cast<Tokens>(diameter);
}

}  // namespace equipoise::theory
