#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/protocols/threshold_plus.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& /*constants*/) {
    return play_colours(protocols::Threshold1Plus{}, task, options);
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
        .stop = "no active link with a discrepancy of 2 or more for a stability window",
        .goal_discrepancy = {},
        .one_token_a_link = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_when_stable,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
