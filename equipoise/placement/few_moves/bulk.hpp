#pragma once
// The bulk of the moves where there are many items: the loads of ranks alone decide how much goes
// where, and the rank that holds the items decides which.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// Room of one rank that another one may fill.
struct Allotment {
    int from = 0;
    int to = 0;
    Units room = 0;  ///< in sizes (Capacity::size)
    bool between_machines = false;
};

/// Allots the rooms under a level to the ranks above it.
///
/// Excess and room are laid side by side on a line, in the order of ranks: within machines first
/// (empty: machines do not matter), then between machines. Ranks get all the room there is, in
/// proportion to their excess, except that between machines they get no more than the excess.
/// Within each machine, and once more between machines, there are fewer allotments than ranks above
/// and below the level. Cost O(ranks log ranks).
[[nodiscard]] std::vector<Allotment> allot(const Capacity& capacity, std::span<const Units> loads,
                                           double level, std::span<const int> machine);

/// The places of keys by falling key, in order up to a relative difference of 2^-23. Keys are 0 or
/// more. Cost O(keys): three passes. At most weighted_items_max keys.
[[nodiscard]] std::vector<std::uint32_t> falling(std::span<const float> keys);

}  // namespace equipoise::placement
