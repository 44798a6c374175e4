#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"

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
    const protocols::ForSteps rule(protocols::baselines::QuasirandomDiffusion{},
                                   smoothing_steps(task, 0, options, constants));
    return play_all_links(rule, task, options);
}

}  // namespace

Algorithm quasirandom_diffusion() {
    return {
        .name = "quasirandom-diffusion",
        .title = "quasirandom diffusion: every link carries its rounding error on",
        .source = "Friedrich, Gairing, Sauerwald 2012 [R: rule reconstructed]",
        .model = Model::multi_port,
        .needs = "a connected network",
        .parameters = {rounds_parameter()},
        .guarantee = "every link's cumulative rounding error stays within 1/2; none for loads",
        .stop = "after the parameter's rounds, or when the idealised diffusion is 1-smooth",
        .goal_discrepancy = {},
        .loads_may_be_negative = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_by_itself,
        .play = play,
    };
}

}  // namespace equipoise::catalogue::entries
