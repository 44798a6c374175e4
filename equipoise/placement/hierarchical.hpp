#pragma once
// Plans that move the fewest items between machines, then between sockets, then between ranks.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/targets.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Which ranks share a machine, and within a machine a socket; ranks with equal numbers are one
/// group.
struct Places {
    std::span<const int> machine;
    std::span<const int> socket;
};

/// Targets that need the fewest items between machines; among these, the fewest between sockets
/// (also of different machines); among these, the fewest between ranks; among these, the fullest
/// ranks hold the odd items (on a tie the lower rank). The only choice is which open ranks of
/// `level_shares` get one item more; with speeds, often no rank is open.
///
/// Every item dealt to a group (a machine, a socket, a rank) saves a move out of it, as long as the
/// group holds more than it was dealt. Savings never grow as items are dealt, so it is best to deal
/// the items one by one to the group where most is saved, machines first. Within a group that order
/// does not depend on what other groups get: the j-th item saves a move out of the group if and
/// only if j is at most its surplus. Cost O(P log P) and that of `level_shares`; throws as it does.
[[nodiscard]] std::vector<Tokens> hierarchical_targets(const Demand& demand, const Places& places);

/// Matches surpluses within sockets first, then within machines, then between machines: a group
/// sends to others exactly what it holds above the sum of its ranks' targets. Messages and moved
/// items are bounded as for `match_surpluses`. Cost O(P log P).
[[nodiscard]] std::vector<Transfer> match_hierarchically(std::span<const Tokens> counts,
                                                         std::span<const Tokens> targets,
                                                         const Places& places);

/// The total surplus of the groups that hold more than the sum of their ranks' targets.
[[nodiscard]] Tokens surplus_of_groups(std::span<const Tokens> counts,
                                       std::span<const Tokens> targets, std::span<const int> group);

}  // namespace equipoise::placement
