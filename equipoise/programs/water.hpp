#pragma once
// Pouring tokens over neighbours whose loads are known only from their reports.

#include <algorithm>
#include <concepts>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/water.hpp"

namespace equipoise::programs {

using model::Water;

/// What a node knows of the neighbour behind a port: its load as last `heard`.
template <class P>
concept View = requires(const P& port) {
    { port.view } -> std::convertible_to<Tokens>;
    { port.heard } -> std::convertible_to<bool>;
};

/// Whether some neighbour is lower by two or more, so that a token can move to it.
template <View Port>
[[nodiscard]] bool someone_is_lower(Tokens held, std::span<const Port> ports) {
    return std::any_of(ports.begin(), ports.end(),
                       [held](const Port& port) { return port.heard && port.view <= held - 2; });
}

/// The water level over all neighbours that have been heard from.
template <View Port>
[[nodiscard]] Water find_water(Tokens held, std::span<const Port> ports) {
    return model::find_water(held, [&](const auto& visit) {
        for (const Port& port : ports)
            if (port.heard) visit(port.view);
    });
}

/// Calls `give(port, tokens)` for every neighbour that gets tokens, in the order of ports. By what
/// is known of them, each then holds at most what the giver is left with.
template <View Port, class Give>
void pour(const Water& water, std::span<const Port> ports, const Give& give) {
    model::pour(
        water,
        [&](const auto& visit) {
            for (equipoise::Port port = 0; port < ports.size(); ++port)
                if (ports[port].heard) visit(port, ports[port].view);
        },
        give);
}

}  // namespace equipoise::programs
