#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::catalogue::entries::threshold_1 {

namespace {

/// Grids whose links are coloured axis by axis keep what their lines keep.
model::Guarantee promise_on_grid(const network::Grid& grid) {
    std::uint64_t open = 0;
    std::uint64_t closed = 0;
    for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
        if (grid.closed(axis))
            ++closed;
        else if (grid.sides()[axis] > 1)
            ++open;
    }
    return {static_cast<Tokens>(theory::stable_discrepancy_of_grid(open, closed)),
            {},
            theory::cite(theory::papers::kept, "Theorem 2")};
}

/// Nothing is promised on other networks, whose bound depends on the colouring.
model::Guarantee promise(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    if (network.grid() != nullptr && task.facts.given().colouring.empty())
        return promise_on_grid(*network.grid());
    if (!task.facts.tree()) return {};
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
        .guarantee =
            "on trees the bound on the maximum stable discrepancy, on meshes 1 for each "
            "axis and on tori 2; none elsewhere",
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
