#pragma once
// Items that must be apart, on the machines where they are while a wave is built.

#include <cstddef>
#include <vector>

#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

/// One element of `Problem::apart`, in the wave under construction. The problem outlives it. Every
/// operation takes expected time O(1).
class Presence {
  public:
    Presence(const Problem& problem, std::size_t rule);

    /// Whether the item has a value that others have, too: all below is about such items.
    [[nodiscard]] bool counts(ItemId item) const {
        return values_[item] != no_value && shared_[values_[item]];
    }
    [[nodiscard]] ValueId value(ItemId item) const { return values_[item]; }
    /// Whether the item must not arrive in this wave, whatever leaves.
    [[nodiscard]] bool refuses(ItemId item, MachineId to) const {
        return on_the_way_ && there_.at(values_[item], to) > 0;
    }
    /// Whether nothing with the value arrives in this wave where another one is when it is over.
    [[nodiscard]] bool settled(ValueId value, MachineId machine) const {
        return on_the_way_ || arriving_.at(value, machine) == 0 || there_.at(value, machine) < 2;
    }

    /// A move joins the wave.
    void add(const Move& move);
    void withdraw(const Move& move);
    /// The wave of the move is over.
    void end(const Move& move);
    void reopen(const Move& move);

  private:
    const std::vector<ValueId>& values_;
    bool on_the_way_;
    std::vector<bool> shared_;  ///< by value: several items have it
    /// By value and machine, with the moves of this wave. Where the rule holds on the way, items
    /// that leave in this wave are still there.
    PairCounts there_;
    PairCounts arriving_;  ///< in this wave; unused where the rule holds on the way
};

}  // namespace equipoise::reassign
