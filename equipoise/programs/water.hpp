#pragma once
// Pouring tokens over lower neighbours as water finds its level.

#include <algorithm>
#include <concepts>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::programs {

/// What a node knows of the neighbour behind a port: its load as last `heard`.
template <class P>
concept View = requires(const P& port) {
    { port.view } -> std::convertible_to<Tokens>;
    { port.heard } -> std::convertible_to<bool>;
};

/// Problem: give tokens to lower neighbours so that the lowest become as high as possible, and the
/// giver stays at least as high as each of them thinks of itself after the gift.
/// Source: Dinitz, Dolev, Kumar 2020, Section 3, Algorithm 3, lines 5 to 19, in closed form.
/// Guarantee: held - given >= view + gift for every gift. Cost O(ports * log held).
struct Water {
    Tokens level = 0;  ///< to which all lower neighbours rise
    Tokens extra = 0;  ///< tokens above the level: one stays, the others rise by one more

    /// What the giver is left with: the paper's TentativeLoad.
    [[nodiscard]] Tokens left() const { return level + (extra > 0 ? 1 : 0); }
};

/// Whether some neighbour is lower by two or more, so that a token can go down.
template <View Port>
[[nodiscard]] bool someone_is_lower(Tokens held, std::span<const Port> ports) {
    return std::any_of(ports.begin(), ports.end(),
                       [held](const Port& port) { return port.heard && port.view <= held - 2; });
}

/// Tokens it takes to raise all lower neighbours to a level, perhaps more than there are.
template <View Port>
[[nodiscard]] Int128 poured_to(Tokens level, std::span<const Port> ports) {
    Int128 sum = 0;
    for (const Port& port : ports)
        if (port.heard) sum += std::max<Tokens>(0, level - port.view);
    return sum;
}

/// The highest level with level + poured_to(level) <= held, where someone is lower.
template <View Port>
[[nodiscard]] Water find_water(Tokens held, std::span<const Port> ports) {
    Tokens low = 0;  // fits, as loads are not negative
    Tokens high = held + 1;
    while (high - low > 1) {
        const Tokens middle = low + (high - low) / 2;
        (middle + poured_to(middle, ports) <= held ? low : high) = middle;
    }
    return {low, static_cast<Tokens>(held - low - poured_to(low, ports))};
}

/// Calls `give(port, tokens)` for every neighbour that gets tokens, in the order of ports.
template <View Port, class Give>
void pour(const Water& water, std::span<const Port> ports, Give give) {
    Tokens extra = water.extra - 1;
    for (equipoise::Port port = 0; port < ports.size(); ++port) {
        if (!ports[port].heard || ports[port].view > water.level) continue;
        const Tokens above = extra > 0 ? 1 : 0;
        extra -= above;
        const Tokens gift = water.level - ports[port].view + above;
        if (gift > 0) give(port, gift);
    }
}

}  // namespace equipoise::programs
