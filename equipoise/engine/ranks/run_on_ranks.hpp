#pragma once
// A node program on all ranks of a transport, from the loads to the outcome.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/play_ranks.hpp"
#include "equipoise/engine/ranks/rank_host.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/ranks/transport.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"

namespace equipoise::engine {

/// The items of a rank's own nodes, as bytes; and their loads, which are as many items.
using NodeItems = std::vector<std::vector<std::byte>>;

/// Runs a node program on nodes that are spread over the ranks (`Partition::contiguous`).
/// Collective: every rank brings the same program, network, speeds and seed, and the loads of its
/// own nodes; with `options.item_bytes` also their items, one a token, which follow the tokens.
/// Ends when every program has ended or all wait for messages of which there are none; for programs
/// that never fall silent and can tell (`model::Settles`), when no token can move any more. What
/// goes wrong on one rank is thrown on all (`Transport::agree`).
template <model::NodeProgram Program>
[[nodiscard]] RankRun run_on_ranks(const Program& program, const network::Network& network,
                                   std::span<const Tokens> loads, Transport& transport,
                                   const RankOptions& options, NodeItems* items = nullptr) {
    std::optional<RankHost<Program>> host;
    RankReport report;
    RankRun run;
    together(transport, [&] {
        host.emplace(program, network, loads, transport, options);
        for (NodeId v = 0; items != nullptr && v < items->size(); ++v)
            host->items().add(v, (*items)[v]);
    });
    transport.agree(host->play());
    together(transport, [&] {
        report = host->take_report();
        if (items == nullptr || host->post().reason() >= Parting::interrupted) return;
        for (NodeId v = 0; v < items->size(); ++v) {
            const auto mine = host->items().of(v);
            if (mine.size() / options.item_bytes != static_cast<std::uint64_t>(report.loads[v]))
                throw std::logic_error("a node ends with other numbers of items and tokens");
            (*items)[v].assign(mine.begin(), mine.end());
        }
    });
    together(transport, [&] { run = gather_reports(host->post(), std::move(report)); });
    return run;
}

/// The same on the ranks of `world.transport` as a run with observers and costs. Where the order of
/// deliveries is wanted (`world.deliveries_max`), rank 0 plays it by `simulate(options, world)` and
/// answers what came of that, which must be what the ranks came to; otherwise steps are the length
/// of the longest chain of events that cause each other. All other ranks answer the latter.
template <model::NodeProgram Program, class Simulate>
[[nodiscard]] RoundOutcome play_on_ranks(const Program& program, const network::Network& network,
                                         std::span<const Tokens> loads, const RoundOptions& options,
                                         const SimulationOptions& world, ProgramCosts& costs,
                                         const Simulate& simulate) {
    Transport& transport = *world.transport;
    const Partition shares = Partition::contiguous(network.node_count(), transport.ranks());
    const NodeId begin = shares.first(transport.rank());
    RankOptions rank;
    rank.seed = options.seed;
    rank.speeds = options.speeds;
    rank.keeps_order = world.deliveries_max > 0;
    rank.interrupt = options.interrupt;
    const RankRun run = run_on_ranks(
        program, network, loads.subspan(begin, shares.first(transport.rank() + 1) - begin),
        transport, rank);
    RoundOutcome outcome;
    together(transport, [&] {
        if (rank.keeps_order && transport.rank() == 0) {
            const auto [as, in] = replay_of(run, options, world);
            outcome = simulate(as, in);
            expect_replayed(run, outcome);
            return;
        }
        outcome = outcome_of(run, loads, options);
        costs.time = run.figures.time;
        costs.largest_message_bits = run.figures.largest_message_bits;
        costs.memory_bits = 8 * (sizeof(typename Program::State) +
                                 network.degree_max() * sizeof(typename Program::PortState));
    });
    return outcome;
}

}  // namespace equipoise::engine
