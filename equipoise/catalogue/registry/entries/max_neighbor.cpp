#include "equipoise/protocols/max_neighbor.hpp"

#include <algorithm>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"

namespace equipoise::catalogue::entries::max_neighbor {

namespace {

/// One round per node, and on small networks some more, without a difference of two: odd tokens
/// may still meet, but rarely do.
DefaultStop stop_by_rows(NodeId nodes, Step /*period*/) {
    DefaultStop stop = stop_at_discrepancy(1);
    stop.rule.stable_steps = std::max<Step>(1'000, nodes);
    stop.window_is_proof = false;
    return stop;
}

DefaultStop default_stop(const Task& task) {
    return stop_by_rows(task.facts.network().node_count(), 1);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "max-neighbor",
        .after = "random-walks",
        .title = "proposers and acceptors by coin: the pairs that differ most share evenly",
        .source =
            "Dinitz, Fineman, Gilbert, Newport 2017 (rule reconstructed from the "
            "abstract)",
        .model = StepModel::single_port,
        .guarantee =
            "the largest and smallest load never move further apart; on networks that stay as they "
            "are, discrepancy 1 in the end with probability 1; no bound is certain",
        .stop = "discrepancy 1, or no link with a discrepancy of 2 or more for max(n, 1,000) steps",
        .anytime = true,
        .default_stop = default_stop,
        .stop_by_rows = stop_by_rows,
        .rounds = plays(protocols::MaxNeighbor{}, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::max_neighbor
