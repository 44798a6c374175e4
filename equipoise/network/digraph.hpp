#pragma once
// Directed networks: arcs over which messages and tokens go one way only.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// Its arcs are `Ends`, from `tail` to `head`.
class Digraph {
  public:
    /// Nodes 0 .. node_count - 1; a node's out-ports are in the order of their heads' numbers.
    /// Throws InputError if an end is no node, an arc ends where it begins or is named twice.
    Digraph(NodeId node_count, std::vector<Ends> arcs);

    [[nodiscard]] NodeId node_count() const { return static_cast<NodeId>(first_.size() - 1); }
    [[nodiscard]] std::size_t arc_count() const { return heads_.size(); }
    [[nodiscard]] Port out_degree(NodeId node) const {
        return static_cast<Port>(first_[node + 1] - first_[node]);
    }
    /// The heads of the arcs that leave a node, one for each out-port.
    [[nodiscard]] std::span<const NodeId> heads(NodeId node) const {
        return std::span(heads_).subspan(first_[node], out_degree(node));
    }

  private:
    std::vector<std::size_t> first_;
    std::vector<NodeId> heads_;
};

/// The most arcs on a shortest directed way from any node to any other; at least node_count() if
/// some node cannot be reached from some other. O(nodes * arcs).
[[nodiscard]] NodeId directed_diameter(const Digraph& digraph);
/// Whether every node can be reached from every other. A single node can.
[[nodiscard]] bool is_strongly_connected(const Digraph& digraph);
/// The network of the same nodes that has a link where there is an arc in either direction.
[[nodiscard]] Network symmetric_closure(const Digraph& digraph);

/// Arcs 0 > 1 > ... > n - 1 > 0. Throws InputError for fewer than 2 nodes.
[[nodiscard]] Digraph make_directed_cycle(NodeId node_count);
/// A directed cycle through all nodes in random order and up to `more_arcs` random arcs.
[[nodiscard]] Digraph make_random_strongly_connected(NodeId node_count, std::uint64_t more_arcs,
                                                     RandomStream& random);

}  // namespace equipoise::network
