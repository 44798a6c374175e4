#pragma once
// What is proved about diffusion whose nodes have no memory and do not look at their neighbours.
//
// Proofs: docs/results/stateless-diffusion.md.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Theorem 1: SEND(floor) with this divisor D >= 2 Delta, Delta the largest degree of a connected
/// network, leaves a discrepancy of at most D - 1 (tokens) from some round on; tight. Cost O(1).
[[nodiscard]] Tokens send_floor_discrepancy(Tokens divisor);

/// Corollary 2: once the discrepancy has been at most D - 1, it is never more than D + Delta - 2
/// again (tokens). Cost O(1).
[[nodiscard]] Tokens send_floor_discrepancy_ever_after(Tokens divisor, std::uint64_t degree_max);

}  // namespace equipoise::theory
