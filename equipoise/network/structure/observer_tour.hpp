#pragma once
// Observer tours: how a token that always moves visits the nodes of an edge-coloured network, and
// how long a run must have been quiet to stay quiet for ever.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::network {

/// The nodes at which observers are after every round.
///
/// An observer at a node at time t leaves it by the link of colour t mod chi, or stays if the node
/// has none; then t grows by one. A round is chi steps. Seen at times congruent to the start colour
/// c only, every observer walks around one cycle of nodes; the order of nodes on it is the
/// c-ordering. On a tree there is exactly one cycle, of n rounds (chi * n steps); other networks
/// have several.
/// Source: Houle, Symvonis, Wood 2004, Sections 4.1 and 4.2, for trees.
class ObserverTour {
  public:
    /// Throws InputError when the colouring does not colour every link with one of its colours,
    /// when two links of one colour share a node, or when `start` is no colour (with chi = 0 it
    /// must be 0). Cost O(nodes + links).
    ObserverTour(const AnyNetwork& network, const EdgeColouring& colouring, Colour start = 0);

    [[nodiscard]] NodeId node_count() const { return static_cast<NodeId>(order_.size()); }
    [[nodiscard]] std::size_t cycle_count() const { return cycle_starts_.size() - 1; }
    /// The c-ordering of a cycle, from its smallest node on. Its size is its length in rounds.
    [[nodiscard]] std::span<const NodeId> cycle(std::size_t index) const {
        return std::span(order_).subspan(cycle_starts_[index],
                                         cycle_starts_[index + 1] - cycle_starts_[index]);
    }
    /// The number of the cycle that visits `node`, 0 .. cycle_count() - 1.
    [[nodiscard]] std::size_t cycle_of(NodeId node) const { return cycle_of_[node]; }
    /// gap_c(v, w): rounds that an observer needs from v to w, 0 .. length of their cycle - 1. Both
    /// nodes must lie on one cycle. gap(v, x) + gap(x, w) = gap(v, w) modulo the length.
    [[nodiscard]] NodeId gap(NodeId from, NodeId to) const;

  private:
    std::vector<NodeId> order_;  ///< cycle after cycle
    std::vector<std::size_t> cycle_starts_ = {0};
    std::vector<NodeId> position_;  ///< place of a node in `order_`
    std::vector<NodeId> cycle_of_;
};

/// The number of quiet steps that prove stability: if no active link has had a discrepancy of 2 or
/// more for this many consecutive steps, starting at any step, none ever will under THRESHOLD-1.
///
/// While all is quiet observers keep their loads, and the places of two observers repeat after the
/// least common multiple of their cycles' lengths in rounds: the window is chi times the largest
/// such multiple, at most chi * max(n, floor(n^2/4)). On a tree it is chi * n. The smaller window
/// chi * n is not enough for other networks.
/// Throws InputError as `ObserverTour`, OverflowError beyond 64 bits. Cost O(nodes log nodes +
/// links).
[[nodiscard]] Step stability_window(const AnyNetwork& network, const EdgeColouring& colouring);

}  // namespace equipoise::network
