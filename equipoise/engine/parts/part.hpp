#pragma once
// One rank's piece of a network: its own nodes, and a halo of nodes of other ranks.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Nodes have local numbers: own ones 0 .. own_count()-1 in ascending order of their numbers in the
/// network, then the halo as it was met. Network and partition must outlive it. Memory: 20 bytes a
/// node of the halo; where shares are not consecutive also 8 bytes an own node.
class Part {
  public:
    /// The network need only know the rows of own nodes, and the degrees of their neighbours.
    template <class N>
    Part(const N& network, const Partition& partition, int rank);

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] const Partition& partition() const { return *partition_; }
    [[nodiscard]] NodeId node_count() const { return node_count_; }  ///< of the network
    [[nodiscard]] LinkId link_count() const { return link_count_; }  ///< of the network
    [[nodiscard]] NodeId own_count() const { return own_count_; }
    /// Own nodes and halo.
    [[nodiscard]] NodeId local_count() const {
        return own_count_ + static_cast<NodeId>(halo_.size());
    }
    [[nodiscard]] bool owns(NodeId local) const { return local < own_count_; }
    /// The number in the network.
    [[nodiscard]] NodeId global(NodeId local) const {
        if (local >= own_count_) return halo_[local - own_count_];
        return partition_->consecutive() ? first_ + local : own_[local];
    }
    /// The local number; a node of another rank that was not met before joins the halo.
    [[nodiscard]] NodeId local(NodeId global);

    [[nodiscard]] Port degree(NodeId local) const { return degree_(global(local)); }
    [[nodiscard]] NodeId neighbour(NodeId local, Port port) const {
        return neighbour_(global(local), port);
    }
    [[nodiscard]] LinkId link(NodeId local, Port port) const { return link_(global(local), port); }

  private:
    void share_out();

    const Partition* partition_ = nullptr;
    int rank_ = 0;
    NodeId node_count_ = 0;
    LinkId link_count_ = 0;
    NodeId first_ = 0;
    NodeId own_count_ = 0;
    std::vector<NodeId> own_;       ///< where shares are not consecutive
    std::vector<NodeId> local_of_;  ///< likewise, by node of the network
    std::vector<NodeId> halo_;
    std::unordered_map<NodeId, NodeId> local_of_halo_;
    std::function<Port(NodeId)> degree_;
    std::function<NodeId(NodeId, Port)> neighbour_;
    std::function<LinkId(NodeId, Port)> link_;
};

template <class N>
Part::Part(const N& network, const Partition& partition, int rank)
    : partition_(&partition),
      rank_(rank),
      node_count_(network.node_count()),
      link_count_(network.link_count()),
      degree_([&network](NodeId node) { return network.degree(node); }),
      neighbour_([&network](NodeId node, Port port) { return network.neighbour(node, port); }),
      link_([&network](NodeId node, Port port) { return network.link(node, port); }) {
    share_out();
}

extern template Part::Part(const network::Network& network, const Partition& partition, int rank);
extern template Part::Part(const network::Grid& network, const Partition& partition, int rank);

/// The links of own nodes by port. Memory: 8 bytes a node, 4 bytes a link's end.
struct PartRows {
    PartRows() = default;
    explicit PartRows(Part& part);

    [[nodiscard]] std::span<const NodeId> of(NodeId own) const {
        return std::span<const NodeId>(neighbours)
            .subspan(offsets[own], offsets[own + 1] - offsets[own]);
    }

    std::vector<std::uint64_t> offsets = {0};  ///< first arc of every own node
    std::vector<NodeId> neighbours;            ///< local numbers
};

/// The links of own nodes that lead to other ranks, as pairs of local numbers (own, halo), in the
/// order of rows. All of them join the halo.
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> links_to_others(Part& part);

/// What travels between two ranks and where it lands: both ends list it in the same order.
struct HaloPlan {
    struct Peer {
        int rank = 0;
        std::vector<NodeId> send;     ///< own nodes that the peer looks at
        std::vector<NodeId> receive;  ///< nodes of the peer
    };
    std::vector<Peer> peers;  ///< in ascending order of ranks

    HaloPlan() = default;
    /// For links that join own nodes with the halo, as pairs of local numbers (own, halo).
    HaloPlan(const Part& part, std::span<const std::pair<NodeId, NodeId>> cut);
};

}  // namespace equipoise::engine
