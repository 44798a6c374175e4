#pragma once
// How many items each rank ends with if all items keep their order and few may change their
// machine.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

/// Sizes that are the floor or the ceiling of each rank's share, which is proportional to its speed
/// (empty: all alike). With the items of all ranks, one after the other, dealt out in their order,
/// no other choice of floors and ceilings brings fewer items to another machine; among choices that
/// bring equally few, none brings fewer to another rank.
///
/// A dynamic program over ranks and over the number of ranks that got the ceiling: which items
/// change places depends only on where a rank's items begin and end. Ranks with equal numbers share
/// a machine. Cost O(P^2) time and P^2 / 8 bytes. Throws InputError if all speeds are 0.
[[nodiscard]] std::vector<Tokens> order_sizes(std::span<const Tokens> counts,
                                              std::span<const double> speeds,
                                              std::span<const int> machine);

}  // namespace equipoise::placement
