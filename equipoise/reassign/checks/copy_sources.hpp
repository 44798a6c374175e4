#pragma once
// From where an item is copied when it moves: which machine gives in a wave.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Says which machine gives in a move (see `Problem::copies_from_leader`). The problem outlives it.
class CopySources {
  public:
    /// Cost O(items).
    explicit CopySources(const Problem& problem);

    /// The item from whose machine this one is copied when it leaves `from`: itself, unless it is
    /// copied from its leader or comes from outside.
    [[nodiscard]] ItemId of(ItemId item, MachineId from) const {
        if (from == problem_.outside) return to_make(problem_.thing[item]);
        if (!problem_.copies_from_leader || leader_[problem_.thing[item]] == no_item) return item;
        return leader_[problem_.thing[item]];
    }
    /// The item from which copies of the thing are made.
    [[nodiscard]] ItemId to_make(std::uint32_t thing) const { return first_[thing]; }
    /// The machine that gives; `places` are those of all items when the wave begins.
    [[nodiscard]] MachineId giver(ItemId item, MachineId from,
                                  std::span<const MachineId> places) const {
        const ItemId source = of(item, from);
        return source == item ? from : places[source];
    }
    /// Whether every item is copied from where it leaves, whatever moves.
    [[nodiscard]] bool are_own() const { return are_own_; }

  private:
    const Problem& problem_;
    Leaders leader_;
    std::vector<ItemId> first_;  ///< by thing: the leader or the first that is not outside
    bool are_own_ = true;
};

}  // namespace equipoise::reassign
