#pragma once
// One rank's rows of a network that is nowhere whole.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/generators/link_stream.hpp"

namespace equipoise::engine {

/// What a rank knows of a network: the rows of its own nodes (consecutive numbers), their links'
/// numbers in the whole network, and the degrees of their neighbours. Memory: 12 bytes for each end
/// of an own node's link and 8 bytes an own node; 20 bytes a neighbour on another rank.
class Piece {
  public:
    /// Collective. Every rank passes over the stream and keeps what touches its nodes; then ranks
    /// tell each other degrees and numbers of the links that they share. Throws, on every rank,
    /// what the stream throws on one.
    Piece(Fabric& fabric, const network::LinkStream& stream);

    [[nodiscard]] const Partition& partition() const { return partition_; }
    [[nodiscard]] NodeId node_count() const { return partition_.node_count(); }
    [[nodiscard]] LinkId link_count() const { return link_count_; }
    /// Of an own node or a neighbour of one.
    [[nodiscard]] Port degree(NodeId node) const {
        return owns(node) ? own_degree(node) : degrees_.at(node);
    }
    /// Of own nodes.
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const {
        return neighbours_[offsets_[node - first_] + port];
    }
    [[nodiscard]] LinkId link(NodeId node, Port port) const {
        return links_[offsets_[node - first_] + port];
    }

  private:
    [[nodiscard]] bool owns(NodeId node) const { return node - first_ < offsets_.size() - 1; }
    [[nodiscard]] Port own_degree(NodeId node) const {
        return static_cast<Port>(offsets_[node - first_ + 1] - offsets_[node - first_]);
    }
    void fill_rows(const network::LinkStream& stream);
    void number_links(Fabric& fabric);
    void meet_neighbours(Fabric& fabric);

    Partition partition_;
    int rank_;
    NodeId first_;
    LinkId link_count_ = 0;
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<NodeId> neighbours_;
    std::vector<LinkId> links_;
    std::unordered_map<NodeId, Port> degrees_;
};

}  // namespace equipoise::engine
