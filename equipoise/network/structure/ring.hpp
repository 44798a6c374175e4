#pragma once
// Rings: networks that are one cycle.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// The nodes of a ring in the order in which they follow each other, from node 0 towards its first
/// neighbour; empty unless the network is one cycle of three nodes or more. Cost O(nodes).
[[nodiscard]] std::vector<NodeId> ring_order(const AnyNetwork& network);

}  // namespace equipoise::network
