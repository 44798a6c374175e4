#pragma once
// Node programs on the ranks of a communicator, for MPI programs: items follow tokens.
//
//     // One node for each rank, on a path of ranks; afterwards each has its share of the items.
//     const network::Network path = ...;
//     std::vector<std::vector<Item>> items = {std::move(mine)};
//     mpi::run_program(MPI_COMM_WORLD, programs::MinimumExchangeTree(true), path, items);

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/fabric.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::mpi {

/// Options that must be the same on all ranks.
struct ProgramOptions {
    std::uint64_t seed = 0;
    View<Tokens> speeds = {};  ///< of all nodes; empty: all 1
    bool keeps_order = false;  ///< rank 0 learns the order of deliveries, which can be replayed
};

/// The nodes of a rank: consecutive ones, as evenly as possible; with as many nodes as ranks, one
/// for each.
[[nodiscard]] inline std::pair<NodeId, NodeId> nodes_of_rank(const network::Network& network,
                                                             int rank, int ranks) {
    const engine::Partition partition = engine::Partition::contiguous(network.node_count(), ranks);
    return {partition.first(rank), partition.first(rank + 1)};
}

namespace detail {

/// A fabric that throws the errors of MPI programs.
class ProgramFabric final : public Fabric {
  public:
    using Fabric::Fabric;
    [[noreturn]] void raise(const engine::RankFailure& found) const override {
        throw_collective_error(found);
    }
};

[[nodiscard]] inline engine::RankOptions rank_options(const ProgramOptions& options) {
    engine::RankOptions rank;
    rank.seed = options.seed;
    rank.speeds = options.speeds;
    rank.keeps_order = options.keeps_order;
    return rank;
}

}  // namespace detail

/// Runs a node program of the library (equipoise/programs/) or of the caller on the nodes of
/// `network`, which are spread over the ranks (`nodes_of_rank`), with tokens that are only counted:
/// `loads` of this rank's nodes. Collective; all ranks pass the same program, network and options.
/// Returns the loads of all nodes on every rank, and costs. Throws CollectiveError, the same on all
/// ranks.
template <model::NodeProgram Program>
engine::RankRun run_program(MPI_Comm communicator, const Program& program,
                            const network::Network& network, std::span<const Tokens> loads,
                            const ProgramOptions& options = {}) {
    detail::ProgramFabric fabric(communicator);
    return engine::run_on_ranks(program, network, loads, fabric, detail::rank_options(options));
}

/// The same with items: `items[i]` are those of this rank's i-th node, one for each of its tokens.
/// A message that carries k tokens carries k items of its sender too. At the end every node has as
/// many items as tokens. If anything throws, all items are where they were.
template <model::NodeProgram Program, class Item>
    requires std::is_trivially_copyable_v<Item>
engine::RankRun run_program(MPI_Comm communicator, const Program& program,
                            const network::Network& network, std::vector<std::vector<Item>>& items,
                            const ProgramOptions& options = {}) {
    detail::ProgramFabric fabric(communicator);
    return engine::run_on_ranks(program, network, items, fabric, detail::rank_options(options));
}

}  // namespace equipoise::mpi
