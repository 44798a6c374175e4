#pragma once
// The best assignment of a few items, exactly.
//
// Method: let f_r(S) be the lowest level at which ranks 0 .. r can hold the items S. Then f_r(S) is
// the least max(level of T on rank r, f_{r-1}(S \ T)) over all subsets T of S; the least cost at
// that level (or at the bound, if it is higher) obeys the same recurrence with sums for maxima. All
// pairs of S and T are 3^n.
// Guarantee: no assignment is better (pool.hpp), up to the rounding of `within`.

#include <cstddef>

#include "equipoise/placement/few_moves/pool.hpp"

namespace equipoise::placement {

/// Whether `best_over_subsets` is affordable: items * log 3 + log ranks is at most that of 12 items
/// on 4 ranks.
[[nodiscard]] bool few_enough(std::size_t items, std::size_t ranks);

/// The best assignment; levels below `bound` count as equal to it. Cost O(ranks * 3^items)
/// operations and O(ranks * 2^items) words: a few milliseconds for 12 items on 4 ranks.
[[nodiscard]] Assignment best_over_subsets(const Pool& pool, const Capacity& capacity,
                                           double bound);

}  // namespace equipoise::placement
