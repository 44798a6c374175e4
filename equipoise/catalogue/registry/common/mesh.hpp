#pragma once
// How entries play programs for meshes.

#include <optional>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/engine/moves.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue {

/// The network as a box of processors: a mesh, a torus without its closing links, a hypercube (a
/// box of sides 2), or a path whose nodes are numbered from end to end.
[[nodiscard]] std::optional<mesh::Box> find_box(const network::AnyNetwork& network);

/// The same. Throws UnsuitableError if there is none.
[[nodiscard]] mesh::Box box_of(const Task& task);

/// The sides of a network that is this box; for a grid also its sides of 1.
[[nodiscard]] std::vector<NodeId> sides_of(const network::AnyNetwork& network,
                                           const mesh::Box& box);

/// Completes an entry of a program for meshes with all that such entries share. The entry itself
/// has names, texts, goals and the program.
[[nodiscard]] Algorithm on_mesh(Algorithm entry);

/// The engine's options: step by step if an observer other than a progress display looks at single
/// steps.
[[nodiscard]] engine::RoundOptions mesh_options(const engine::RoundOptions& options);

/// Discrepancy 1 and no number of steps, since their bound has no constant.
[[nodiscard]] model::Guarantee promise_discrepancy_1(const Task& task);

/// Promises between floor(N/V) - 1 and ceil(N/V) + 1 tokens in every cell.
[[nodiscard]] model::Guarantee promise_one_exact(const Task& task);

/// Notes how many steps of each kind there were, and whether moves were played or only computed.
void note_costs(const engine::MoveCosts& costs, model::Notes& notes);

/// Plays a program on the network as a box.
template <class Program>
[[nodiscard]] engine::RoundOutcome play_on_box(const Program& program, const Task& task,
                                               const engine::RoundOptions& options,
                                               model::Notes& notes) {
    engine::MoveCosts costs;
    engine::RoundOutcome outcome = engine::run_moves(program, box_of(task), task.facts.network(),
                                                     task.loads, mesh_options(options), costs);
    note_costs(costs, notes);
    return outcome;
}

/// Plays the strongly adaptive algorithm in the same way, and notes t of its last round.
[[nodiscard]] engine::RoundOutcome play_strong(mesh::Agreement agreement, const Task& task,
                                               const engine::RoundOptions& options,
                                               model::Notes& notes);

// The same as functions that entries can name.
template <class Program>
[[nodiscard]] engine::RoundOutcome play_mesh(const Task& task, const engine::RoundOptions& options,
                                             model::Notes& notes) {
    return play_on_box(Program{}, task, options, notes);
}
template <mesh::Agreement agreement>
[[nodiscard]] engine::RoundOutcome play_strong(const Task& task,
                                               const engine::RoundOptions& options,
                                               model::Notes& notes) {
    return play_strong(agreement, task, options, notes);
}

}  // namespace equipoise::catalogue
