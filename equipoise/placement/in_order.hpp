#pragma once
// Levels weighted items that keep their order: every rank gets consecutive items.
//
// Problem: the items of all ranks, one after the other, are cut into one part for each rank, in the
//   order of ranks. A rank's share is proportional to its speed; its level is its load over its
//   share, with several weights per item the largest of all. The level of a placement is that of
//   its highest rank (chains on chains, heterogeneous).
// Method (in_order/): walks that give each part as many items as a level allows tell whether a
//   level can be kept. Walks through a sketch, the running sums at some places, enclose the lowest
//   level that can, and the cuts; the sums at all places there decide. Where these are too many,
//   walks pass through all items, of 64 levels at a time, together with the next level at which a
//   failed walk would change. Then the cuts are chosen, by a dynamic program over the places that
//   each can have.
// Guarantee: the level is 1 + tolerance or less if consecutive parts allow that, otherwise the
//   lowest that they allow, exactly up to rounding (10^-11). Among such cuts the fewest items move
//   (machines first: change their machine, and only then their rank), exactly if the places add
//   up to at most `cells_max`; beyond that, places are thinned out, and `moved_at_least` says how
//   far the fewest can be. No part has more items or bytes than its rank has room for: only cuts
//   that keep this count, and it is said exactly whether there are any.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves.hpp"

namespace equipoise::placement {

/// How many items each rank ends with, and what that costs and gives.
struct OrderPlacement {
    std::vector<Tokens> sizes;         ///< items by rank
    std::vector<double> loads_before;  ///< rank by rank, weight by weight
    std::vector<double> loads;         ///< the same afterwards
    PlacementFigures figures;
};

/// Cuts the items of all ranks as described above. No item may be pinned; sizes serve for limits of
/// bytes alone.
/// Cost O(items), for P ranks O(P log items) for each of about 100 walks and, if these do not do,
/// O(P^2 log items) for each pass of walks (at most 9 where the sum of speeds is at most 2^29 times
/// the slowest, which shared_cuts.hpp proves), and O(cells_max) for the choice.
///
/// Throws InputError if no rank has a speed above 0, if the sum of weights or of sizes is not
/// finite, and if no cuts keep the limits: then it says what has no room. Throws too if sizes are
/// given and no rank limits bytes. Bytes are exact where sizes are whole numbers, otherwise rounded
/// to 2^-60 of the bytes of all items.
[[nodiscard]] OrderPlacement place_in_order(std::span<const RankItems> ranks,
                                            const PlaceOptions& options = {});
/// The same by a sketch of at most so many words (in_order/shared_cuts.hpp), or by walks alone.
[[nodiscard]] OrderPlacement place_in_order(std::span<const RankItems> ranks,
                                            const PlaceOptions& options, std::size_t sketch_words);

}  // namespace equipoise::placement
