#include "equipoise/engine/ranks/run_on_ranks.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/rank_nodes.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

namespace {

NodeItems items_of(RankNodes& nodes, const RankReport& report, std::size_t item_bytes) {
    NodeItems items;
    for (const Tokens load : report.loads) {
        const auto mine = nodes.items().of(static_cast<NodeId>(items.size()));
        if (mine.size() / item_bytes != static_cast<std::uint64_t>(load))
            throw std::logic_error("a node ends with different numbers of items and tokens");
        items.emplace_back(mine.begin(), mine.end());
    }
    return items;
}

/// The options with which one process replays a run on ranks, in its order of deliveries.
std::pair<RoundOptions, SimulationOptions> replay_of(const RankRun& run,
                                                     const RoundOptions& options,
                                                     const SimulationOptions& asynchrony) {
    std::pair<RoundOptions, SimulationOptions> replay(options, asynchrony);
    replay.first.interrupt = {};
    replay.first.fabric = nullptr;
    replay.second.replays = &run.order;
    replay.second.fabric = nullptr;
    return replay;
}

/// Notes in the outcome of the replay why the ranks parted. Costs are compared only for programs
/// that fell silent; other replays end as soon as nothing can move any more.
void expect_replayed(const RankRun& run, const ProgramCosts& costs, RoundOutcome& replayed) {
    const bool same_costs = replayed.costs.exchanges == run.figures.exchanges &&
                            replayed.costs.messages == run.figures.messages &&
                            costs.time == run.figures.time &&
                            run.order.size() == run.figures.events + run.loads.size();
    if (replayed.loads != run.loads || (run.reason == Parting::quiet && !same_costs))
        throw std::logic_error(
            "replaying the order of deliveries does not end where the ranks ended");
    if (run.reason == Parting::interrupted)
        replayed.stopped_because = model::StopReason::interrupted;
}

/// The outcome of a run on ranks. Observers see only its beginning and its end.
RoundOutcome outcome_of(const RankRun& run, std::span<const Tokens> initial,
                        const RoundOptions& options) {
    RoundOptions here = options;
    here.fabric = nullptr;
    RunControl control(here, 1, false, initial);
    control.start(initial);
    if (run.figures.time > 0) {
        StepTotals totals;
        totals.exchanges = run.figures.exchanges;
        totals.messages = run.figures.messages;
        control.end_step(totals, run.figures.time, run.loads, {});
    }
    control.finish(run.loads);
    RoundOutcome outcome;
    outcome.loads = run.loads;
    outcome.costs = control.costs();
    const bool all_done = run.figures.nodes_done == run.loads.size();
    if (run.reason == Parting::interrupted)
        outcome.stopped_because = model::StopReason::interrupted;
    else
        outcome.stopped_because =
            all_done ? model::StopReason::own_termination : model::StopReason::quiet;
    return outcome;
}

}  // namespace

RankRun play_nodes(ProgramNodes& program, const network::Network& network,
                   std::span<const Tokens> own_loads, Fabric& fabric, const RankOptions& options,
                   NodeItems* items) {
    std::optional<RankNodes> nodes;
    together(fabric, [&] {
        nodes.emplace(program, network, own_loads, fabric, options);
        for (NodeId v = 0; items != nullptr && v < items->size(); ++v)
            nodes->items().add(v, (*items)[v]);
    });
    fabric.agree(nodes->play());
    const Parting reason = nodes->post().reason();
    const bool moves_items = items != nullptr && reason < Parting::interrupted;
    RankReport report;
    NodeItems moved;
    together(fabric, [&] {
        report = nodes->take_report();
        if (moves_items) moved = items_of(*nodes, report, options.item_bytes);
    });
    RankRun run = gather_reports(fabric, reason, std::move(report));
    if (moves_items) *items = std::move(moved);
    return run;
}

void expect_same_program(Fabric& fabric, const network::Network& network, std::size_t lists,
                         const RankOptions& options) {
    const Partition partition = Partition::contiguous(network.node_count(), fabric.ranks());
    const NodeId nodes = partition.first(fabric.rank() + 1) - partition.first(fabric.rank());
    LocalFailure failure;
    failure.guard([&] {
        if (lists != nodes)
            throw InputError("expected a load, or a list of items, for each of " +
                             std::to_string(nodes) + " nodes, found " + std::to_string(lists));
        if (!options.speeds.empty() && options.speeds.size() != network.node_count())
            throw InputError("expected a speed for each of " +
                             std::to_string(network.node_count()) + " nodes, found " +
                             std::to_string(options.speeds.size()));
    });
    Digest digest;
    digest.add(network::digest(network));
    digest.add(options.seed);
    digest.add(options.keeps_order ? 1 : 0);
    for (const Tokens speed : options.speeds)
        digest.add(static_cast<std::uint64_t>(speed));
    Ballot ballot;
    ballot.must_be_equal = digest.value();
    ballot.describe = [&] {
        return "a network of " + std::to_string(network.node_count()) + " nodes and " +
               std::to_string(network.link_count()) + " links, seed " +
               std::to_string(options.seed);
    };
    static_cast<void>(agree(fabric, failure, ballot));
}

RoundOutcome play_on_ranks(ProgramNodes& nodes, const network::Network& network,
                           std::span<const Tokens> loads, const RoundOptions& options,
                           const SimulationOptions& asynchrony, ProgramCosts& costs,
                           const Simulate& simulate) {
    Fabric& fabric = *asynchrony.fabric;
    const Partition partition =
        Partition::contiguous(static_cast<NodeId>(loads.size()), fabric.ranks());
    const NodeId begin = partition.first(fabric.rank());
    RankOptions rank;
    rank.seed = options.seed;
    rank.speeds = options.speeds;
    rank.keeps_order = asynchrony.deliveries_max > 0;
    rank.interrupt = options.interrupt;
    const RankRun run =
        play_nodes(nodes, network, loads.subspan(begin, partition.first(fabric.rank() + 1) - begin),
                   fabric, rank);
    RoundOutcome outcome;
    together(fabric, [&] {
        if (rank.keeps_order && fabric.rank() == 0) {
            const auto [as, in] = replay_of(run, options, asynchrony);
            outcome = simulate(as, in);
            expect_replayed(run, costs, outcome);
            return;
        }
        outcome = outcome_of(run, loads, options);
        costs.time = run.figures.time;
        costs.largest_message_bits = run.figures.largest_message_bits;
        costs.memory_bits = nodes.memory_bits(network.degree_max());
    });
    return outcome;
}

}  // namespace equipoise::engine
