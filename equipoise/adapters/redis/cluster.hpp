#pragma once
// A cluster as all of its masters see it.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/nodes.hpp"
#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::redis {

using MasterId = std::uint32_t;  ///< the number of a master in `Cluster::masters`

inline constexpr MasterId no_master = std::numeric_limits<MasterId>::max();

struct Master {
    std::string id;
    Address address;
    std::uint64_t epoch = 0;
    std::vector<std::string> replicas;  ///< their ids
};

/// A slot that somebody began to move.
struct OpenSlot {
    std::uint16_t slot = 0;
    MasterId owner = no_master;               ///< whose the slot is
    std::vector<MasterId> migrating = {};     ///< masters with the flag MIGRATING
    std::vector<MasterId> migrating_to = {};  ///< where they say it goes; `no_master`: unknown
    std::vector<MasterId> importing = {};     ///< masters with the flag IMPORTING
    /// Masters that are importing it and know of no owner: while they do, they do not believe a
    /// replica that has taken over from the one they knew.
    std::vector<MasterId> unaware = {};
    /// A master to which its owner gave it, and which does not know that yet; it is `owner`, too.
    MasterId given_to = no_master;
};

struct Cluster {
    std::vector<Master> masters;  ///< those that hold slots in their order, then the others by name
    std::vector<MasterId> owners;  ///< by slot
    std::vector<OpenSlot> open;    ///< by slot, ascending

    /// `no_master` if there is none.
    [[nodiscard]] MasterId find(const std::string& id) const;
    [[nodiscard]] std::string name(MasterId master) const { return masters[master].address.name(); }
};

/// Joins the views of all masters. `seed` is the address that was asked first, whose host stands
/// for those that servers do not know. Throws InputError unless the views agree on masters and on
/// the owner of each slot, every slot has an owner that has not failed, and no two masters have the
/// same configuration epoch, in which a slot could fall back to a server that has deleted its keys.
[[nodiscard]] Cluster join_views(std::span<const View> views, const Address& seed);

/// Asks the server at `seed`, and all masters that it names, for their views, again and again for
/// up to `patience` seconds until they agree and say that the cluster is well. Throws InputError,
/// saying what was wrong last.
[[nodiscard]] Cluster read_cluster(const Dial& dial, const Address& seed, double patience);

/// The address in `redis://HOST:PORT` (port 6379 if it is left out). Throws InputError.
[[nodiscard]] Address address_in(const std::string& url);
/// Whether a text begins with redis://.
[[nodiscard]] bool is_address(const std::string& text);

}  // namespace equipoise::redis
