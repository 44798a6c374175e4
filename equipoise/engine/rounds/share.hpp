#pragma once
// What a process plays of a run: the whole network and all loads, or a rank's share of them.

#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {

struct Share {
    Part part;
    load::Loads own_loads;
};

/// The partition that the options name, or consecutive nodes. Throws InputError where it is of
/// another network or another number of ranks.
[[nodiscard]] Partition partition_of(const RoundOptions& options, NodeId node_count);

/// Without a fabric everything; collective with one. `loads` are those of all nodes.
/// Throws InputError when they do not fit the network.
[[nodiscard]] Share take_share(const Graph& network, load::Loads loads,
                               const RoundOptions& options);

}  // namespace equipoise::engine
