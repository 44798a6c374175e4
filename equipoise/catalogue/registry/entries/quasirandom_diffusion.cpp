#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"

#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries::quasirandom_diffusion {

namespace {

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    return protocols::ForSteps(protocols::baselines::QuasirandomDiffusion{},
                               smoothing_steps(task, 0, options, notes));
}

/// A flow's rounding error is the difference of two errors that are carried over, each at most 1/2.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    return play_beside_diffusion(task, options, {.rounding = 1.0}, notes, play);
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
        .measures_deviation = true,
        .rounds = plays(make, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::quasirandom_diffusion
