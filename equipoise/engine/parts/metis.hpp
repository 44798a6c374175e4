#pragma once
// Partitions with few links between the parts, computed by METIS.

#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::engine {

/// Whether this library was built with METIS.
[[nodiscard]] bool has_metis();

/// Gives every rank a part of the nodes: sizes are within about 3 % of each other, and few links
/// join different parts (Karypis, Kumar 1998: multilevel k-way partitioning). Collective; rank 0
/// computes it from `whole`, which the other ranks need not have. Networks with fewer than two
/// nodes for each rank are split by consecutive numbers. Cost on rank 0: O(nodes + links), 12 bytes
/// for each end of a link. Throws UnsuitableError, on every rank, if the library was built without
/// METIS or the network has more ends of links than METIS can number.
[[nodiscard]] Partition partition_by_metis(Fabric& fabric, const network::AnyNetwork* whole);

}  // namespace equipoise::engine
