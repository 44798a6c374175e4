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
    made.begins_.assign(static_cast<std::size_t>(ranks) + 1, 0);
    for (const std::uint32_t owner : owners)
        ++made.begins_[owner + 1];
    std::partial_sum(made.begins_.begin(), made.begins_.end(), made.begins_.begin());
    std::vector<NodeId> next = made.begins_;
    made.by_rank_.resize(owners.size());
    for (NodeId node = 0; node < owners.size(); ++node)
        made.by_rank_[next[owners[node]]++] = node;
    made.owners_ = std::move(owners);
    return made;
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
