#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::catalogue::entries::threshold_1 {

namespace {

/// The theorem is about trees; nothing is known about other networks.
model::Guarantee promise(const Task& task) {
    if (!task.facts.tree()) return {};
    const network::AnyNetwork& network = task.facts.network();
    return {static_cast<Tokens>(
                theory::stable_discrepancy_bound(network.node_count(), network.degree_max())),
            {},
            theory::cite(theory::papers::houle, "Theorem 16 (repaired and sharpened)")};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "threshold-1",
        .after = "threshold-2",
        .title = "one token over every active link whose ends differ",
        .source = theory::cite(theory::papers::houle, "Section 2"),
        .model = StepModel::single_port,
        .guarantee = "on trees the bound on the maximum stable discrepancy; none elsewhere",
        .stop =
            "no active link had ends that differ by 2 or more for so many steps that none will (a "
            "stability window)",
        .one_token_a_link = true,
        .anytime = true,
        .takes_colouring = true,
        .promise = promise,
        .default_stop = stop_when_stable,
        .stop_by_rows = stop_when_level_or_circling,
        .rounds = plays(protocols::Threshold1{}, colours()),
    };
}

}  // namespace equipoise::catalogue::entries::threshold_1
