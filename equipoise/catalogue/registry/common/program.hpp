#pragma once
// How entries of node programs run them: in the simulation, or on ranks.

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/engine/program_nodes.hpp"

namespace equipoise::catalogue {

[[nodiscard]] inline const network::Network& tree_channels(const NetworkFacts& facts) {
    return facts.coloured_tree().tree;
}
[[nodiscard]] inline const network::Network& all_channels(const NetworkFacts& facts) {
    return facts.stored();
}

/// Plays the nodes of a program; figures are those of the network. If there are ranks, the ranks
/// play them.
[[nodiscard]] engine::RoundOutcome play_nodes(engine::ProgramNodes& nodes,
                                              const network::Network& channels, const Task& task,
                                              const engine::RoundOptions& options,
                                              const engine::SimulationOptions& asynchrony,
                                              engine::ProgramCosts& costs);

/// The same for a program.
template <class Program>
[[nodiscard]] engine::RoundOutcome play_program(const Program& program,
                                                const network::Network& channels, const Task& task,
                                                const engine::RoundOptions& options,
                                                const engine::SimulationOptions& asynchrony,
                                                engine::ProgramCosts& costs) {
    engine::NodesOf<Program> nodes(program);
    return play_nodes(nodes, channels, task, options, asynchrony, costs);
}

/// The run ends when all nodes have ended or nothing is on the way any more.
[[nodiscard]] DefaultStop stop_at_rest(const Task& task);

/// The parameter `window`, for nodes that act on views: how long they wait.
[[nodiscard]] Parameter window_parameter();

/// What the entries share whose programs run on a tree and level it perfectly; the entry adds
/// names, texts and how it is played.
[[nodiscard]] Algorithm tree_program();

}  // namespace equipoise::catalogue
