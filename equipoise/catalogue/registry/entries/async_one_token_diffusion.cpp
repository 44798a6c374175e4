#include "equipoise/programs/async_one_token_diffusion.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"

namespace equipoise::catalogue::entries::async_one_token_diffusion {

namespace {

using programs::AsyncOneTokenDiffusion;

model::Guarantee promise(const Task& task) {
    return {2 * Tokens{task.facts.network().degree_max()} * task.facts.diameter().upper,
            {},
            "the state it ends in: neighbours differ by at most twice the largest degree"};
}

AsyncOneTokenDiffusion make(const Task& task) {
    return AsyncOneTokenDiffusion(all_channels(task.facts).degree_max(),
                                  task.parameters.whole("window"));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "async-one-token-diffusion",
        .after = "partially-asynchronous",
        .title = "one token to every neighbour that last reported a load at least 2d + 1 lower",
        .source =
            "Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 (confirmed in a public "
            "text)",
        .model = StepModel::asynchronous,
        .parameters = {window_parameter()},
        .guarantee = "discrepancy at most 2 d times the diameter; neighbours differ by at most 2 d",
        .stop = "nothing is on the way",
        .promise = promise,
        .program = runs(
            make, {.kinds = {"report"},
                   .acknowledgements = model::KindSet::of(AsyncOneTokenDiffusion::Kind::report)}),
    };
}

}  // namespace equipoise::catalogue::entries::async_one_token_diffusion
