#pragma once
// How entries of node programs run them: in the simulation, or on ranks.

#include <utility>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/engine/simulation/play.hpp"

namespace equipoise::catalogue {

[[nodiscard]] inline const network::Network& tree_channels(const NetworkFacts& facts) {
    return facts.coloured_tree().tree;
}
[[nodiscard]] inline const network::Network& all_channels(const NetworkFacts& facts) {
    return facts.stored();
}

/// Plays a node program; figures are those of the network. If the world has ranks, they play.
template <class Program>
[[nodiscard]] engine::RoundOutcome play_program(const Program& program,
                                                const network::Network& channels, const Task& task,
                                                const engine::RoundOptions& options,
                                                const engine::SimulationOptions& world,
                                                engine::ProgramCosts& costs) {
    const auto simulate = [&](const engine::RoundOptions& as, const engine::SimulationOptions& in) {
        return task.facts.network().visit([&](const auto& graph) {
            return engine::run_program(program, channels, graph, task.loads, as, in, costs);
        });
    };
    if (world.fabric == nullptr) return simulate(options, world);
    return engine::play_on_ranks(program, channels, task.loads, options, world, costs, simulate);
}

/// Nodes end by themselves, or nothing is on the way any more.
[[nodiscard]] inline DefaultStop stop_at_rest(const Task& /*task*/) {
    return {};
}

/// The clock of nodes that act on views.
[[nodiscard]] inline Parameter window_parameter() {
    return {.name = "window",
            .type = ParameterType::whole,
            .default_value = "8",
            .help = "a node acts at most this many ticks after news; 0: at once",
            .words = {},
            .least = 0,
            .most = 1e6};
}

/// What the entries of programs that run on a tree and level it perfectly share; names, texts and
/// how to play it are left to the entry.
[[nodiscard]] inline Algorithm tree_program() {
    Algorithm entry;
    entry.model = StepModel::asynchronous;
    entry.needs = "a connected network; runs on a spanning tree unless the network is a tree";
    entry.stop = "its own termination";
    entry.goal_discrepancy = 1;
    entry.takes_tree = true;
    entry.expect_suitable = expect_connected;
    entry.default_stop = stop_at_rest;
    entry.program.emplace().channels = tree_channels;
    return entry;
}

}  // namespace equipoise::catalogue
