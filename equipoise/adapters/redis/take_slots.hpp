#pragma once
// The slots of a cluster as a problem of reassignment.

#include <string>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/sizes.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::redis {

/// A cluster with what it holds.
struct Holdings {
    Cluster cluster;
    SlotSizes sizes;
    std::vector<MasterState> states;
};

/// Makes slots the items of a problem, by their numbers, as `reassign::read_items` does with a
/// table: resources are `slots` (the items), `keys` and `bytes`; machines are the masters, named by
/// their addresses. Throws InputError for other columns that are named.
void take_slots(const Holdings& holdings, const std::string& url, const reassign::Columns& columns,
                reassign::Problem& problem, reassign::ReadTables& read);

/// Where a master has a maxmemory, its capacity in bytes: that less what it uses besides its keys.
/// Called when all machines have their limits, of which the smaller one counts.
void set_memory_limits(const Holdings& holdings, reassign::Problem& problem);

/// What people should know of the cluster before anything moves: how far bytes may be off, keys
/// that a master holds of others' slots, open slots, what a crash may lose.
[[nodiscard]] std::vector<std::string> notes_of(const Holdings& holdings);

}  // namespace equipoise::redis
