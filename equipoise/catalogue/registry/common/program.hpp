#pragma once
// How entries of node programs run them: in the simulation, or on ranks.

#include <concepts>
#include <utility>
#include <variant>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/engine/program_nodes.hpp"

namespace equipoise::catalogue {

[[nodiscard]] inline const network::Network& tree_channels(const NetworkFacts& facts) {
    return facts.coloured_tree().tree;
}

/// Plays the nodes of a program; figures are those of the network. If there are ranks, the ranks
/// play them.
[[nodiscard]] engine::RoundOutcome play_nodes(engine::ProgramNodes& nodes,
                                              const network::Network& channels, const Task& task,
                                              const engine::RoundOptions& options,
                                              const engine::SimulationOptions& asynchrony,
                                              engine::ProgramCosts& costs);

namespace detail {

/// The program itself, or the program that a Make returns for a run.
template <class Make>
[[nodiscard]] decltype(auto) program_of(const Make& make, const Task& task,
                                        const engine::SimulationOptions& asynchrony) {
    if constexpr (std::invocable<Make, const Task&, const engine::SimulationOptions&>)
        return make(task, asynchrony);
    else if constexpr (std::invocable<Make, const Task&>)
        return make(task);
    else
        return (make);
}

}  // namespace detail

/// A node program in its world; how it is played is filled in here. `make` is the program itself,
/// or a function object that makes it (or a variant of several), called with (task) or (task,
/// asynchrony).
template <class Make>
[[nodiscard]] ProgramPlay runs(Make make, ProgramPlay world) {
    world.play = [make = std::move(make), channels = world.channels](
                     const Task& task, const engine::RoundOptions& options,
                     const engine::SimulationOptions& asynchrony, engine::ProgramCosts& costs) {
        const auto play = [&](const auto& program) {
            engine::NodesOf nodes(program);
            return play_nodes(nodes, channels(task.facts), task, options, asynchrony, costs);
        };
        const auto& made = detail::program_of(make, task, asynchrony);
        if constexpr (requires { engine::NodesOf(made); })
            return play(made);
        else
            return std::visit(play, made);
    };
    return world;
}

/// The parameter `window`, for nodes that act on views: how long they wait.
[[nodiscard]] Parameter window_parameter();

/// Completes an entry of a program that runs on a tree with all that such entries share. The entry
/// itself has names, texts and the program.
[[nodiscard]] Algorithm on_tree(Algorithm entry);

}  // namespace equipoise::catalogue
