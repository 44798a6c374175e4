#pragma once
// What is proved about dimension exchange with the threshold protocols and about DISCREPANCY-1.
//
// Source: Houle, Symvonis, Wood 2004, Sections 3 and 5.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Theorem 5: on a connected network of the given diameter, THRESHOLD-2 ends with a discrepancy of
/// at most the diameter (tokens); tight. Cost O(1).
[[nodiscard]] Tokens threshold_2_discrepancy_bound(std::uint64_t diameter);

/// Even exchange whose odd tokens go along an acyclic orientation: after a quiet round no two
/// neighbours differ by more than 1, so the discrepancy is at most the diameter (tokens). It
/// becomes quiet: every move lowers sum x^2, or keeps it and takes a token down the orientation.
[[nodiscard]] Tokens oriented_exchange_discrepancy_bound(std::uint64_t diameter);

/// THRESHOLD-1 PLUS, localMax kept since the start, on a network of n nodes coloured with chi
/// colours: when for this many consecutive steps no active link had ends that differ by two or more
/// and no node's load changed to its localMax, neither ever happens again. chi n steps on a tree,
/// chi max(n, floor(n^2 / 4)) elsewhere; the largest number if that is beyond 64 bits. Proof:
/// docs/algorithms/threshold-1-plus.md. Cost O(1).
[[nodiscard]] std::uint64_t threshold_1_plus_calm_steps(std::uint64_t nodes, std::uint64_t colours,
                                                        bool tree);

/// Theorem 18: on a tree of n nodes coloured with chi colours, DISCREPANCY-1 brings an initial
/// discrepancy D0 to at most 1 within 2 max(0, D0 - 1) chi n steps (the paper prints 2 (D0 - 1) chi
/// n, which is negative for D0 = 0). Throws OverflowError beyond 64 bits. Cost O(1).
[[nodiscard]] std::uint64_t discrepancy_1_steps_bound(Tokens discrepancy, std::uint64_t colours,
                                                      std::uint64_t nodes);

/// The same with the A-phase of chi n steps in which all nodes learn that they are done:
/// 2 max(0, D0 - 1) chi n + chi n steps. Throws OverflowError beyond 64 bits. Cost O(1).
[[nodiscard]] std::uint64_t discrepancy_1_steps_bound_with_termination(Tokens discrepancy,
                                                                       std::uint64_t colours,
                                                                       std::uint64_t nodes);

}  // namespace equipoise::theory
