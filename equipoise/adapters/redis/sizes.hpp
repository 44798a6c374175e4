#pragma once
// How much the slots hold, and what servers say of their memory and of what they write to disk.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::redis {

/// Keys are counted; bytes are MEMORY USAGE of up to `sampled_keys` keys a slot, times the keys.
struct SlotSizes {
    std::vector<std::uint64_t> keys;   ///< by slot
    std::vector<std::uint64_t> bytes;  ///< by slot
    std::uint64_t sampled = 0;         ///< keys that were asked for their bytes
    /// By master: how far its bytes may be off, as a fraction of them: twice the standard error of
    /// the estimate, by what the samples of its slots differ. 0 where all keys were asked.
    std::vector<double> error;
};

inline constexpr std::uint64_t sampled_keys = 3;

[[nodiscard]] SlotSizes read_sizes(const Dial& dial, const Cluster& cluster);

struct MasterState {
    std::uint64_t memory_max = 0;   ///< maxmemory in bytes; 0: no limit
    std::uint64_t memory_used = 0;  ///< used_memory
    std::uint64_t keys = 0;         ///< all of them, those of other masters' slots too (DBSIZE)
    bool saves_always = false;      ///< appendonly yes, appendfsync always
    double node_timeout = 0;  ///< cluster-node-timeout in seconds; 0: the server does not tell
};

/// By master. Settings that the user may not read are as if they were not set.
[[nodiscard]] std::vector<MasterState> read_states(const Dial& dial, const Cluster& cluster);

}  // namespace equipoise::redis
