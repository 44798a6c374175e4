#pragma once
// Which items may be on which machines.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// Machines, and the items that live on them and nowhere else: a host and its groups, where groups
/// are whole; otherwise all machines and all items.
struct Pool {
    MachineId first = 0;         ///< of its machines
    std::uint32_t machines = 0;  ///< how many, in a row; as many in every pool of a problem
    std::vector<ItemId> items;   ///< increasing; as many in every pool of a problem
};

/// Throws UnsuitableError if no placement is allowed: where machines have more slots than their
/// host has items. (A problem that `check` accepts has an allowed placement in all other cases.)
void refuse_unsuitable(const Problem& problem);

/// `host_of_group`: empty where there are no groups.
[[nodiscard]] std::vector<Pool> pools_of(const Problem& problem,
                                         std::span<const std::uint32_t> host_of_group);

/// A host for each group, as many groups for each: first, the hosts' loads are at most `limit` a
/// machine, or as little above as is found; then, as little as is found is lacking, which is, of
/// each group, the items that its host has not now, or the copies for an even share of its slots,
/// whichever is more. Exact where there are few groups. Empty without groups.
[[nodiscard]] std::vector<std::uint32_t> hosts_of_groups(const Problem& problem, Tokens limit);

}  // namespace equipoise::replication
