#pragma once
// Looks for an assignment of a pool's items to ranks: a low level, then a low cost.
//
// Method: 1. At a level, every rank above it sheds items: the fewest that are enough, or the
//    cheapest (then some more, of smaller ones, as long as the following fails). They are packed by
//    falling size into the smallest rooms; one that fits nowhere changes places with a smaller one.
// 2. If this fails at the bound, the lowest level at which it works is found by bisection. There
//    the fullest rank passes an item on, or exchanges one with another rank, as long as this lowers
//    the larger of the two; likewise from the assignment by longest processing time first.
// 3. At the level reached, items return home where there is room again.
// Guarantee: never worse than all items at home (pool.hpp). Every rank computes the same.
// Cost about 20 rounds of O(items + ranks log ranks), and a bounded number of exchanges.

#include <cstddef>

#include "equipoise/placement/pool.hpp"

namespace equipoise::placement {

/// The best assignment that was found. `bound`: levels below it are as good as it; `level_at_least`:
/// no assignment has a lower level.
[[nodiscard]] Assignment search(const Pool& pool, const Capacity& capacity, double bound,
                                double level_at_least);

}  // namespace equipoise::placement
