#pragma once
// Drawings of paths, and of trees that are nearly paths.

#include <vector>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::report {

/// A drawing of a tree whose nodes are all on or near one longest path: the path as a line from
/// the end with the smaller number, the other nodes hanging from it. A line of more than 24 nodes
/// runs back and forth in rows, which are together nearly twice as wide as high. No two nodes are
/// nearer than 1. Empty for any other network. Cost O(nodes).
[[nodiscard]] std::vector<network::Position> spine_layout(const network::Network& network);

}  // namespace equipoise::report
