#pragma once
// Plans that move the fewest items between machines, then between sockets, then between ranks.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Which ranks share a machine, and within a machine a socket; ranks with equal numbers are one
/// group.
struct Places {
    std::span<const int> machine;
    std::span<const int> socket;
};

/// Targets that need the fewest items between machines; among these, the fewest between sockets of
/// each machine; among these, the fewest between ranks.
///
/// Every rank gets the floor of the mean; the T mod P further items are dealt from the top down,
/// at each level first to groups that hold more than the floor for each rank, where each item dealt
/// saves a move, then to the first groups that have room. Cost O(P log P).
[[nodiscard]] std::vector<Tokens> hierarchical_targets(std::span<const Tokens> counts,
                                                       const Places& places);

/// Matches surpluses within sockets first, then within machines, then between machines: a group
/// sends to others exactly what it holds above the sum of its ranks' targets. Messages and moved
/// items are bounded as for `match_surpluses`. Cost O(P log P).
[[nodiscard]] std::vector<Transfer> match_hierarchically(std::span<const Tokens> counts,
                                                         std::span<const Tokens> targets,
                                                         const Places& places);

/// The sum, over the groups that hold more than their ranks' targets add up to, of the surplus.
[[nodiscard]] Tokens surplus_of_groups(std::span<const Tokens> counts,
                                       std::span<const Tokens> targets, std::span<const int> group);

}  // namespace equipoise::placement
