#include <algorithm>

#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/protocols/threshold_plus.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

Step round_of(const Task& task) {
    return std::max<Step>(1, task.facts.colour_count());
}

Step calm_steps(const Task& task) {
    return theory::threshold_1_plus_calm_steps(task.loads.size(), round_of(task),
                                               task.facts.tree());
}

/// A discrepancy of 1 stays, and so does a round without a move. Else calm is waited for; where
/// that takes too long, the run ends without a proof.
DefaultStop default_stop(const Task& task) {
    DefaultStop stop;
    stop.rule.discrepancy = 1;
    stop.rule.quiet_steps = round_of(task);
    if (calm_steps(task) <= steps_affordable(task)) return stop;
    stop.rule.stable_steps = steps_of_one_tour(task);
    stop.window_is_proof = false;
    return stop;
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& /*constants*/) {
    return play_colours(protocols::Threshold1Plus(calm_steps(task), round_of(task)), task, options);
}

}  // namespace

Algorithm threshold_1_plus() {
    return {
        .name = "threshold-1-plus",
        .title =
            "THRESHOLD-1 PLUS alone: as THRESHOLD-1, but the largest load that a node has ever "
            "held stays put",
        .source = "Houle, Symvonis, Wood 2004, Section 5",
        .model = Model::single_port,
        .needs = "a connected network",
        .parameters = {},
        .guarantee = "none alone; it is the second phase of discrepancy-1",
        .stop =
            "discrepancy at most 1, no token moved in a full round, or its own termination: no "
            "node stirred for a stability window",
        .goal_discrepancy = {},
        .one_token_a_link = true,
        .takes_colouring = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = default_stop,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
