#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"

#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries::quasirandom_diffusion {

namespace {

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    return protocols::ForSteps(protocols::baselines::QuasirandomDiffusion{},
                               smoothing_steps(task, 0, options, notes));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "quasirandom-diffusion",
        .after = "flow-imitation",
        .title =
            "quasirandom diffusion: every link carries its rounding error over to the next step",
        .source = "Friedrich, Gairing, Sauerwald 2012 (rule reconstructed)",
        .model = StepModel::multi_port,
        .parameters = {rounds_parameter()},
        .guarantee = "every link's cumulative rounding error stays within 1/2; none for loads",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .loads_may_be_negative = true,
        .rounds = plays(make, all_links()),
    };
}

}  // namespace equipoise::catalogue::entries::quasirandom_diffusion
