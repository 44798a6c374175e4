#pragma once
// Every tree of a given size, each once.

#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// Largest size whose trees are numbered.
inline constexpr NodeId free_tree_nodes_max = 20;

/// The number of trees on 1 .. free_tree_nodes_max nodes, up to isomorphism: 1, 1, 1, 2, 3, 6, 11,
/// 23, 47, 106, ... (A000055 of the On-Line Encyclopedia of Integer Sequences).
[[nodiscard]] std::uint64_t free_tree_count(NodeId nodes);

/// The tree with this number, from 1, among all trees on `nodes` nodes, each once up to
/// isomorphism: the path is the first, the star the last. Nodes are numbered in preorder from the
/// root of the tree's level sequence. Throws InputError when there is no such tree. Cost
/// O(number * nodes).
[[nodiscard]] Network make_free_tree(NodeId nodes, std::uint64_t number);

}  // namespace equipoise::network
