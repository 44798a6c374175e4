#pragma once
// Slots that a run which ended early, or somebody else, left on their way.

#include <string>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/server.hpp"
#include "equipoise/adapters/redis/slot_moves.hpp"

namespace equipoise::redis {

/// What is to be done about an open slot. It is never closed on a server that holds keys of it and
/// does not own it: nobody would find them.
struct Remedy {
    enum class Kind : std::uint8_t {
        close,   ///< SETSLOT STABLE on all that have flags: nothing was moved
        claim,   ///< SETSLOT NODE on `to` and all others: its owner has given it away
        finish,  ///< move it from its owner to `to`
        leave,   ///< several servers hold keys of it: `why`
    };
    Kind kind = Kind::close;
    MasterId to = no_master;
    std::string why = {};
};

/// What is to be done with a slot, given how many keys of it each master holds.
/// - Its former owner has given it to a master that does not know it: claimed, unless others hold
///   keys of it.
/// - Only the owner holds keys, and it does not say MIGRATING: closed. While it says so, clients
///   may be on their way to the target with a new key: finished.
/// - One other master holds keys: finished, to that one.
/// - Several others hold keys: left.
[[nodiscard]] Remedy remedy_of(const OpenSlot& open, const std::vector<std::uint64_t>& keys);

struct Healed {
    /// Whether some slots wait for the cluster to be read again: they would go from a master that
    /// took one just now (`BatchSchedule` says why not).
    bool again = false;
    std::uint64_t closed = 0;
    std::uint64_t finished = 0;
    std::uint64_t keys = 0;         ///< that were sent
    std::vector<std::string> left;  ///< "slot 5461: ..."
};

/// Closes or finishes the open slots of a cluster, as far as it can go without reading it again.
/// `connections` is by master. Throws ConnectionLost, ClusterChanged.
[[nodiscard]] Healed heal(const Cluster& cluster, const std::vector<Server*>& connections,
                          const MoveOptions& options);

}  // namespace equipoise::redis
