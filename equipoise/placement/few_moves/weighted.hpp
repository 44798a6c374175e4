#pragma once
// Levelling items of different weights, with few moves and a bound.
//
// Problem: ranks hold items of real weights w >= 0 (w_max the largest of all); rank r should hold
//   about t_r, where the t_r add up to all weight and no rank's pinned weight exceeds its t_r.
// Method: (1) A rank above its target has two cuts: keep its first items up to t_r, a gap g >= 0
//   below it, or also the next item (weight w), a gap g - w <= 0. (2) In the order of ranks, each
//   takes the cut that keeps the running sum of gaps nearer to 0. The sum c stays within w_max / 2:
//   if c + g > w_max / 2, then c + g - w >= -w_max / 2 (as w <= w_max) and c + g - w < c <= w_max /
//   2 (as g < w); if not, c + g >= c >= -w_max / 2. (3) The items given away are laid end to end,
//   and the deficits of the other ranks beside them. An item goes to the rank on whose deficit its
//   middle lies; items beyond the end go to the last.
// Guarantee: every rank ends within w_max of its target (up to rounding of the sums). A giver's gap
//   is in (-w, w). What all takers up to a given one receive differs from the sum of their deficits
//   by at most half an item or, at the last taker, by the last c: by at most w_max / 2 in either
//   case. The error of one taker is the difference of two such differences.
// Moves: givers receive nothing, takers give nothing; messages as for match_surpluses.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

/// The two cuts of a rank above its target; a rank at or below its target keeps all items.
struct Cut {
    Tokens kept = 0;         ///< items of the lower cut
    double kept_weight = 0;  ///< their weight
    double next_weight = 0;  ///< of the next item, which the upper cut keeps too; 0: there is none
    double given_after = 0;  ///< weight of the items after the lower cut
};

/// The cuts of one rank, which keeps at least its first `pinned` items. Cost O(items).
[[nodiscard]] Cut cut_at(std::span<const double> weights, Tokens pinned, double target);

/// One rank's part in the global arithmetic.
struct WeightedRank {
    double weight = 0;
    double target = 0;
    double kept_weight = 0;
    double next_weight = 0;
};

/// The decisions that every rank makes by itself, from the same numbers.
struct WeightedLines {
    std::vector<bool> keeps_next;      ///< by rank: whether it takes the upper cut
    std::vector<double> given_before;  ///< by rank: weight that lower ranks give away
    std::vector<int> takers;           ///< ranks below their target, in order
    std::vector<double> taken_until;   ///< by taker: where its deficit ends on the line
};
/// The cuts that all ranks take, and the lines of gifts and deficits that follow. Cost O(P).
[[nodiscard]] WeightedLines weighted_lines(std::span<const WeightedRank> ranks);

/// Consecutive items for one taker.
struct WeightedParcel {
    int to = 0;
    Tokens items = 0;
    double weight = 0;
};

/// Which ranks get the items of a rank after the first `kept`, in their order. Cost O(items + log
/// P).
[[nodiscard]] std::vector<WeightedParcel> weighted_parcels(const WeightedLines& lines, int rank,
                                                           std::span<const double> weights,
                                                           Tokens kept);

}  // namespace equipoise::placement
