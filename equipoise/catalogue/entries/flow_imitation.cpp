#include "equipoise/protocols/baselines/flow_imitation.hpp"

#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/catalogue/entries/smoothing.hpp"

namespace equipoise::catalogue::entries {

namespace {

using protocols::baselines::FlowImitation;

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& constants) {
    const bool randomised = task.parameters.word("randomised") == "yes";
    const FlowImitation rule(randomised ? FlowImitation::Rounding::random
                                        : FlowImitation::Rounding::towards_zero);
    engine::RoundOutcome outcome = play_all_links(rule, task, options);
    constants["dummies_made"] = std::to_string(outcome.created);
    constants["dummies_left"] = std::to_string(outcome.created - outcome.destroyed);
    return outcome;
}

}  // namespace

Algorithm flow_imitation() {
    return {
        .name = "flow-imitation",
        .title = "flow imitation: tokens follow the idealised diffusion link by link",
        .source = "Akbari, Berenbrink, Sauerwald 2012 [A: bounds, R: rule reconstructed]",
        .model = Model::multi_port,
        .needs = "a connected network",
        .parameters = {{.name = "randomised",
                        .type = ParameterType::word,
                        .default_value = "no",
                        .help = "no: a link sends what is missing, rounded towards 0; yes: one "
                                "token more with the probability of the fraction",
                        .words = {"no", "yes"}}},
        .guarantee =
            "every link within one token of the idealised flow, so every load without "
            "dummies less than its node's degree away from the idealised load",
        .stop = "the idealised process stands still",
        .goal_discrepancy = {},
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_by_itself,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
