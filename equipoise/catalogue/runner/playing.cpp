#include "equipoise/catalogue/runner/playing.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/asynchrony.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/link_figures.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue {

namespace {

/// Plays on rank 0 alone and sends the others the outcome; the loads only if every rank needs them.
template <class Play>
engine::RoundOutcome play_on_rank_0(engine::Fabric& fabric, model::FinalLoads final_loads,
                                    const Play& play) {
    engine::RoundOutcome played;
    engine::on_first(fabric, [&] { played = play(); });
    broadcast_value(fabric, played.costs);
    broadcast_value(fabric, played.created);
    broadcast_value(fabric, played.destroyed);
    broadcast_value(fabric, played.stopped_because);
    broadcast_value(fabric, played.level_since);
    if (final_loads == model::FinalLoads::on_every_rank)
        broadcast_values(fabric, played.loads);
    else
        played.final_loads = model::FinalLoads::on_rank_0;
    return played;
}

/// The ranks on which the nodes of an asynchronous run are played; null if the run is simulated, as
/// it must be if it needs something that only a simulation has.
engine::Fabric* ranks_of(const Algorithm& algorithm, const RunOptions& options) {
    if (options.fabric == nullptr || options.fabric->ranks() == 1 || !options.nodes_on_ranks ||
        !algorithm.program || !options.asynchrony.empty() || options.world_changes() ||
        options.stop || options.steps_max || options.deliveries != nullptr)
        return nullptr;
    return options.fabric;
}

/// Plays a node program; on ranks, unless they are null.
engine::RoundOutcome play_in_world(const Algorithm& algorithm, const Task& task,
                                   const engine::RoundOptions& round, const RunOptions& options,
                                   engine::Fabric* ranks, model::Record& record) {
    const AsynchronyTexts& asynchrony = options.asynchrony;
    engine::SimulationOptions simulated = simulation_options(algorithm, task.facts, asynchrony);
    simulated.replays = options.deliveries;
    simulated.fabric = ranks;
    // A run on ranks can be repeated only with its order of events.
    const bool needs_order = (ranks != nullptr || options.deliveries != nullptr) &&
                             options.record_level != model::RecordLevel::summary;
    if ((options.record_level == model::RecordLevel::full || needs_order) &&
        !simulated.faults.any() && !options.world_changes())
        simulated.deliveries_max = deliveries_recorded_max;
    simulated.follows_held = options.record_level == model::RecordLevel::full;
    const std::uint64_t ranks_played =
        ranks == nullptr ? options.replayed_ranks : static_cast<std::uint64_t>(ranks->ranks());
    std::string delays = asynchrony.delays;
    if (delays.empty() && ranks_played == 0) delays = "unit";
    engine::ProgramCosts costs;
    engine::RoundOutcome played = algorithm.program->play(task, round, simulated, costs);
    if (ranks != nullptr) {
        broadcast_value(*ranks, played.costs);
        broadcast_value(*ranks, played.stopped_because);
        broadcast_value(*ranks, played.level_since);
    }
    std::optional<model::FaultsMet> met;
    if (simulated.faults.any()) met = {costs.lost, costs.duplicated, costs.crashes};
    record.loads_may_be_negative = simulated.faults.corrupt_start;
    record.on_spanning_tree =
        &algorithm.program->channels(task.facts) != &task.facts.stored() && !task.facts.tree();
    record.held = costs.held;
    record.asynchrony = {std::move(delays),
                         asynchrony.adversary,
                         asynchrony.faults,
                         costs.time,
                         costs.largest_message_bits,
                         costs.memory_bits,
                         costs.digest,
                         algorithm.program->kinds,
                         std::move(costs.deliveries),
                         asynchrony.ports,
                         met,
                         ranks_played,
                         std::move(costs.phases)};
    return played;
}

/// Whether rank 0 may play synchronous rounds without the others, and is faster that way.
bool plays_better_alone(const network::AnyNetwork& network, const RunOptions& options) {
    return options.may_play_alone && options.partition == nullptr &&
           options.reorder == network::NodeOrder::natural &&
           (!options.churn.empty() || few_for_ranks(network.node_count(), options.fabric->ranks()));
}

engine::RoundOutcome play_entry(const Algorithm& algorithm, const Task& task,
                                const engine::RoundOptions& round, const RunOptions& options,
                                engine::Fabric* ranks, model::Record& record) {
    if (algorithm.program) return play_in_world(algorithm, task, round, options, ranks, record);
    if (algorithm.rounds != nullptr) return play_rounds(algorithm, task, round, record);
    return algorithm.moves(task, round, record);
}

}  // namespace

engine::RoundOutcome play(const Algorithm& algorithm, const Task& task,
                          const engine::RoundOptions& round, const RunOptions& options,
                          model::Record& record) {
    engine::Fabric* const ranks = ranks_of(algorithm, options);
    const bool on_rank_0 =
        options.fabric != nullptr && ranks == nullptr &&
        (!algorithm.plays_rounds() || plays_better_alone(task.facts.network(), options));
    if (!on_rank_0) return play_entry(algorithm, task, round, options, ranks, record);
    return play_on_rank_0(*options.fabric, round.final_loads, [&] {
        engine::RoundOptions alone = round;
        alone.fabric = nullptr;
        return play_entry(algorithm, task, alone, options, nullptr, record);
    });
}

FinalFigures figures_of(const Task& task, const engine::RoundOptions& round,
                        engine::RoundOutcome& played) {
    const network::AnyNetwork& network = task.facts.network();
    FinalFigures figures;
    const auto look_at_all = [&] {
        figures.discrepancy = load::discrepancy(played.loads);
        figures.local_imbalance = network.visit([&](const auto& graph) {
            return load::local_imbalance(graph, std::span<const Tokens>(played.loads));
        });
    };
    switch (played.final_loads) {
        case model::FinalLoads::on_every_rank:
            look_at_all();
            break;
        case model::FinalLoads::on_rank_0:
            engine::on_first(*round.fabric, look_at_all);
            broadcast_value(*round.fabric, figures);
            break;
        case model::FinalLoads::apart: {
            engine::Fabric& fabric = *round.fabric;
            std::optional<engine::Part> part;
            engine::together(fabric, [&] {
                part.emplace(engine::Graph(network),
                             engine::partition_of(round, network.node_count()), fabric.rank());
            });
            figures.discrepancy = *played.discrepancy;
            figures.local_imbalance =
                engine::link_figures(fabric, std::move(*part), played.loads).local_imbalance;
            break;
        }
    }
    return figures;
}

}  // namespace equipoise::catalogue
