#pragma once
// Drawings of hypercubes.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::report {

/// A drawing of a hypercube of at least 4 nodes in which all links of a dimension are parallel and
/// equally long, and no two dimensions have the same direction. Up to dimension 6 no link touches a
/// node that is not its end. Empty when the network is not a hypercube whose nodes are numbered by
/// their coordinates, as those of the generator are: numbers of linked nodes differ in one bit. No
/// link may occur twice. Cost O(nodes + links).
[[nodiscard]] std::vector<network::Position> hypercube_layout(NodeId node_count,
                                                              std::span<const Ends> links);

}  // namespace equipoise::report
