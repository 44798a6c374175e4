#pragma once
// Spanning trees: how tree algorithms run on other networks.

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// A spanning tree by breadth-first search from `root`, on the same nodes.
/// Throws UnsuitableError when the network is not connected. Cost O(nodes + links).
[[nodiscard]] Network breadth_first_tree(const AnyNetwork& network, NodeId root);

/// A breadth-first tree from a centre found by a few sweeps: a low diameter at linear cost. The
/// default for tree algorithms on other networks.
[[nodiscard]] Network default_spanning_tree(const AnyNetwork& network);

/// A spanning tree of least diameter: breadth-first from the absolute centre (Hassin and Tamir
/// 1995). Its diameter is `absolute_centre(network).diameter`. Cost as `absolute_centre`.
/// Throws UnsuitableError when the network is not connected.
[[nodiscard]] Network minimum_diameter_tree(const AnyNetwork& network);

/// A spanning tree whose largest degree is at most one more than the least possible (Fuerer and
/// Raghavachari 1994), by local search from the default spanning tree.
/// Throws UnsuitableError when the network is not connected. Cost O(nodes + links) an improvement,
/// O(nodes log nodes) improvements at worst.
[[nodiscard]] Network low_degree_tree(const AnyNetwork& network);

}  // namespace equipoise::network
