#pragma once
// Pouring tokens over lower neighbours, as water finds its level: how many tokens each gets, and
// which of them get those left over.

#include <algorithm>

#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// What a node gives to lower neighbours if it raises the lowest of them as high as possible while
/// it stays at least as high as each of them.
/// Source: Dinitz, Dolev, Kumar 2020, Section 3, Algorithm 3, lines 5 to 19, in closed form.
struct Water {
    Tokens level = 0;  ///< to which all lower neighbours rise
    Tokens extra = 0;  ///< tokens above the level: one stays, the others rise by one more

    /// What the giver is left with, called TentativeLoad in the paper.
    [[nodiscard]] Tokens left() const { return level + (extra > 0 ? 1 : 0); }
};

/// The highest level at which the node itself stands and to which it can raise all lower
/// neighbours. `each(visit)` calls visit(load) for every neighbour that may be given something. No
/// load is below 0. Cost O(neighbours) a pass; every pass but the last finds a neighbour above the
/// level.
///
/// The level is at most the mean of the node and any set of neighbours that includes all those
/// below it. So neighbours above the mean are dropped until none is left; each time the mean of the
/// others falls, and the last mean leaves only the extra tokens over.
template <class Each>
[[nodiscard]] Water find_water(Tokens held, const Each& each) {
    for (Tokens level = held;;) {
        Int128 sum = held;
        Tokens parts = 1;
        each([&](Tokens load) {
            if (load > level) return;
            sum += load;
            ++parts;
        });
        const Tokens mean =
            sum <= tokens_max ? static_cast<Tokens>(sum) / parts : static_cast<Tokens>(sum / parts);
        if (mean == level) return {level, static_cast<Tokens>(sum - Int128{level} * parts)};
        level = mean;
    }
}

/// Calls `give(port, tokens)` for every neighbour that gets tokens. `each(visit)` calls visit(port,
/// load) for the same neighbours as above; the first of them get the extra tokens.
template <class Each, class Give>
void pour(const Water& water, const Each& each, const Give& give) {
    Tokens extra = water.extra - 1;
    each([&](auto port, Tokens load) {
        if (load > water.level) return;
        const Tokens above = extra > 0 ? 1 : 0;
        extra -= above;
        const Tokens gift = water.level - load + above;
        if (gift > 0) give(port, gift);
    });
}

}  // namespace equipoise::model
