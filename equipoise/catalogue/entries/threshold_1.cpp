#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::catalogue::entries {

namespace {

/// The theorem is about trees; nothing is known of other networks.
model::Guarantee promise(const Task& task) {
    if (!task.facts.tree()) return {};
    const network::AnyNetwork& network = task.facts.network();
    return {static_cast<Tokens>(
                theory::stable_discrepancy_bound(network.node_count(), network.degree_max())),
            {},
            "Houle, Symvonis, Wood 2004, Theorem 16 (repaired and sharpened)"};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& /*constants*/) {
    return play_colours(protocols::Threshold1{}, task, options);
}

}  // namespace

Algorithm threshold_1() {
    return {
        .name = "threshold-1",
        .title = "THRESHOLD-1: one token over every active link whose ends differ",
        .source = "Houle, Symvonis, Wood 2004, Section 2",
        .model = Model::single_port,
        .needs = "a connected network",
        .parameters = {},
        .guarantee = "on trees the bound on the maximum stable discrepancy; none elsewhere",
        .stop = "no active link with a discrepancy of 2 or more for a stability window",
        .goal_discrepancy = {},
        .one_token_a_link = true,
        .anytime = true,
        .takes_colouring = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_when_stable,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
