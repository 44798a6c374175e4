#include "equipoise/programs/async_one_token_diffusion.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::AsyncOneTokenDiffusion;

model::Guarantee promise(const Task& task) {
    return {2 * Tokens{task.facts.network().degree_max()} * task.facts.diameter().upper,
            {},
            "the state it ends in: neighbours differ by at most twice the largest degree"};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    const AsyncOneTokenDiffusion program(all_channels(task.facts).degree_max(),
                                         task.parameters.whole("window"));
    return play_program(program, all_channels(task.facts), task, options, asynchrony, costs);
}

}  // namespace

Algorithm async_one_token_diffusion() {
    return {
        .name = "async-one-token-diffusion",
        .after = "partially-asynchronous",
        .title = "one token to every neighbour that last reported a load at least 2d + 1 lower",
        .source = "Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 [A: confirmed]",
        .model = StepModel::asynchronous,
        .needs = "a connected network",
        .parameters = {window_parameter()},
        .guarantee = "discrepancy at most 2 d times the diameter; neighbours differ by at most 2 d",
        .stop = "nothing is on the way",
        .goal_discrepancy = {},
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_at_rest,
        .program = ProgramPlay{.channels = all_channels,
                               .play = play,
                               .kinds = {"report"},
                               .acknowledgements =
                                   model::KindSet::of(AsyncOneTokenDiffusion::Kind::report)},
    };
}

}  // namespace equipoise::catalogue::entries
