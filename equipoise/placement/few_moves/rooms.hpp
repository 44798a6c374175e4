#pragma once
// Placements that put no more on a rank than it has room for, where items, or items and bytes, are
// limited.
//
// Problem: loads have kinds that take room (capacity.hpp). A placement is allowed if no rank holds
//   more of these than it has room for.
// Method: ranks that hold too much send items to the lowest ranks that have room: bytes first (the
//   smallest item that is enough, else the largest), then items. What is still too much is lowered
//   by moves of one item and exchanges of two, also starting from items packed anew by falling
//   bytes, each into the smallest room.
// Guarantee: if only items are limited, a placement is found whenever there is room for all. With
//   bytes this is bin packing, and the search may fail although there is an allowed placement.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/placement/few_moves/gathered.hpp"
#include "equipoise/placement/few_moves/pool.hpp"

namespace equipoise::placement {

/// Brings an assignment of a pool with limited room to an allowed one, with a low level. Returns
/// whether it is allowed; otherwise it is the one found that exceeds rooms least. Levels below
/// `bound` are as good as it. Cost O(items log items + ranks), and a bounded number of exchanges.
bool make_room(const Pool& pool, const Capacity& capacity, double bound, Assignment& found);

/// As place_gathered: the best allowed assignment that is found, or, with an infinite level, one
/// that exceeds rooms. `items` are those of `pool`, which has kinds that take room besides; `plain`
/// and `capacity` are the capacities without and with these. Never worse than all items at home, if
/// that is allowed; exact if there are few enough items; as good as place_gathered if that result
/// is allowed.
[[nodiscard]] Assignment place_in_rooms(const Gathered& items, const Capacity& plain,
                                        const Pool& pool, const Capacity& capacity, double bound);

/// The lowest levels in each kind of weights of a pool with all items that are not pinned, given
/// the rooms of ranks (lower_bounds.hpp). At least those of levels_at_least.
[[nodiscard]] std::vector<double> levels_in_rooms(const Pool& pool, const Capacity& capacity);

/// The rank that exceeds its room most, measured in what all ranks hold, and by how much.
struct Shortfall {
    std::size_t rank = 0;
    std::size_t kind = 0;  ///< of load
    Units lacks = 0;       ///< 0: none
};
[[nodiscard]] Shortfall largest_shortfall(const Capacity& capacity, std::span<const Units> loads);

}  // namespace equipoise::placement
