#pragma once
// The stored network: an immutable compressed adjacency structure.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::network {

/// An immutable simple undirected graph in compressed sparse rows.
///
/// Neighbours of a node are in ascending order, so that port p leads to the p-th smallest
/// neighbour. Memory: 24 bytes per link and 8 bytes per node while links fit into 32 bits, 32 bytes
/// per link beyond. Made from a list of links, by a generator or by a reader.
class Network {
  public:
    Network() = default;

    /// The network on `node_count` nodes with the given links, in any order and orientation.
    /// Throws InputError when an end is out of range, a link is a loop or is repeated. Cost O(nodes
    /// + links log links) time; at most 1.5 times the final structure in memory when `links` is
    /// moved in.
    Network(NodeId node_count, std::vector<Ends> links);

    [[nodiscard]] NodeId node_count() const { return node_count_; }
    [[nodiscard]] LinkId link_count() const { return ends_.size(); }
    [[nodiscard]] Port degree(NodeId node) const {
        return static_cast<Port>(offsets_[node + 1] - offsets_[node]);
    }
    [[nodiscard]] Port degree_max() const { return degree_max_; }
    [[nodiscard]] Port degree_min() const { return degree_min_; }
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const {
        return neighbours_[offsets_[node] + port];
    }
    [[nodiscard]] std::span<const NodeId> neighbours(NodeId node) const {
        return {neighbours_.data() + offsets_[node], degree(node)};
    }
    [[nodiscard]] LinkId link(NodeId node, Port port) const {
        const std::uint64_t arc = offsets_[node] + port;
        return wide_links_.empty() ? narrow_links_[arc] : wide_links_[arc];
    }
    /// Both ends of a link, tail < head.
    [[nodiscard]] Ends ends(LinkId link) const { return ends_[link]; }
    [[nodiscard]] std::span<const Ends> links() const { return ends_; }

    /// First arc of every node, node_count() + 1 entries: for kernels that walk the rows.
    [[nodiscard]] std::span<const std::uint64_t> row_offsets() const { return offsets_; }
    /// Neighbours of all nodes, node after node, 2 * link_count() entries.
    [[nodiscard]] std::span<const NodeId> row_neighbours() const { return neighbours_; }

    /// Bytes held by the structure.
    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    void fill_rows();

    NodeId node_count_ = 0;
    Port degree_max_ = 0;
    Port degree_min_ = 0;
    std::vector<Ends> ends_;
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<NodeId> neighbours_;
    std::vector<std::uint32_t> narrow_links_;
    std::vector<std::uint64_t> wide_links_;
};

}  // namespace equipoise::network
