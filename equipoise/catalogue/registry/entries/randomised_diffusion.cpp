#include "equipoise/protocols/baselines/randomised_diffusion.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const network::AnyNetwork& network = task.facts.network();
    const Port degree = network.degree_max();
    // On regular networks Metropolis weights are the uniform ones.
    const Tokens divisor = network.degree_min() == degree ? 0 : Tokens{degree} + 1;
    return protocols::ForSteps(protocols::baselines::RandomisedDiffusion(degree),
                               smoothing_steps(task, divisor, options, notes));
}

}  // namespace

Algorithm randomised_diffusion() {
    return {
        .name = "randomised-diffusion",
        .after = "quasirandom-diffusion",
        .title = "randomised diffusion: equal shares, excess tokens to distinct random neighbours",
        .source = "Berenbrink, Cooper, Friedetzky, Friedrich, Sauerwald 2011 [A: confirmed]",
        .model = StepModel::multi_port,
        .needs = "a connected network",
        .parameters = {rounds_parameter()},
        .guarantee =
            "loads never become negative; small deviation from the idealised process with high "
            "probability; no "
            "bound is certain",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .goal_discrepancy = {},
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_by_itself,
        .rounds = plays(make, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries
