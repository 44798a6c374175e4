#pragma once
// Trees for exhaustive tests: all of them up to isomorphism, random ones, and random colourings.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::test {

/// Every tree on `nodes` >= 1 nodes once, up to isomorphism: 1, 1, 1, 2, 3, 6, 11, 23, 47, 106, ...
/// Grown leaf by leaf and told apart by the canonical word of the tree rooted at its centroid.
[[nodiscard]] std::vector<network::Network> all_trees(NodeId nodes);

/// A word that two trees share exactly when they are isomorphic.
[[nodiscard]] std::string canonical_word(const network::Network& tree);

/// Attaches node i to a random earlier node, at most `reach` numbers back (small reach: long
/// trees).
[[nodiscard]] network::Network random_tree(NodeId nodes, RandomStream& random,
                                           NodeId reach = no_node);

/// A proper colouring of a tree with colours drawn at random among `colour_count`, which must be at
/// least the largest degree.
[[nodiscard]] network::EdgeColouring random_tree_colouring(const network::Network& tree,
                                                           Colour colour_count,
                                                           RandomStream& random);

/// A tree on 0 .. n-1 from the parents of nodes 1 .. n-1 (each smaller than its child).
[[nodiscard]] network::Network tree_of_parents(const std::vector<NodeId>& parents);

}  // namespace equipoise::test
