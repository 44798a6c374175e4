#pragma once
// The fewest token exchanges on any network.

#include <cstdint>
#include <functional>
#include <optional>

#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// The cost of an exchange.
enum class ExchangeCost : std::uint8_t {
    link,   ///< 1 a link
    delay,  ///< the steps a token is under way
};

// Problem: fewest exchanges (tokens times links) after which loads are in the target, in any number
//          of steps.
// Model:   central.
// Source:  a cheapest flow: u sends its tokens over links of cost 1 each to the room of all nodes,
//          which also decides who gets the extras; by network simplex.
// Guarantee: exact. Cost: that of the simplex on 2 E + 2 p arcs, about linear in practice.

/// Ports, capacities and delays of the problem do not matter, except that nodes without ports take
/// no part; with ExchangeCost::delay, `exchanges` is the sum of the delays of all links crossed.
/// Throws UnsuitableError when the target cannot be reached, InputError as Problem::check.
[[nodiscard]] MinimumExchanges cheapest_exchanges(const Problem& problem,
                                                  ExchangeCost cost = ExchangeCost::link);

/// The same; nothing if `is_stopped` returns true before they are found.
[[nodiscard]] std::optional<MinimumExchanges> cheapest_exchanges_until(
    const std::function<bool()>& is_stopped, const Problem& problem,
    ExchangeCost cost = ExchangeCost::link);

}  // namespace equipoise::optimum
