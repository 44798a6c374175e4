#include "equipoise/protocols/baselines/one_token_diffusion.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& task) {
    return {2 * Tokens{task.facts.network().degree_max()} * task.facts.diameter().upper,
            {},
            "the state it ends in: neighbours differ by at most twice the largest degree"};
}

/// Only loads matter, so a step without a move is repeated for ever.
DefaultStop default_stop(const Task& /*task*/) {
    return stop_when_quiet(1);
}

protocols::baselines::OneTokenDiffusion make(const Task& task) {
    return protocols::baselines::OneTokenDiffusion(task.facts.network().degree_max());
}

}  // namespace

Algorithm one_token_diffusion() {
    return {
        .name = "one-token-diffusion",
        .after = "randomised-diffusion",
        .title = "one token over every link whose ends differ by 2d + 1 or more",
        .source = "Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 [A: confirmed]",
        .model = StepModel::multi_port,
        .needs = "a connected network",
        .parameters = {},
        .guarantee = "discrepancy at most 2 d times the diameter; neighbours differ by at most 2 d",
        .stop = "no token moved in a step (frozen)",
        .goal_discrepancy = {},
        .one_token_a_link = true,
        .anytime = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(make, all_links()),
    };
}

}  // namespace equipoise::catalogue::entries
