#pragma once
// Bipartiteness with a certificate either way, and colourings of bipartite networks.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::network {

/// Either two sides such that every link joins them, or a cycle of odd length.
struct Bipartition {
    /// 0 or 1 for every node when the network is bipartite, else empty. The smallest node of every
    /// component is on side 0.
    std::vector<std::uint8_t> sides;
    /// The nodes of an odd cycle in its order when the network is not bipartite, else empty.
    std::vector<NodeId> odd_cycle;

    [[nodiscard]] bool bipartite() const { return odd_cycle.empty(); }
};

/// Cost O(nodes + links).
[[nodiscard]] Bipartition bipartition(const AnyNetwork& network);

/// Colours a bipartite network with as many colours as its largest degree (Koenig 1916), by
/// alternating paths. Cost O(nodes * links) at worst, near linear in practice.
/// Throws UnsuitableError when the network is not bipartite.
[[nodiscard]] EdgeColouring colour_bipartite(const Network& network);

}  // namespace equipoise::network
