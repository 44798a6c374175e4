#pragma once
// Transfers with fixed ends, in the fewest waves.

#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: split transfers into waves in which no node gives or takes more units than it may.
// Model: bundles of equal units, each from one node to another.
// Source: Koenig 1916: a bipartite multigraph (givers, takers) of degree W is the union of W
//   matchings. An even number of waves is halved by an Euler split (Gabow 1976); from an odd
//   number, one wave is first taken that relieves all nodes that need all waves: a flow with lower
//   bounds.
// Guarantee: exactly `waves` waves, if no node has more than `waves` times what it may give or take
//   in one. Cost O(units log waves) and a flow for each odd number of waves.

/// The bundles of each wave. Requires that the number of waves is enough for every node.
[[nodiscard]] std::vector<std::vector<FatMove>> split_into_waves(std::vector<FatMove> bundles,
                                                                 Step waves,
                                                                 const std::vector<Tokens>& gives,
                                                                 const std::vector<Tokens>& takes);

}  // namespace equipoise::optimum
