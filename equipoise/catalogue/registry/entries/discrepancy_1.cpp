#include "equipoise/protocols/discrepancy_1.hpp"

#include <optional>

#include "equipoise/base/counts.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries::discrepancy_1 {

namespace {

using protocols::Discrepancy1;

const ColouredTree& tree_of(const Task& task) {
    return task.facts.coloured_tree(network::spanning_tree_from_word(task.parameters.word("tree")));
}

/// The bound on steps; nothing if it is beyond 64 bits.
std::optional<std::uint64_t> steps_bound(const Task& task) {
    try {
        return theory::discrepancy_1_steps_bound_with_termination(
            load::discrepancy(task.loads), tree_of(task).colouring.colour_count, task.loads.size());
    } catch (const OverflowError&) {
        return std::nullopt;
    }
}

bool sound(const Task& task) {
    return task.parameters.word("termination") == "extremes";
}

model::Guarantee promise(const Task& task) {
    if (!sound(task)) return {};
    return {1, steps_bound(task), theory::cite_theorem(theory::papers::houle, "Theorem 18")};
}

/// The algorithm ends by itself. The unsound termination may take a cycle or two longer than the
/// sound one.
DefaultStop default_stop(const Task& task) {
    const Step phase = Step{tree_of(task).colouring.colour_count} * task.loads.size();
    DefaultStop stop;
    stop.rule.own_termination = true;
    if (const auto bound = steps_bound(task); bound && *bound < count_max)
        stop.rule.steps_max = *bound + (sound(task) ? 0 : 4 * phase);
    return stop;
}

Discrepancy1 make(const Task& task, model::Notes& notes) {
    const Colour colours = tree_of(task).colouring.colour_count;
    Discrepancy1 rule(static_cast<NodeId>(task.loads.size()), colours,
                      sound(task) ? Discrepancy1::Termination::extremes
                                  : Discrepancy1::Termination::local_max_unchanged);
    notes.constants["phase_steps"] = std::to_string(rule.phase());
    notes.constants["tree_colours"] = std::to_string(colours);
    notes.constants["tree_diameter"] =
        std::to_string(network::diameter(network::AnyNetwork(tree_of(task).tree)).lower);
    notes.on_spanning_tree = !task.facts.tree();
    return rule;
}

}  // namespace

Algorithm entry() {
    return {
        .name = "discrepancy-1",
        .after = "threshold-1-plus",
        .title = "phases of threshold-1 and threshold-1-plus in turn",
        .source = theory::cite(theory::papers::houle, "Section 5, Theorem 18"),
        .model = StepModel::single_port,
        .needs = "a connected network; runs on a spanning tree unless the network is a tree",
        .parameters = {word_parameter("termination", {"extremes", "local-max"},
                                      "how nodes know that they are done: extremes (exact extremes "
                                      "spread over the tree), local-max (suggested in a remark of "
                                      "the paper; unsound: may end too early)"),
                       word_parameter(
                           "tree", {"breadth-first", "minimum-diameter", "low-degree", "given"},
                           "the spanning tree of networks that are not trees: breadth-first (from "
                           "a centre, so that it is shallow), minimum-diameter, low-degree (few "
                           "colours), given (--tree FILE); --tree sets it")},
        .guarantee = "discrepancy at most 1 within 2 max(0, D0 - 1) chi n + chi n steps",
        .stop = "its own termination",
        .goal_discrepancy = 1,
        .one_token_a_link = true,
        .takes_tree = true,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(make, tree_colours()),
    };
}

}  // namespace equipoise::catalogue::entries::discrepancy_1
