#pragma once
// What MPI knows about the machines on which ranks run, and about the topology that a caller has
// given.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/machines.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::mpi {

/// The machines of the communicator's ranks. Collective; the same on every rank.
[[nodiscard]] Topology topology_of(const Communicator& communicator);

/// Throws InputError unless the caller's communicator has a topology (Cart, Graph or Dist_graph).
/// Not collective; the same on every rank.
void expect_topology(const Communicator& communicator);

/// All links of the topology of the caller's communicator, as pairs of ranks in either direction,
/// each once. Collective at the first call; they are kept with the communicator. Throws
/// CollectiveError on all ranks if there is no topology or one rank runs out of memory.
[[nodiscard]] const std::vector<Ends>& gather_links(const Communicator& communicator);

/// The network whose nodes are the ranks and whose links are those of the communicator's topology.
/// Collective. Throws as `gather_links` does.
///
///     const network::AnyNetwork ranks = mpi::network_of(cart);
///     equipoise::run("deal-agreement-2", ranks, loads);
[[nodiscard]] network::Network network_of(const Communicator& communicator);

}  // namespace equipoise::mpi
