#include <algorithm>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold_plus.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries::threshold_1_plus {

namespace {

Step round_of(const Task& task) {
    return std::max<Step>(1, task.facts.colour_count());
}

Step calm_steps(const Task& task) {
    return theory::threshold_1_plus_calm_steps(task.facts.network().node_count(), round_of(task),
                                               task.facts.tree());
}

/// A discrepancy of 1 lasts for ever, and after a round without a move nothing ever moves.
/// Otherwise the run waits for calm; if that takes too long, it ends without a proof.
DefaultStop default_stop(const Task& task) {
    DefaultStop stop;
    stop.rule.discrepancy = 1;
    stop.rule.quiet_steps = round_of(task);
    if (calm_steps(task) <= steps_affordable(task)) return stop;
    stop.rule.stable_steps = steps_of_one_tour(task);
    stop.window_is_proof = false;
    return stop;
}

protocols::Threshold1Plus make(const Task& task) {
    return {calm_steps(task), round_of(task)};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "threshold-1-plus",
        .after = "threshold-1",
        .title =
            "as threshold-1, but a node whose load is the largest it has ever had sends only to "
            "neighbours with at least 2 tokens fewer",
        .source = theory::cite(theory::papers::houle, "Section 5"),
        .model = StepModel::single_port,
        .guarantee = "none alone; it is the second phase of discrepancy-1",
        .stop =
            "discrepancy at most 1, no token moved in a full round, or its own termination: no "
            "active "
            "link had ends that differ by 2 or more, and no load rose to its node's maximum, for "
            "so "
            "many steps that neither will happen again",
        .one_token_a_link = true,
        .takes_colouring = true,
        .default_stop = default_stop,
        .stop_by_rows = stop_when_level_or_circling,
        .rounds = plays(make, colours()),
    };
}

}  // namespace equipoise::catalogue::entries::threshold_1_plus
