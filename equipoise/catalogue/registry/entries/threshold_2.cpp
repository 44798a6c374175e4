#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries::threshold_2 {

namespace {

model::Guarantee promise(const Task& task) {
    const network::DiameterBounds diameter = task.facts.diameter();
    return {theory::threshold_2_discrepancy_bound(diameter.upper),
            {},
            theory::cite_theorem(theory::papers::houle, "Theorem 5")};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "threshold-2",
        .title = "one token over every active link whose ends differ by 2 or more",
        .source = theory::cite(theory::papers::houle, "Section 2"),
        .model = StepModel::single_port,
        .guarantee = "discrepancy at most the diameter; neighbours differ by at most 1",
        .stop = "no token moved in a full round",
        .one_token_a_link = true,
        .anytime = true,
        .takes_colouring = true,
        .promise = promise,
        // Every link was active and flat, so by Lemma 4 none moves a token again.
        .default_stop = stop_after_quiet_round,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(protocols::Threshold2{}, colours()),
    };
}

}  // namespace equipoise::catalogue::entries::threshold_2
