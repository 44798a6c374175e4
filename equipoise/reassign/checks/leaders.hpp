#pragma once
// Who leads the items of each thing: how leaders stand, and what changes of leaders do. Plain sums,
// which share nothing with the search for changes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// By thing: the item that leads, or `no_item`.
using Leaders = std::vector<ItemId>;

/// Who leads in the beginning.
[[nodiscard]] Leaders leaders_of(const Problem& problem);

struct LeaderStanding {
    std::vector<Tokens> led;      ///< by machine: the things whose leader is on it
    std::vector<Tokens> above;    ///< by machine: those beyond `Problem::leader_limits`, if asked
    Tokens over = 0;              ///< the sum of `above`
    std::uint64_t elsewhere = 0;  ///< things that another item leads than `given_leaders` says
};

/// Looks at leaders of items that are on these places.
[[nodiscard]] LeaderStanding stand_leaders(const Problem& problem,
                                           std::span<const MachineId> places,
                                           std::span<const ItemId> leaders);

struct ReplayedLeaders {
    std::string fault;         ///< the first change that is not allowed, in words; empty: none
    std::size_t fault_at = 0;  ///< which one
    Leaders leaders;           ///< in the end, or before the fault
};

/// Replays changes of leaders, when items are on these places. One is allowed if its thing is led
/// as it says, by another item of the thing from then on, no thing has two of them, the machine
/// that leads is not pinned, and the other one may take items.
[[nodiscard]] ReplayedLeaders replay_leaders(const Problem& problem,
                                             std::span<const MachineId> places,
                                             std::span<const LeaderChange> changes);

}  // namespace equipoise::reassign
