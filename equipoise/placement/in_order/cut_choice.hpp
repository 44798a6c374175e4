#pragma once
// Which cuts, of those that keep to the limits of all parts, move the fewest items.

#include <compare>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// The places that cuts may have. Cut r is before part r, 0 <= r <= P; cut 0 is before all items,
/// cut P behind them.
struct CutPlaces {
    std::size_t kinds = 1;  ///< of weights, and bytes where these are limited
    std::vector<Tokens>
        positions;            ///< numbers of items, rising; the first is 0, the last all items
    std::vector<Units> sums;  ///< weights of the items before each position, kind by kind
    /// By cut: the positions that it may have, from the first to the last of them.
    std::vector<std::pair<std::size_t, std::size_t>> of_cut;
    /// Whether the positions of a cut are all numbers between the first and the last.
    bool complete = true;
};

/// Whose items the items are, and what moving them costs.
struct Owners {
    std::span<const Tokens> firsts;  ///< by rank, and the number of items
    /// By rank: ranks with equal numbers share one. Empty: it does not matter.
    std::span<const int> machine;
};

/// What parts may hold.
struct PartLimits {
    std::span<const Units> caps;   ///< part by part, kind by kind
    std::span<const Tokens> most;  ///< by part: items; 0 for a part that gets none
};

/// Whether a part may hold the items between two positions (indices), if there are any.
[[nodiscard]] bool part_may_hold(const CutPlaces& places, const PartLimits& limits,
                                 std::size_t part, std::size_t from, std::size_t to);

/// Items that change their machine, then all that change their rank.
struct MoveCost {
    Tokens between = 0;
    Tokens moved = 0;
    friend auto operator<=>(const MoveCost&, const MoveCost&) = default;
    friend MoveCost operator+(const MoveCost& a, const MoveCost& b) {
        return {a.between + b.between, a.moved + b.moved};
    }
};

/// Cuts, by part, and behind them all items.
struct ChosenCuts {
    std::vector<Tokens> cuts;
    std::vector<Units> loads;  ///< part by part, kind by kind
    MoveCost cost;
    MoveCost at_least;  ///< no cuts that keep to the limits cost less, whatever their places
};

/// The cuts of least cost among the places given, of those that keep to the limits.
///
/// The cost is a sum over cuts: moving cut r one item to the right gives that item to part r - 1
/// instead of r. So one pass from left to right finds, for each place of each cut, the cheapest
/// cuts before it: those from which part r - 1 fits are a window that only moves to the right. The
/// bound is the same pass over the intervals between the places. There must be cuts that keep to
/// the limits. Cost O(places of all cuts).
[[nodiscard]] ChosenCuts choose_cuts(const CutPlaces& places, const Owners& owners,
                                     const PartLimits& limits);

}  // namespace equipoise::placement
