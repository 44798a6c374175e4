#include "equipoise/engine/parts/part.hpp"

#include <algorithm>
#include <map>

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

template Part::Part(const network::Network& network, const Partition& partition, int rank);
template Part::Part(const network::Grid& network, const Partition& partition, int rank);

void Part::share_out() {
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

NodeId Part::local(NodeId global) {
    if (partition_->consecutive()) {
        if (global - first_ < own_count_) return global - first_;
    } else if (local_of_[global] != no_node) {
        return local_of_[global];
    }
    const auto [found, fresh] = local_of_halo_.try_emplace(global, local_count());
    if (fresh) halo_.push_back(global);
    return found->second;
}

PartRows::PartRows(Part& part) {
    for (NodeId node = 0; node < part.own_count(); ++node) {
        const Port degree = part.degree(node);
        for (Port port = 0; port < degree; ++port)
            neighbours.push_back(part.local(part.neighbour(node, port)));
        offsets.push_back(neighbours.size());
    }
}

std::vector<std::pair<NodeId, NodeId>> links_to_others(Part& part) {
    std::vector<std::pair<NodeId, NodeId>> cut;
    for (NodeId node = 0; node < part.own_count(); ++node)
        for (Port port = 0; port < part.degree(node); ++port) {
            const NodeId other = part.local(part.neighbour(node, port));
            if (!part.owns(other)) cut.emplace_back(node, other);
        }
    return cut;
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
