#pragma once
// The placement of items that are all known: the best that the methods find.

#include <span>
#include <vector>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/departures.hpp"
#include "equipoise/placement/few_moves/pool.hpp"

namespace equipoise::placement {

/// The items of all ranks that are not pinned, rank after rank.
struct Gathered {
    Pool pool;
    std::vector<double> weights;  ///< as given, item by item, kind by kind
    std::vector<double> pinned;   ///< as given: what is pinned, rank by rank, kind by kind
};

/// Exact if there are few enough items, otherwise the better result of `search` and the rule of
/// weighted.hpp (for one kind of weights). `bound`: levels below it are as good as it.
[[nodiscard]] Assignment place_gathered(const Gathered& items, const Capacity& capacity,
                                        double bound);

/// The placement of items of one kind of weights by the rule of weighted.hpp.
[[nodiscard]] Assignment place_in_lines(const Gathered& items, const Capacity& capacity);

/// The lowest level in each kind of weights that the items allow (lower_bounds.hpp).
[[nodiscard]] std::vector<double> levels_at_least(const Pool& pool, const Capacity& capacity);

/// The fewest items and bytes that must leave all ranks together, for no rank to be above a level.
[[nodiscard]] Departures departures_at_least(const Pool& pool, const Capacity& capacity,
                                             double level);

}  // namespace equipoise::placement
