#include "equipoise/protocols/baselines/one_token_diffusion.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"

namespace equipoise::catalogue::entries::one_token_diffusion {

namespace {

model::Guarantee promise(const Task& task) {
    return {2 * Tokens{task.facts.network().degree_max()} * task.facts.diameter().upper,
            {},
            "the state it ends in: neighbours differ by at most twice the largest degree"};
}

protocols::baselines::OneTokenDiffusion make(const Task& task) {
    return protocols::baselines::OneTokenDiffusion(task.facts.network().degree_max());
}

}  // namespace

Algorithm entry() {
    return {
        .name = "one-token-diffusion",
        .after = "randomised-diffusion",
        .title = "one token over every link whose ends differ by 2d + 1 or more",
        .source =
            "Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 (confirmed in a public "
            "text)",
        .model = StepModel::multi_port,
        .guarantee = "discrepancy at most 2 d times the diameter; neighbours differ by at most 2 d",
        .stop = "no token moved in a step (frozen)",
        .one_token_a_link = true,
        .anytime = true,
        .promise = promise,
        .default_stop = stop_after_quiet_steps<1>,
        .rounds = plays(make, all_links()),
    };
}

}  // namespace equipoise::catalogue::entries::one_token_diffusion
