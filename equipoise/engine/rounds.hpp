#pragma once
// The synchronous round engine: plays a rule over a schedule and tells observers what happened.
// Nothing else moves tokens.

#include <span>
#include <utility>

#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/rounds/deal_rounds.hpp"
#include "equipoise/engine/rounds/edge_rounds.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// Plays an edge rule over a schedule of a network's links until a stop rule holds. Throws
/// InputError when loads or speeds do not fit the network, OverflowError when there are too many
/// tokens. With a fabric, all its ranks play together, each on its part. Network, schedule, loads
/// and options must then be the same on every rank, except for observers: only those on rank 0 are
/// called. The outcome is that of a single process, bit by bit, on every rank, with the loads that
/// `options.final_loads` asks for. A step costs O(active links), divided among threads, plus the
/// work of observers and stop rules.
///
///     auto schedule = model::colour_schedule(network, network::colour_edges(network));
///     auto outcome = engine::run_rounds(protocols::Threshold2{}, schedule, loads, network,
///     options);
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_rounds(const R& rule, S& schedule, load::Loads loads,
                                      const N& network, const RoundOptions& options) {
    return EdgeRounds<R>(rule, schedule, std::move(loads), network, options).run();
}

/// Plays a deal rule until a stop rule holds. Throws as above. A round costs O(nodes + links).
template <model::DealRule R, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_rounds(const R& rule, load::Loads loads, const N& network,
                                      const RoundOptions& options) {
    return DealRounds<R>(rule, std::move(loads), network, options).run();
}

/// Plays an edge rule from the loads of own nodes; the outcome holds the new loads of own nodes,
/// whatever `options.final_loads` says. No rank ever holds the whole network or all loads, unless
/// observers on rank 0 ask for loads. Collective on `options.fabric`. The outcome is that of one
/// process on the whole network. Speeds, if given, are those of all nodes.
template <model::EdgeRule R>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, AnySchedule schedule,
                                         std::span<const Tokens> own_loads, const Graph& network,
                                         const Partition& partition, const RoundOptions& options) {
    return EdgeRounds<R>(rule, std::move(schedule),
                         {Part(network, partition, options.fabric->rank()),
                          {own_loads.begin(), own_loads.end()}},
                         with_loads_apart(options))
        .run();
}

/// The same for a deal rule.
template <model::DealRule R>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, std::span<const Tokens> own_loads,
                                         const Graph& network, const Partition& partition,
                                         const RoundOptions& options) {
    return DealRounds<R>(rule,
                         {Part(network, partition, options.fabric->rank()),
                          {own_loads.begin(), own_loads.end()}},
                         with_loads_apart(options))
        .run();
}

}  // namespace equipoise::engine
