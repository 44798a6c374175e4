#pragma once
// The synchronous round engine: plays a rule over a schedule, alone moves the tokens, and tells
// observers what happened.

#include <utility>

#include "equipoise/engine/deal_rounds.hpp"
#include "equipoise/engine/edge_rounds.hpp"
#include "equipoise/engine/parts/run_parts.hpp"
#include "equipoise/engine/round_options.hpp"

namespace equipoise::engine {

/// Plays an edge rule over a schedule of a network's links until a stop rule holds.
/// Throws InputError when loads or speeds do not fit the network, OverflowError when there are too
/// many tokens. With a fabric all its ranks play together (see run_parts): the outcome is the same.
///
///     auto schedule = model::colour_schedule(network, network::colour_edges(network));
///     auto outcome = engine::run_rounds(protocols::Threshold2{}, schedule, loads, network,
///     options);
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_rounds(const R& rule, S& schedule, load::Loads loads,
                                      const N& network, const RoundOptions& options) {
    if (options.fabric != nullptr)
        return run_parts(rule, schedule, std::move(loads), network, options);
    return EdgeRounds<R, S, N>(rule, schedule, std::move(loads), network, options).run();
}

/// Plays a deal rule until a stop rule holds. Throws as above.
template <model::DealRule R, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_rounds(const R& rule, load::Loads loads, const N& network,
                                      const RoundOptions& options) {
    if (options.fabric != nullptr) return run_parts(rule, std::move(loads), network, options);
    return DealRounds<R, N>(rule, std::move(loads), network, options).run();
}

}  // namespace equipoise::engine
