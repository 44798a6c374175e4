#pragma once
// How entries of node programs run them in the simulation.

#include <utility>

#include "equipoise/catalogue/algorithm.hpp"
#include "equipoise/engine/simulation/play.hpp"

namespace equipoise::catalogue::entries {

[[nodiscard]] inline const network::Network& tree_channels(const NetworkFacts& facts) {
    return facts.coloured_tree().tree;
}
[[nodiscard]] inline const network::Network& all_channels(const NetworkFacts& facts) {
    return facts.stored();
}

/// Plays a node program; what is measured is the network.
template <class Program>
[[nodiscard]] engine::RoundOutcome play_program(const Program& program,
                                                const network::Network& channels, const Task& task,
                                                const engine::RoundOptions& options,
                                                const engine::SimulationOptions& world,
                                                engine::ProgramCosts& costs) {
    return task.facts.network().visit([&](const auto& graph) {
        return engine::run_program(program, channels, graph, task.loads, options, world, costs);
    });
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
            .help = "a node acts within so many ticks of news; 0: at once",
            .words = {},
            .least = 0,
            .most = 1e6};
}

}  // namespace equipoise::catalogue::entries
