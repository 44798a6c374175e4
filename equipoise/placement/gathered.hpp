#pragma once
// The placement of items all of which are known: the best of what the methods find.

#include <span>
#include <vector>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/lower_bounds.hpp"
#include "equipoise/placement/pool.hpp"

namespace equipoise::placement {

/// The items of all ranks that are not pinned, rank after rank.
struct Gathered {
    Pool pool;
    std::vector<double> weights;  ///< as given, item by item, kind by kind
    std::vector<double> pinned;   ///< as given: what is pinned, rank by rank, kind by kind
};

/// Exact if there are few enough items, else the better one of `search` and of the rule of
/// weighted.hpp (for one kind of weights). `bound`: levels below it are as good as it.
[[nodiscard]] Assignment place_gathered(const Gathered& items, const Capacity& capacity,
                                        double bound);

/// Where the rule of weighted.hpp places the items, of one kind of weights.
[[nodiscard]] Assignment place_in_lines(const Gathered& items, const Capacity& capacity);

/// The lowest level in each kind of weights that the items allow (lower_bounds.hpp).
[[nodiscard]] std::vector<double> levels_at_least(const Pool& pool, const Capacity& capacity);

/// What must leave all ranks together, for no rank to be above a level.
[[nodiscard]] Departures departures_at_least(const Pool& pool, const Capacity& capacity,
                                             double level);

}  // namespace equipoise::placement
