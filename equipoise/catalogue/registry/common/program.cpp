#include "equipoise/catalogue/registry/common/program.hpp"

#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/engine/simulation/play.hpp"

namespace equipoise::catalogue {

engine::RoundOutcome play_nodes(engine::ProgramNodes& nodes, const network::Network& channels,
                                const Task& task, const engine::RoundOptions& options,
                                const engine::SimulationOptions& asynchrony,
                                engine::ProgramCosts& costs) {
    const auto simulate = [&](const engine::RoundOptions& as, const engine::SimulationOptions& in) {
        return task.facts.network().visit([&](const auto& graph) {
            return engine::run_program(nodes, channels, graph, task.loads, as, in, costs);
        });
    };
    if (asynchrony.fabric == nullptr) return simulate(options, asynchrony);
    return engine::play_on_ranks(nodes, channels, task.loads, options, asynchrony, costs, simulate);
}

Parameter window_parameter() {
    return whole_parameter(
        "window", "8", {0, 1e6},
        "a node acts at most this many ticks after it hears from a neighbour; 0: at once");
}

Algorithm on_tree(Algorithm entry) {
    entry.model = StepModel::asynchronous;
    entry.needs = "a connected network; runs on a spanning tree unless the network is a tree";
    entry.stop = "its own termination";
    entry.takes_tree = true;
    return entry;
}

}  // namespace equipoise::catalogue
