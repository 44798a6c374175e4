#pragma once
// Slots that go from one master to another while clients read and write them.

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/connection.hpp"
#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::redis {

/// A server answered as it does only if others changed the cluster meanwhile: it is no master any
/// more, or a slot is no longer whose it was. The cluster must be read again.
class ClusterChanged : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct MoveOptions {
    Credentials credentials;  ///< with which the source writes to the target
    std::uint64_t keys_at_once = 100;
    /// Of a MIGRATE by itself, and of all those together that a server gets at once: it answers
    /// nobody meanwhile. Less than the time after which the cluster takes it for dead.
    std::uint64_t timeout_ms = 5000;
    /// Called before keys are sent, with how many; may wait.
    std::function<void(std::uint64_t)> before_keys = {};
    /// Whether keys that both servers hold, with different values, are taken from the source: only
    /// in a slot that this run opened, where they are what a broken MIGRATE left behind.
    bool replace_different = true;
};

/// What became of a slot.
struct SlotOutcome {
    std::uint64_t keys = 0;  ///< that were sent
    std::string left;        ///< why the slot was left open, with its keys on both; empty: it moved
    bool is_general = false;  ///< whether that is about the servers and no single key
};

/// The two ends of a move, and the connections to the other masters, which hear of it at the end.
struct MoveEnds {
    Server* source = nullptr;
    Server* target = nullptr;
    std::vector<Server*> others;  ///< an error of theirs is passed over: they hear of it by gossip
    const Master* source_master = nullptr;
    const Master* target_master = nullptr;
};

// Problem: move slots of one master to another without losing or doubling a key, stopped anywhere.
// Model: Redis Cluster 7; clients that follow MOVED and ASK go on reading and writing.
// Source: the order of the Redis Cluster specification (live resharding).
// Guarantee: at each moment, every key is on the source or the target, and a client that follows
//   redirections reaches it. Stopped between any two commands, `heal` (open_slots.hpp) goes on.
//   This assumes that configuration epochs differ, which `join_views` asks for, and that the
//   source takes no slots meanwhile, of which `BatchSchedule` takes care.
// Deviations: SETSLOT NODE goes to the source right after the target: where epochs tie, a source
//   that is not told would win the slots back, and the target would delete their keys.

/// Moves the slots all at once: every command for all of them, then the next one. Slots may be open
/// at either end. Throws ConnectionLost, ClusterChanged.
[[nodiscard]] std::vector<SlotOutcome> move_slots(const MoveEnds& ends,
                                                  std::span<const std::uint16_t> slots,
                                                  const MoveOptions& options);

/// The commands by which `move_slots` moves one slot, for people, with the loop over its keys as a
/// comment; one a line.
[[nodiscard]] std::string commands_of(const Cluster& cluster, std::uint16_t slot, MasterId from,
                                      MasterId to, const MoveOptions& options);

}  // namespace equipoise::redis
