#pragma once
// Shares of a network that few links leave, found by METIS.

#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::engine {

/// Whether this library was built with METIS.
[[nodiscard]] bool has_metis();

/// A share of the nodes for every rank: sizes within about 3 % of each other, and few links between
/// shares (Karypis, Kumar 1998: multilevel k-way partitioning). Collective; rank 0 computes it from
/// `whole`, which others need not have. Networks with fewer than two nodes a rank are shared out by
/// consecutive numbers. Cost at rank 0: O(nodes + links), 12 bytes an end of a link.
/// Throws, on every rank, UnsuitableError where the library was built without METIS or the network
/// has more ends of links than METIS can number.
[[nodiscard]] Partition partition_by_metis(Fabric& fabric, const network::AnyNetwork* whole);

}  // namespace equipoise::engine
