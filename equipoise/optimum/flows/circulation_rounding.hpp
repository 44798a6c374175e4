#pragma once
// Rounding fractional circulations to whole numbers.

#include <cstdint>
#include <span>
#include <vector>

namespace equipoise::optimum {

/// An arc whose flow is a whole number plus numerator / denominator.
struct FractionalArc {
    std::uint32_t tail = 0;
    std::uint32_t head = 0;
    std::uint64_t numerator = 0;  ///< below the common denominator
};

// Problem: round every arc of a circulation down or up so that it remains one.
// Source: integrality of flows (Ford, Fulkerson 1956); where all fractions are halves it is an
//   Euler split (Gabow 1976).
// Method: fractions at every node add up to whole numbers, so a walk along arcs that are not whole
//   never ends: where it meets itself, enough is sent round the cycle to make one of its arcs
//   whole. A cycle of halves becomes whole at once.
// Guarantee: exact. Cost O(arcs + sum of the lengths of all cycles).

/// For each arc whether it is rounded up. The numerators that enter each node and those that leave
/// it must differ by a multiple of the denominator.
[[nodiscard]] std::vector<std::uint8_t> round_circulation(std::uint32_t nodes,
                                                          std::span<const FractionalArc> arcs,
                                                          std::uint64_t denominator);

}  // namespace equipoise::optimum
