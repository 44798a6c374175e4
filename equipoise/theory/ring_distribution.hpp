#pragma once
// Steps of token distribution on rings of n nodes.

#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// A number of steps that is enough, off-line, to give every node of a ring the floor or the
/// ceiling of the mean, if a link carries one token a step in each direction: ceil(R / 2) + n - 1,
/// where R is the largest minus the smallest P_i - floor(i N / n), and P_i is the number of tokens
/// of the first i nodes. `loads` go round the ring. Proof: docs/results/rings-and-distances.md.
[[nodiscard]] std::uint64_t ring_off_line_steps_bound(std::span<const Tokens> loads);

/// The bound in the abstract of Gehrke, Plaxton, Rajaraman 1999: 4 OPT + n steps. `optimum` is OPT,
/// the fewest steps off-line, or a bound on it.
[[nodiscard]] std::uint64_t ring_distribution_steps(std::uint64_t nodes, std::uint64_t optimum);

}  // namespace equipoise::theory
