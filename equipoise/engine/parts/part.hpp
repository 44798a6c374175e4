#pragma once
// What one process knows of a network: its own nodes, and a halo of nodes of other ranks. The whole
// network is the part without a halo.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/engine/parts/partition.hpp"

namespace equipoise::engine {

/// The neighbours of own nodes by port, in local numbers: a node's arcs are offsets[node] ..
/// offsets[node + 1] - 1.
struct Rows {
    std::span<const std::uint64_t> offsets;
    std::span<const NodeId> neighbours;

    [[nodiscard]] std::uint64_t first_arc(NodeId own) const { return offsets[own]; }
    [[nodiscard]] Port degree(NodeId own) const {
        return static_cast<Port>(offsets[own + 1] - offsets[own]);
    }
    [[nodiscard]] std::span<const NodeId> of(NodeId own) const {
        return neighbours.subspan(offsets[own], degree(own));
    }
};

/// Nodes have local numbers: own nodes 0 .. own_count()-1 in the order of the partition, then the
/// halo in the order in which its nodes were met. The network must outlive
/// it. Memory: none for the whole network; otherwise 20 bytes for each node of the halo and, if
/// parts are not consecutive, 8 bytes for each own node.
class Part {
  public:
    /// The whole network.
    explicit Part(const Graph& network);
    /// One rank's part. The network need only know the rows of own nodes and the degrees of their
    /// neighbours.
    Part(const Graph& network, const Partition& partition, int rank);
    Part(Part&& other) noexcept;
    ~Part();

    [[nodiscard]] bool whole() const { return partition_ == nullptr; }
    [[nodiscard]] int rank() const { return rank_; }
    /// Which rank owns which node; not for the whole network.
    [[nodiscard]] const Partition& partition() const { return *partition_; }
    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] NodeId node_count() const { return node_count_; }  ///< of the network
    [[nodiscard]] LinkId link_count() const { return link_count_; }  ///< of the network
    [[nodiscard]] NodeId own_count() const { return own_count_; }
    /// The number of own nodes and halo nodes together.
    [[nodiscard]] NodeId local_count() const {
        return own_count_ + static_cast<NodeId>(halo_.size());
    }
    [[nodiscard]] bool owns(NodeId local) const { return local < own_count_; }
    /// Whether a node of the network is an own one.
    [[nodiscard]] bool has(NodeId global) const {
        return local_of_.empty() ? global - first_ < own_count_ : local_of_[global] != no_node;
    }
    /// The number of a node in the network.
    [[nodiscard]] NodeId global(NodeId local) const {
        if (local >= own_count_) return halo_[local - own_count_];
        return own_.empty() ? first_ + local : own_[local];
    }
    /// Own nodes in ascending order of their numbers in the network.
    [[nodiscard]] std::vector<NodeId> own_by_number() const;
    /// The local number of a node; a node of another rank that has not been met before joins the
    /// halo.
    [[nodiscard]] NodeId local(NodeId global);

    [[nodiscard]] Port degree(NodeId local) const { return graph_.degree(global(local)); }
    [[nodiscard]] NodeId neighbour(NodeId local, Port port) const {
        return graph_.neighbour(global(local), port);
    }
    [[nodiscard]] LinkId link(NodeId local, Port port) const {
        return graph_.link(global(local), port);
    }
    /// The rows of own nodes; all their neighbours join the halo. Memory: none for a whole stored
    /// network; otherwise 8 bytes for each own node and 4 bytes for each arc, from the first call
    /// on. Valid as long as the part stays where it is.
    [[nodiscard]] Rows rows();

  private:
    void number_own_nodes();

    std::shared_ptr<const Partition> partition_;  ///< null: the whole network
    Graph graph_;
    int rank_ = 0;
    NodeId node_count_ = 0;
    LinkId link_count_ = 0;
    NodeId first_ = 0;
    NodeId own_count_ = 0;
    std::vector<NodeId> own_;       ///< if parts are not consecutive
    std::vector<NodeId> local_of_;  ///< likewise, by node of the network
    std::vector<NodeId> halo_;
    std::unordered_map<NodeId, NodeId> local_of_halo_;
    std::vector<std::uint64_t> offsets_;
    std::vector<NodeId> neighbours_;
};

/// Which ends of links are own nodes.
enum class Reach : std::uint8_t {
    inner,  ///< both
    cut,    ///< one; the other is of the halo
};

/// Values by local number of node, or by arc, and the size of one in bytes; 0: there are none.
struct Values {
    std::span<std::byte> bytes;
    std::size_t size = 0;
};

/// The values that travel between two ranks, and where they are stored; both ends list them in the
/// same order.
struct HaloPlan {
    struct Peer {
        int rank = 0;
        std::vector<NodeId> send;     ///< own nodes that the peer reads
        std::vector<NodeId> receive;  ///< nodes of the peer
    };
    std::vector<Peer> peers;  ///< in ascending order of ranks

    HaloPlan() = default;
    /// Plans what travels for links between own nodes and the halo, given as pairs of local numbers
    /// (own, halo).
    HaloPlan(const Part& part, std::span<const std::pair<NodeId, NodeId>> cut);
};

}  // namespace equipoise::engine
