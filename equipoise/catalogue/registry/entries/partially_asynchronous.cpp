#include "equipoise/programs/partially_asynchronous.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::PartiallyAsynchronous;

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    return play_program(PartiallyAsynchronous(task.parameters.whole("window")),
                        all_channels(task.facts), task, options, asynchrony, costs);
}

}  // namespace

Algorithm partially_asynchronous() {
    return {
        .name = "partially-asynchronous",
        .after = "self-stabilising",
        .title =
            "every node, by its own clock, fills up its lower neighbours using the loads they last "
            "reported",
        .source = "Song 1994 [A: bound; R: amounts]",
        .model = StepModel::asynchronous,
        .needs = "a connected network",
        .parameters = {window_parameter()},
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "nothing is on the way",
        .goal_discrepancy = {},
        .goal_one_balanced = true,
        .expect_suitable = expect_connected,
        .promise = promise_one_balanced,
        .default_stop = stop_at_rest,
        .program = ProgramPlay{.channels = all_channels,
                               .play = play,
                               .kinds = {"report"},
                               .acknowledgements =
                                   model::KindSet::of(PartiallyAsynchronous::Kind::report)},
    };
}

}  // namespace equipoise::catalogue::entries
