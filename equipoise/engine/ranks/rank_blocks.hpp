#pragma once
// Which rank runs which nodes: consecutive ones, as evenly as it goes.

#include <cstdint>

#include "equipoise/base/ids.hpp"

namespace equipoise::engine {

struct RankBlocks {
    NodeId nodes = 0;
    int ranks = 1;

    /// The first node of a rank; `first(ranks)` is one past the last node.
    [[nodiscard]] NodeId first(int rank) const {
        return static_cast<NodeId>(std::uint64_t{nodes} * static_cast<std::uint64_t>(rank) /
                                   static_cast<std::uint64_t>(ranks));
    }
    [[nodiscard]] int owner(NodeId node) const {
        return static_cast<int>(
            ((std::uint64_t{node} + 1) * static_cast<std::uint64_t>(ranks) - 1) / nodes);
    }
};

}  // namespace equipoise::engine
