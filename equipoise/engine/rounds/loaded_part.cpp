#include "equipoise/engine/rounds/loaded_part.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/run_control.hpp"

namespace equipoise::engine {

Partition partition_of(const RoundOptions& options, NodeId node_count) {
    const int ranks = options.fabric->ranks();
    if (options.partition == nullptr) return Partition::contiguous(node_count, ranks);
    const Partition& given = *options.partition;
    if (given.node_count() != node_count || given.ranks() != ranks)
        throw InputError("expected a partition of " + std::to_string(node_count) + " nodes for " +
                         std::to_string(ranks) + " ranks, found one of " +
                         std::to_string(given.node_count()) + " nodes for " +
                         std::to_string(given.ranks()));
    return given;
}

LoadedPart take_part(const Graph& network, load::Loads loads, const RoundOptions& options) {
    loads = expect_one_a_node(std::move(loads), network.node_count());
    if (options.fabric == nullptr) return {Part(network), std::move(loads)};
    const int rank = options.fabric->rank();
    std::optional<LoadedPart> loaded;
    together(*options.fabric, [&] {
        const Partition partition = partition_of(options, network.node_count());
        const NodeId count = partition.size_of(rank);
        // With room for the loads of a halo, which is seldom larger: what is not used is not
        // touched.
        load::Loads own;
        own.reserve(count + count / 8);
        if (partition.consecutive()) {
            const auto first = loads.begin() + static_cast<std::ptrdiff_t>(partition.first(rank));
            own.assign(first, first + static_cast<std::ptrdiff_t>(count));
        } else {
            for (const NodeId node : partition.nodes_of(rank))
                own.push_back(loads[node]);
        }
        loaded.emplace(LoadedPart{Part(network, partition, rank), std::move(own), true, {}});
        if (rank == 0) loaded->all_loads = std::move(loads);
    });
    return std::move(*loaded);
}

}  // namespace equipoise::engine
