#include "equipoise/protocols/baselines/randomised_diffusion.hpp"

#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/catalogue/entries/smoothing.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          std::map<std::string, std::string>& constants) {
    const protocols::baselines::RandomisedDiffusion rule(task.facts.network().degree_max());
    return play_deal_rule(protocols::ForSteps(rule, smoothing_rounds(task, constants)), task,
                          options);
}

}  // namespace

Algorithm randomised_diffusion() {
    return {
        .name = "randomised-diffusion",
        .title = "randomised diffusion: equal shares, excess tokens to distinct random neighbours",
        .source = "Berenbrink, Cooper, Friedetzky, Friedrich, Sauerwald 2011 [A: confirmed]",
        .model = Model::multi_port,
        .needs = "a connected network; a parameter rounds beyond 50,000 links",
        .parameters = {rounds_parameter()},
        .guarantee =
            "never negative; small deviation from the idealised process with high "
            "probability; none that is certain",
        .stop = "after the parameter's rounds, or (2 / gap) ln(K n^2)",
        .goal_discrepancy = {},
        .expect_suitable = expect_smoothing,
        .promise = promise,
        .default_stop = stop_by_itself,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
