#pragma once
// A network that is too large to draw, as clusters of nodes that can be drawn.

#include <cstddef>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::report {

struct Clusters {
    std::vector<NodeId> of;     ///< by node: its cluster
    std::vector<NodeId> sizes;  ///< by cluster: how many nodes it has
    /// Pairs of clusters that links join, those with most links first.
    std::vector<Ends> links;
};

/// `count` clusters (at least 1, at most one a node) of about the same size. They grow at the same
/// pace from seeds that are spread over the network, so each is connected; only nodes that no seed
/// reaches join the cluster of a node that a search has met before. The same network always gives
/// the same clusters. Cost O(nodes + links log links).
[[nodiscard]] Clusters cluster_network(const network::Network& network, NodeId count);

}  // namespace equipoise::report
