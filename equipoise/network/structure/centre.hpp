#pragma once
// Middles of networks: the centroid of a tree, the absolute centre of any network.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// The one or two nodes of a tree without which no component has more than half of the nodes,
/// ascending. Throws UnsuitableError when the network is not a tree. Cost O(nodes).
[[nodiscard]] std::vector<NodeId> centroid(const Network& tree);

/// The point of a network, a node or the middle of a link, whose distance to the farthest node is
/// least.
struct AbsoluteCentre {
    NodeId node = no_node;
    NodeId across = no_node;     ///< the link's other end, or `no_node` when the point is `node`
    std::uint32_t diameter = 0;  ///< twice the distance to the farthest node, in links
                                 ///< diameter of a spanning tree
};

/// The absolute centre of a connected network (Hakimi 1964): closed form for grids, else a
/// breadth-first search from every node that bounds do not exclude from the centre.
/// Throws UnsuitableError when the network is empty or not connected. Cost O(nodes * links) at
/// worst, few searches on most networks of the real world.
[[nodiscard]] AbsoluteCentre absolute_centre(const AnyNetwork& network);

}  // namespace equipoise::network
