#pragma once
// Looks for an assignment of a pool's items to ranks: a low level, then a low cost.
//
// Method: (1) At a level, every rank above it sheds items: the fewest that are enough, or the
//   cheapest (then more and smaller ones, as long as packing fails). They are packed by falling
//   size into the smallest rooms; one that fits nowhere changes places with a smaller one. (2) If
//   this fails at the bound, the lowest level at which it works is found by bisection. From there
//   the fullest rank passes an item on, or exchanges one with another rank, as long as this lowers
//   the larger of the two: until the level is near the lowest possible, and not above that of
//   longest processing time first, from home or from nothing. (3) At the level reached, items
//   return home where there is room, and cheaper packings from a little above it are brought down
//   to it by exchanges.
// Guarantee: never worse than the start or all at home (pool.hpp). Every rank computes the same.
// Cost: about 50 rounds of O(items + ranks log ranks), and a bounded number of exchanges.

#include <cstdint>

#include "equipoise/placement/few_moves/pool.hpp"

namespace equipoise::placement {

/// The goals and limits of a search.
struct SearchOptions {
    double bound = 1;           ///< levels below it are as good as it
    double level_at_least = 1;  ///< no assignment has a lower level
    /// A level that exceeds the lowest possible by at most this fraction is not lowered further,
    /// unless the longest-first assignment is lower.
    double near_enough = 5e-4;
    /// The most pairs of items that exchanges may examine, to lower the level and to reach it more
    /// cheaply.
    std::uint64_t steps = 3'000'000;
    std::uint64_t repairs = 1'500'000;
};

/// The best assignment that was found. Starts from `start` (by default all items at home), which
/// must have a finite level if any item is at home where it may not be.
[[nodiscard]] Assignment search(const Pool& pool, const Capacity& capacity,
                                const SearchOptions& options, const Assignment* start = nullptr);

}  // namespace equipoise::placement
