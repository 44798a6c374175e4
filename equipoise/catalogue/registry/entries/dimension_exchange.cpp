#include "equipoise/protocols/dimension_exchange.hpp"

#include <algorithm>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

namespace equipoise::catalogue::entries::dimension_exchange {

namespace {

/// On hypercubes the diameter is d, and along their dimensions the bound holds after d steps.
model::Guarantee promise(const Task& task) {
    const bool cube =
        network::is_hypercube(task.facts.network()) && task.facts.given().colouring.empty();
    return {theory::oriented_exchange_discrepancy_bound(task.facts.diameter().upper),
            {},
            cube ? "Cybenko 1989: at most one token for each dimension of the hypercube, after one "
                   "step in each and ever after"
                 : "the state it ends in: neighbours differ by at most 1"};
}

/// Pairs that average exactly, in the same matchings.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    if (!task.with_deviation) return play(options);
    const network::MatchingSequence& given = task.facts.given().colouring;
    const network::MatchingSequence& matchings = dimensions_of(task);
    return play_beside_circuit(
        task, options,
        {{task.facts.network().node_count(), matchings},
         given.empty() ? "circuit 1/2: natural" : "circuit 1/2: " + network::to_text(given),
         given.empty(),
         2,
         {.quiet_steps = std::max<Step>(1, matchings.size()), .memoryless = true}},
        notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "dimension-exchange",
        .after = "diffusion-2",
        .title =
            "dimension exchange: matched pairs share evenly, the odd token goes to the "
            "lower-numbered node",
        .source = "Cybenko 1989; Rabani, Sinclair, Wanka 1998, Section 1",
        .model = StepModel::single_port,
        .guarantee =
            "neighbours end at most 1 apart, hence discrepancy at most the diameter; on the "
            "hypercube of dimension d at most d after d steps",
        .stop = "no token moved in a full round",
        .anytime = true,
        .goal_one_balanced = true,
        .serves_speeds = true,
        .takes_colouring = true,
        .measures_deviation = true,
        .promise = promise,
        // Moves depend on the loads alone, so a quiet round repeats for ever.
        .default_stop = stop_after_quiet_round,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(protocols::DimensionExchange{}, dimensions()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::dimension_exchange
