#pragma once
// All connected networks of a few nodes.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

inline constexpr NodeId connected_nodes_max = 7;

/// Every connected network on 1 <= `nodes` <= `connected_nodes_max` nodes once, up to isomorphism:
/// 1, 1, 2, 6, 21, 112, 853. Computed when first asked for, which takes a second for 7 nodes.
[[nodiscard]] const std::vector<Network>& connected_networks(NodeId nodes);

/// The network with this number, counted from 1. Throws InputError if there is none.
[[nodiscard]] Network make_connected(NodeId nodes, std::uint64_t number);

}  // namespace equipoise::network
