#pragma once
// What single items can do, whatever the others do.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// What is held above a limit.
[[nodiscard]] inline Int128 surplus(Int128 held, Int128 limit) {
    return held > limit ? held - limit : Int128{0};
}

/// Where items may end. In every plan an item ends where it is, or on one of the machines that may
/// take it.
struct Reach {
    /// By kind of item, then machine: whether it may take items of the kind. Kind 0 may go anywhere
    /// that takes items; kind 1 + s, to machines of the set s.
    std::vector<std::vector<bool>> takers;
    std::vector<std::uint32_t> kinds;  ///< by item
    std::vector<bool> leaves;          ///< by item: whether some other machine may take it
    std::vector<bool> must_leave;      ///< by item: whether it breaks a rule where it is
    std::vector<std::size_t> begins;   ///< by machine: where its items begin in `items`
    std::vector<ItemId> items;
    std::vector<Tokens> used;   ///< by machine, then resource: what it holds now
    std::vector<Tokens> stuck;  ///< of items that cannot leave

    [[nodiscard]] std::span<const ItemId> on(MachineId machine) const {
        return std::span(items).subspan(begins[machine],
                                        begins[machine + std::size_t{1}] - begins[machine]);
    }
    /// Whether the item may stay, where all that break a rule where they are `leave` if they can.
    [[nodiscard]] bool may_stay(ItemId item, bool leave) const {
        return !leave || !leaves[item] || !must_leave[item];
    }
    [[nodiscard]] bool may_end_on(const Problem& problem, ItemId item, MachineId machine) const {
        return machine == problem.places[item] || (leaves[item] && takers[kinds[item]][machine]);
    }
};

/// Cost O(items resources + sets machines).
[[nodiscard]] Reach reach_of(const Problem& problem);

}  // namespace equipoise::reassign
