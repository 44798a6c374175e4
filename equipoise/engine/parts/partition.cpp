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
    return made;
}

std::vector<NodeId> Partition::nodes_of(int rank) const {
    std::vector<NodeId> nodes;
    if (consecutive()) {
        nodes.resize(first(rank + 1) - first(rank));
        std::iota(nodes.begin(), nodes.end(), first(rank));
        return nodes;
    }
    for (NodeId node = 0; node < node_count_; ++node)
        if (owner(node) == rank) nodes.push_back(node);
    return nodes;
}

}  // namespace equipoise::engine
