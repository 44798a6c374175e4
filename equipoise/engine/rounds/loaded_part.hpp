#pragma once
// The share of a run that a process plays: the whole network and all loads, or a rank's part of
// them.

#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {

struct LoadedPart {
    Part part;
    load::Loads own_loads;
    /// Whether ranks took their parts from the loads of all nodes; rank 0 then keeps those, to show
    /// them to observers.
    bool all_known = false;
    load::Loads all_loads = {};
};

/// The partition that the options name, or parts of consecutive nodes. Throws InputError if the
/// partition is for another network or another number of ranks.
[[nodiscard]] Partition partition_of(const RoundOptions& options, NodeId node_count);

/// Without a fabric, the whole network and all loads; otherwise, collectively, this rank's part.
/// `loads` are those of all nodes. Throws InputError when they do not fit the network.
[[nodiscard]] LoadedPart take_part(const Graph& network, load::Loads loads,
                                   const RoundOptions& options);

}  // namespace equipoise::engine
