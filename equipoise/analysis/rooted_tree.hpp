#pragma once
// A tree seen from one of its nodes.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::analysis {

struct RootedTree {
    std::vector<NodeId> order;   ///< all nodes in preorder: the root first, subtrees in runs
    std::vector<NodeId> parent;  ///< `no_node` for the root
    std::vector<NodeId> size;    ///< nodes of the subtree below a node, itself included
};

/// Throws UnsuitableError when the network is not a tree or has no such node. Cost O(n).
[[nodiscard]] RootedTree root_tree(const network::Network& tree, NodeId root);

}  // namespace equipoise::analysis
