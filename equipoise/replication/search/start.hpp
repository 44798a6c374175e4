#pragma once
// An allowed placement to begin with.

#include <span>
#include <vector>

#include "equipoise/replication/problem.hpp"
#include "equipoise/replication/search/pools.hpp"

namespace equipoise::replication {

/// Keeps of the present placement what is allowed: of items in their own pool, one copy on a
/// machine, as long as no item without a copy needs its slot. Slots that are free get copies of the
/// items whose copies carry most, one after the other, and these copies go, the largest first, to
/// the machine that holds least. By slot; what is kept keeps its slot.
[[nodiscard]] std::vector<ItemId> first_placement(const Problem& problem,
                                                  std::span<const Pool> pools);

/// One that keeps nothing on purpose and is level; its machines then have the numbers under which
/// most of what they get is there at present.
[[nodiscard]] std::vector<ItemId> level_placement(const Problem& problem,
                                                  std::span<const Pool> pools);

}  // namespace equipoise::replication
