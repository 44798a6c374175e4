#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/protocols/coin_averaging.hpp"
#include "equipoise/theory/coin_averaging.hpp"

namespace equipoise::catalogue::entries::random_pairs {

namespace {

void expect_suitable(const Task& task) {
    const std::uint64_t nodes = task.facts.network().node_count();
    if (2 * task.facts.network().link_count() != nodes * (nodes - (nodes > 0 ? 1 : 0)))
        throw UnsuitableError(
            "the network is not complete: expected a link between every two nodes (complete:n=N)");
}

DefaultStop default_stop(const Task& /*task*/) {
    return stop_at_discrepancy(1);
}

/// Notes by when discrepancy 1 is reached with probability 1 - delta, if a theorem tells.
void note_steps(const Task& task, model::Notes& notes) {
    const NodeId nodes = task.facts.network().node_count();
    if (!theory::mean_is_half_integer(load::total(task.loads), nodes)) return;
    try {
        notes.constants["steps_but_for_delta"] = std::to_string(theory::random_pairs_steps(
            nodes, load::potential(task.loads), task.parameters.real("delta")));
    } catch (const OverflowError&) {
        // A potential beyond 128 bits says nothing.
    }
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    note_steps(task, notes);
    if (!task.with_deviation) return play(options);
    const model::RandomPair pairs(task.facts.network().node_count(), options.seed);
    return play_beside(task, options, {pairs_of(pairs), {}}, {}, notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "random-pairs",
        .after = "coin-averaging",
        .title =
            "in every step one random pair of nodes shares evenly; the initiator keeps the odd "
            "token",
        .source =
            "Berenbrink, Friedetzky, Kaaser, Kling 2019; Mocquard and others 2019 (rule "
            "reconstructed)",
        .model = StepModel::single_port,
        .needs = "a complete network",
        .parameters = {real_parameter("delta", "0.01", {1e-12, 1},
                                      "the probability with which the number of steps that the run "
                                      "notes may be too small; it changes no step")},
        .guarantee =
            "if the mean is a whole number plus 1/2, discrepancy 1 after (n - 1) ln((Phi "
            "- n/4) / (2 delta)) steps with probability at least 1 - delta; no bound is "
            "certain",
        .stop = "discrepancy 1",
        .goal_discrepancy = 1,
        .anytime = true,
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .default_stop = default_stop,
        .rounds = plays(protocols::CoinAveraging(0), random_pairs_of_nodes()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::random_pairs
