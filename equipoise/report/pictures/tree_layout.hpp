#pragma once
// Natural drawings of trees.

#include <vector>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::report {

/// A drawing of a tree from its centre: in layers from top to bottom if it has at most 64 leaves,
/// otherwise, or if it is a star, in rings around the centre. Empty when the network is not a tree,
/// or so deep for its size that layers would not show it well. Cost O(nodes).
[[nodiscard]] std::vector<network::Position> tree_layout(const network::Network& network);

}  // namespace equipoise::report
