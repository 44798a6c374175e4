#include "equipoise/programs/partially_asynchronous.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"

namespace equipoise::catalogue::entries::partially_asynchronous {

namespace {

using programs::PartiallyAsynchronous;

PartiallyAsynchronous make(const Task& task) {
    return PartiallyAsynchronous(task.parameters.whole("window"));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "partially-asynchronous",
        .after = "perfect-self-stabilising",
        .title =
            "every node, by its own clock, fills up its lower neighbours using the loads they last "
            "reported",
        .source = "Song 1994 (bound confirmed in a public text, amounts reconstructed)",
        .model = StepModel::asynchronous,
        .parameters = {window_parameter()},
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "nothing is on the way",
        .goal_one_balanced = true,
        .promise = promise_one_balanced,
        .program = runs(
            make, {.kinds = {"report"},
                   .acknowledgements = model::KindSet::of(PartiallyAsynchronous::Kind::report)}),
    };
}

}  // namespace equipoise::catalogue::entries::partially_asynchronous
