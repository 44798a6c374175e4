#pragma once
// Steps of token distribution on rings of n nodes.

#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// As many steps are enough off-line to give every node of a ring floor or ceiling of the mean, if
/// a link carries one token a step in each direction: ceil(R / 2) + n - 1, where R is by how much
/// P_i - floor(i N / n) varies, P_i the tokens of the first i nodes. `loads` are those around the
/// ring. Proof: docs/results/rings-and-distances.md.
[[nodiscard]] std::uint64_t ring_off_line_steps_bound(std::span<const Tokens> loads);

/// The abstract of Gehrke, Plaxton, Rajaraman 1999: 4 OPT + n steps, OPT the fewest off-line or a
/// bound on them.
[[nodiscard]] std::uint64_t ring_distribution_steps(std::uint64_t nodes, std::uint64_t optimum);

}  // namespace equipoise::theory
