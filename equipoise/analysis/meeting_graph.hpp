#pragma once
// Which observers of THRESHOLD-1 ever meet, on any network: how uneven loads can stay for ever.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::analysis {

/// The meeting graph of a coloured network: its nodes are the observers (network::ObserverTour),
/// each named by the node where it is at a step congruent to the start colour; two are joined if
/// they ever stand at the ends of an active link.
///
/// Once THRESHOLD-1 is stable every observer keeps its load, and observers who meet differ by at
/// most one; any such loads are stable. So the diameter is the largest discrepancy that the
/// protocol can leave for ever, and the distances from an observer are loads that attain it. The
/// graph is connected if the network is. On a tree the diameter is MSD(T). Proofs:
/// docs/results/kept-discrepancy.md.
class MeetingGraph {
  public:
    static constexpr NodeId nodes_max = 4096;

    /// Throws InputError as network::ObserverTour, UnsuitableError for more than `nodes_max` nodes.
    /// Cost O(links + meetings) and n^2 / 8 bytes.
    MeetingGraph(const network::AnyNetwork& network, const network::EdgeColouring& colouring,
                 Colour start = 0);

    [[nodiscard]] NodeId node_count() const { return nodes_; }
    [[nodiscard]] bool meet(NodeId one, NodeId other) const {
        return (rows_[one * words_ + other / 64] >> (other % 64) & 1U) != 0;
    }
    /// How many meetings lead from an observer to every other; `no_node` if none do.
    /// Cost O(n^2 / 64).
    [[nodiscard]] std::vector<NodeId> distances(NodeId from) const;
    /// The largest distance; nothing if the network is not connected, so that any discrepancy can
    /// stay. Cost O(n^3 / 64).
    [[nodiscard]] std::optional<NodeId> diameter() const;

  private:
    void join(NodeId one, NodeId other);

    NodeId nodes_;
    std::size_t words_;                ///< of 64 observers, in a row
    std::vector<std::uint64_t> rows_;  ///< symmetric
};

}  // namespace equipoise::analysis
