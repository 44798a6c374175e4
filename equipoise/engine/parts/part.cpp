#include "equipoise/engine/parts/part.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

Ends Graph::ends(LinkId link) const {
    return visit([&](const auto& network) -> Ends {
        if constexpr (std::is_same_v<std::decay_t<decltype(network)>, Piece>) {
            const bool is_whole = false;
            EQUIPOISE_ASSERT(is_whole);
            return {};
        } else {
            return network.ends(link);
        }
    });
}

Part::Part(Part&& other) noexcept = default;
Part::~Part() = default;

Part::Part(const Graph& network)
    : graph_(network),
      node_count_(network.node_count()),
      link_count_(network.link_count()),
      own_count_(node_count_) {}

Part::Part(const Graph& network, const Partition& partition, int rank)
    : partition_(std::make_shared<const Partition>(partition)),
      graph_(network),
      rank_(rank),
      node_count_(network.node_count()),
      link_count_(network.link_count()) {
    number_own_nodes();
}

void Part::number_own_nodes() {
    EQUIPOISE_ASSERT(partition_->node_count() == node_count_);
    if (partition_->consecutive()) {
        first_ = partition_->first(rank_);
        own_count_ = partition_->first(rank_ + 1) - first_;
        return;
    }
    own_ = partition_->nodes_of(rank_);
    own_count_ = static_cast<NodeId>(own_.size());
    local_of_.assign(node_count_, no_node);
    for (NodeId local = 0; local < own_count_; ++local)
        local_of_[own_[local]] = local;
}

std::vector<NodeId> Part::own_by_number() const {
    std::vector<NodeId> nodes;
    nodes.reserve(own_count_);
    if (std::is_sorted(own_.begin(), own_.end())) {
        for (NodeId local = 0; local < own_count_; ++local)
            nodes.push_back(local);
    } else {
        std::copy_if(local_of_.begin(), local_of_.end(), std::back_inserter(nodes),
                     [](NodeId local) { return local != no_node; });
    }
    return nodes;
}

NodeId Part::local(NodeId global) {
    if (has(global)) return local_of_.empty() ? global - first_ : local_of_[global];
    const auto [found, fresh] = local_of_halo_.try_emplace(global, local_count());
    if (fresh) halo_.push_back(global);
    return found->second;
}

Rows Part::rows() {
    if (whole() && graph_.stored() != nullptr)
        return {graph_.stored()->row_offsets(), graph_.stored()->row_neighbours()};
    if (offsets_.empty()) {
        offsets_.reserve(std::size_t{own_count_} + 1);
        offsets_.push_back(0);
        graph_.visit([&](const auto& network) {
            for (NodeId own = 0; own < own_count_; ++own)
                offsets_.push_back(offsets_.back() + network.degree(global(own)));
            neighbours_.reserve(offsets_.back());
            for (NodeId own = 0; own < own_count_; ++own) {
                const NodeId node = global(own);
                for (Port port = 0; port < network.degree(node); ++port)
                    neighbours_.push_back(local(network.neighbour(node, port)));
            }
        });
    }
    return {offsets_, neighbours_};
}

HaloPlan::HaloPlan(const Part& part, std::span<const std::pair<NodeId, NodeId>> cut) {
    std::map<int, Peer> by_rank;
    for (const auto& [own, other] : cut) {
        Peer& peer = by_rank[part.partition().owner(part.global(other))];
        peer.send.push_back(own);
        peer.receive.push_back(other);
    }
    const auto by_number = [&](NodeId a, NodeId b) { return part.global(a) < part.global(b); };
    for (auto& [rank, peer] : by_rank) {
        peer.rank = rank;
        for (std::vector<NodeId>* nodes : {&peer.send, &peer.receive}) {
            std::sort(nodes->begin(), nodes->end(), by_number);
            nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
        }
        peers.push_back(std::move(peer));
    }
}

}  // namespace equipoise::engine
