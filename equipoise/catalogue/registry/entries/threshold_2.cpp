#include <algorithm>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& task) {
    const network::DiameterBounds diameter = task.facts.diameter();
    return {theory::threshold_2_discrepancy_bound(diameter.upper),
            {},
            "Houle, Symvonis, Wood 2004, Theorem 5"};
}

/// After a full round without a move every link was active and flat, so by Lemma 4 none moves a
/// token again.
DefaultStop default_stop(const Task& task) {
    return stop_when_quiet(std::max<Step>(1, task.facts.colour_count()));
}

}  // namespace

Algorithm threshold_2() {
    return {
        .name = "threshold-2",
        .title = "one token over every active link whose ends differ by 2 or more",
        .source = "Houle, Symvonis, Wood 2004, Section 2",
        .model = StepModel::single_port,
        .needs = "a connected network",
        .parameters = {},
        .guarantee = "discrepancy at most the diameter; neighbours differ by at most 1",
        .stop = "no token moved in a full round",
        .goal_discrepancy = {},
        .one_token_a_link = true,
        .anytime = true,
        .takes_colouring = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = default_stop,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(protocols::Threshold2{}, colours()),
    };
}

}  // namespace equipoise::catalogue::entries
