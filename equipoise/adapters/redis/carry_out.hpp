#pragma once
// A plan of slots carried out on the servers.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/slot_moves.hpp"

namespace equipoise::redis {

struct PlannedMove {
    std::uint16_t slot = 0;
    MasterId from = no_master;
    MasterId to = no_master;
    std::uint64_t keys = 0;                     ///< as they were when they were counted
    std::uint64_t bytes = 0;                    ///< estimated
    std::vector<std::uint32_t> waits_for = {};  ///< numbers of moves that must be done before
};

struct CarryOutProgress {
    std::uint64_t slots = 0, slots_all = 0;
    std::uint64_t bytes = 0, bytes_all = 0;
    double seconds = 0;       ///< since the start
    double seconds_left = 0;  ///< at the pace so far
};

struct CarryOutOptions {
    MoveOptions move;
    /// How many a server gives or takes at a time. When slots change hands, servers write the
    /// whole table of owners to disk, once for all slots that go together.
    std::uint64_t slots_at_once = 128;
    /// By master: bytes a second; empty: no limit.
    std::vector<double> gives_a_second = {};
    std::vector<double> takes_a_second = {};
    double patience = 30;  ///< seconds that a cluster gets to be well again
    std::stop_token stop = {};
    std::function<void(const CarryOutProgress&)> progress = {};  ///< called by one thread at a time
    std::function<void(const std::string&)> note = {};           ///< likewise
};

struct CarriedOut {
    std::uint64_t slots = 0;  ///< moved
    std::uint64_t keys = 0;
    std::uint64_t bytes = 0;        ///< as they were estimated
    std::uint64_t closed = 0;       ///< open slots that were closed
    std::uint64_t finished = 0;     ///< open slots that were finished
    std::vector<std::string> left;  ///< slots that were left open, or not moved, and why
    double seconds = 0;
    bool interrupted = false;  ///< by the stop token
    std::string stopped;       ///< why the rest was given up; empty: it was not

    /// Adds what was done before.
    void add(const CarriedOut& before);
};

/// Moves slots, several at once between different masters; no master gives and takes at a time,
/// since two that send to each other wait for each other. `keys_at_once` and `slots_at_once` bound
/// what is under way. Open slots are closed or finished first. When a connection breaks or a server
/// says that the cluster is not as it was, all of it is read again: a master whose replica took
/// over is followed, open slots are opened again, moves whose slot is no longer where it was are
/// left out. It ends after the slots under way once `stop` is asked for. Throws InputError
/// where a server does not let it in.
[[nodiscard]] CarriedOut carry_out(const Dial& dial, const Cluster& cluster,
                                   const std::vector<PlannedMove>& moves,
                                   const CarryOutOptions& options);

}  // namespace equipoise::redis
