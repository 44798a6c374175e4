#pragma once
// One rank's rows of a network that no rank holds whole.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/link_stream.hpp"

namespace equipoise::engine {

/// Throws InputError, on every rank, if the ranks read different files. Collective.
void expect_same_stream(Fabric& fabric, const network::LinkStream& stream);

/// What a rank knows of a network: the rows of its own nodes, the numbers of their links in the
/// whole network, and the degrees of their neighbours. Memory: 12 bytes for each end of a link at
/// an own node and 8 bytes for each own node; 20 bytes for each neighbour on another rank; if parts
/// are not consecutive numbers also 4 bytes for each own node, plus the partition.
class Piece {
  public:
    /// Collective. Every rank reads the whole stream and keeps the links that touch its own nodes;
    /// then the ranks exchange degrees and the numbers of the links between them. If the stream
    /// throws on one rank, all throw.
    Piece(Fabric& fabric, const network::LinkStream& stream);
    /// Collective. Rank 0 holds the whole network and sends every rank its piece; the others pass
    /// null.
    Piece(Fabric& fabric, const network::AnyNetwork* whole, Partition partition);

    [[nodiscard]] const Partition& partition() const { return partition_; }
    [[nodiscard]] NodeId node_count() const { return partition_.node_count(); }
    [[nodiscard]] LinkId link_count() const { return link_count_; }
    /// The degree of an own node or of a neighbour of one.
    [[nodiscard]] Port degree(NodeId node) const {
        return owns(node) ? own_degree(node) : degrees_.at(node);
    }
    /// The neighbour behind a port of an own node.
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const {
        return neighbours_[offsets_[place(node)] + port];
    }
    [[nodiscard]] LinkId link(NodeId node, Port port) const {
        return links_[offsets_[place(node)] + port];
    }

  private:
    [[nodiscard]] bool owns(NodeId node) const {
        if (partition_.consecutive()) return node - first_ < offsets_.size() - 1;
        return partition_.owner(node) == rank_;
    }
    /// The index of an own node among all own nodes.
    [[nodiscard]] std::size_t place(NodeId node) const {
        if (partition_.consecutive()) return node - first_;
        return static_cast<std::size_t>(std::lower_bound(own_.begin(), own_.end(), node) -
                                        own_.begin());
    }
    [[nodiscard]] Port own_degree(NodeId node) const {
        const std::size_t own = place(node);
        return static_cast<Port>(offsets_[own + 1] - offsets_[own]);
    }
    void fill_rows(const network::LinkStream& stream);
    void number_links(Fabric& fabric);
    void meet_neighbours(Fabric& fabric);

    Partition partition_;
    int rank_;
    NodeId first_;
    std::vector<NodeId> own_;  ///< if parts are not consecutive
    LinkId link_count_ = 0;
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<NodeId> neighbours_;
    std::vector<LinkId> links_;
    std::unordered_map<NodeId, Port> degrees_;
};

}  // namespace equipoise::engine
