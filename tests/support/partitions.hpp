#pragma once
// Partitions of nodes among ranks.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/parts/partition.hpp"

namespace equipoise::test {

/// Owners drawn for each node: parts that are not consecutive.
inline engine::Partition drawn_partition(NodeId nodes, int ranks) {
    std::vector<std::uint32_t> owners;
    for (NodeId node = 0; node < nodes; ++node)
        owners.push_back(static_cast<std::uint32_t>(
            RandomStream(3, Purpose::schedule, node, 0).at(0) % static_cast<std::uint64_t>(ranks)));
    return engine::Partition::of(std::move(owners), ranks);
}

}  // namespace equipoise::test
