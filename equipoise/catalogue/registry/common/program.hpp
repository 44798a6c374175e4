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

/// Plays the nodes of a program; figures are those of the network. If there are ranks, they
/// play.
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

/// Nodes end by themselves, or nothing is on the way any more.
[[nodiscard]] DefaultStop stop_at_rest(const Task& task);

/// The clock of nodes that act on views.
[[nodiscard]] Parameter window_parameter();

/// What the entries of programs that run on a tree and level it perfectly share; names, texts and
/// how to play it are left to the entry.
[[nodiscard]] Algorithm tree_program();

}  // namespace equipoise::catalogue
