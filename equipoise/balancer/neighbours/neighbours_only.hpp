#pragma once
// Items that move only between neighbours of the communicator's topology, by an algorithm of the
// catalogue. A target of its own (equipoise::balancer_neighbours): programs that do not use it link
// neither the catalogue nor anything that the catalogue needs.

#include <string>

#include "equipoise/balancer/options.hpp"

namespace equipoise::balancer {

/// Options with Policy::neighbours_only, planned by this algorithm:
///
///     rebalance(ring, items, neighbours_only());
///
/// `rebalance` and `make_plan` then run it on the network of ranks, and move its net flows. They
/// throw CollectiveError where equipoise::run would throw InputError or UnsuitableError (in words
/// of ranks, items and topologies), and if the algorithm leaves a rank with a negative number of
/// items or moves fractions of items; errors that can be known before a run are thrown even if
/// loads are level and nothing moves. Cost on every rank: that of the run.
[[nodiscard]] Options neighbours_only(std::string algorithm = "deal-agreement-2");

}  // namespace equipoise::balancer
