#pragma once
// Items whose load is shared by their copies, in the slots of machines: how many copies each item
// gets, and where. The items of one problem are the experts of one layer of a language model; the
// machines are GPUs.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::replication {

using ItemId = std::uint32_t;
using MachineId = std::uint32_t;

/// Every machine has the same number of slots, and each slot holds one copy of an item. An item
/// with load w and r copies gives each of them ceil(w / r): loads are in units so small that
/// rounding does not matter (`adapters/experts/` chooses them).
struct Problem {
    std::vector<Tokens> loads;   ///< by item
    std::uint32_t machines = 0;  ///< numbered host by host
    std::uint32_t slots = 0;     ///< of each machine; machines * slots >= items >= slots
    std::uint32_t hosts = 1;     ///< divides `machines`
    /// More than 0: items are numbered group by group (`groups` divides their number), all copies
    /// of a group are on one host, and each host has as many groups (`hosts` divides `groups`).
    std::uint32_t groups = 0;
    /// The item in each slot now, machine by machine; empty: nothing is there yet.
    std::vector<ItemId> placement;

    [[nodiscard]] std::uint32_t items() const { return static_cast<std::uint32_t>(loads.size()); }
    [[nodiscard]] std::uint32_t all_slots() const { return machines * slots; }
    [[nodiscard]] std::uint32_t host_of(MachineId machine) const {
        return machine / (machines / hosts);
    }
    [[nodiscard]] std::uint32_t group_of(ItemId item) const { return item / (items() / groups); }

    /// Throws InputError when numbers do not fit each other, an item of the placement does not
    /// exist, or loads sum to more than `tokens_max`.
    void check() const;
};

/// What one copy carries.
[[nodiscard]] constexpr Tokens load_of_copy(Tokens load, Tokens copies) {
    return load / copies + (load % copies != 0 ? 1 : 0);
}

/// How a placement (the item in each slot) stands: plain sums, which define what searches compute.
struct Standing {
    std::vector<std::uint32_t> copies;  ///< by item
    std::vector<Tokens> held;           ///< by machine
    Tokens largest = 0;                 ///< of `held`
    /// Pairs of an item and a machine that has it and did not have it in `Problem::placement`.
    std::uint64_t copied = 0;
    std::uint32_t twice = 0;    ///< copies beside another one of the same item on one machine
    std::uint32_t missing = 0;  ///< items without a copy
    std::uint32_t astray = 0;   ///< copies on a host that is not that of most copies of the group
    /// Whether every item has a copy, none is twice on a machine and, where there are groups, each
    /// is on one host and each host has as many.
    bool allowed = false;
};
[[nodiscard]] Standing stand(const Problem& problem, const std::vector<ItemId>& placement);

/// A number that no allowed placement undercuts, and why.
struct Bound {
    Tokens at_least = 0;
    std::string reason;  ///< in words
};

}  // namespace equipoise::replication
