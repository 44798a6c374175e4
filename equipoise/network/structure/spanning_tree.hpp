#pragma once
// Spanning trees: how tree algorithms run on other networks.

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// A spanning tree by breadth-first search from `root`, on the same nodes.
/// Throws UnsuitableError when the network is not connected. Cost O(nodes + links).
[[nodiscard]] Network breadth_first_tree(const AnyNetwork& network, NodeId root);

/// A breadth-first tree from a centre found by two sweeps: a low diameter at linear cost. The
/// default for tree algorithms on other networks.
[[nodiscard]] Network default_spanning_tree(const AnyNetwork& network);

}  // namespace equipoise::network
