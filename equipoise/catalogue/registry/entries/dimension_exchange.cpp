#include "equipoise/protocols/dimension_exchange.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
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
            cube ? "Cybenko 1989: one token a dimension; every further step keeps it"
                 : "the state it ends in: a round without moves, with odd tokens along an acyclic "
                   "orientation"};
}

/// On hypercubes the colours are the dimensions.
HeldSchedule schedule(const Task& task, std::uint64_t seed) {
    const bool cube = network::is_hypercube(task.facts.network());
    return (cube ? matchings() : colours()).schedule(task, seed);
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
        .promise = promise,
        // Moves depend on the loads alone, so a quiet round repeats for ever.
        .default_stop = stop_after_quiet_round,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(protocols::DimensionExchange{}, {Links::Kind::periodic, schedule}),
    };
}

}  // namespace equipoise::catalogue::entries::dimension_exchange
