#include "equipoise/engine/parts/partition.hpp"

#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::engine {

Partition Partition::contiguous(NodeId node_count, int ranks) {
    EQUIPOISE_ASSERT(ranks >= 1);
    Partition made;
    made.node_count_ = node_count;
    made.ranks_ = ranks;
    return made;
}

Partition Partition::of(std::vector<std::uint32_t> owners, int ranks) {
    for (const std::uint32_t owner : owners)
        if (owner >= static_cast<std::uint32_t>(ranks))
            throw InputError("expected the ranks 0 to " + std::to_string(ranks - 1) +
                             " as owners of nodes, found " + std::to_string(owner));
    Partition made = contiguous(static_cast<NodeId>(owners.size()), ranks);
    made.owners_ = std::move(owners);
    std::vector<NodeId> ascending(made.node_count_);
    std::iota(ascending.begin(), ascending.end(), NodeId{0});
    made.list_parts(ascending);
    return made;
}

Partition Partition::in_order(std::span<const NodeId> order) const {
    EQUIPOISE_ASSERT(order.size() == node_count_);
    Partition made = contiguous(node_count_, ranks_);
    made.owners_.resize(node_count_);
    for (NodeId place = 0; place < node_count_; ++place)
        made.owners_[order[place]] =
            static_cast<std::uint32_t>(owner(consecutive() ? place : order[place]));
    made.list_parts(order);
    return made;
}

// The nodes by their owners, those of a rank in the given order.
void Partition::list_parts(std::span<const NodeId> order) {
    begins_.assign(static_cast<std::size_t>(ranks_) + 1, 0);
    for (const std::uint32_t owner : owners_)
        ++begins_[owner + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<NodeId> next = begins_;
    by_rank_.resize(owners_.size());
    for (const NodeId node : order)
        by_rank_[next[owners_[node]]++] = node;
}

std::vector<NodeId> Partition::nodes_of(int rank) const {
    if (consecutive()) {
        std::vector<NodeId> nodes(size_of(rank));
        std::iota(nodes.begin(), nodes.end(), first(rank));
        return nodes;
    }
    const auto index = static_cast<std::size_t>(rank);
    return {by_rank_.begin() + begins_[index], by_rank_.begin() + begins_[index + 1]};
}

}  // namespace equipoise::engine
