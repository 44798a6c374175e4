#pragma once
// Items of each value of a label, counted by values of machines: what rules about racks and zones
// are judged by.

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// How many items of a value are on machines with another. Items without a value are not counted.
class ValueCounts {
  public:
    /// By value of machines; only those with items. Machines without a value are under `no_value`.
    using OnValues = std::map<ValueId, Tokens>;

    ValueCounts(const Label& of_items, const Label& of_machines);
    void add(ItemId item, MachineId machine);
    /// All items, where they are.
    void add_all(std::span<const MachineId> places);
    void remove(ItemId item, MachineId machine);
    [[nodiscard]] const OnValues& of(ValueId value) const { return counts_[value]; }
    [[nodiscard]] ValueId values() const { return static_cast<ValueId>(counts_.size()); }

  private:
    const Label& of_items_;
    const Label& of_machines_;
    std::vector<OnValues> counts_;  ///< by value of items
};

/// One element of `Problem::spread`. The problem outlives it.
class SpreadCounts {
  public:
    SpreadCounts(const Problem& problem, std::size_t rule);
    [[nodiscard]] ValueCounts& counts() { return counts_; }
    /// How many values machines have which may take items.
    [[nodiscard]] Tokens takers() const { return takers_; }
    /// Where the rule is broken for items of the value.
    void append_broken(ValueId value, std::vector<BrokenRule>& broken) const;

  private:
    const Problem& problem_;
    std::size_t rule_;
    Tokens takers_ = 0;  ///< values that machines have which may take items
    ValueCounts counts_;
};

/// One element of `Problem::near`. The problem outlives it.
class NearCounts {
  public:
    NearCounts(const Problem& problem, std::size_t rule);
    [[nodiscard]] ValueCounts& counts() { return counts_; }
    /// Where the rule is broken for one of its pairs.
    void append_broken(std::size_t pair, std::vector<BrokenRule>& broken) const;

  private:
    const Problem& problem_;
    std::size_t rule_;
    ValueCounts counts_;
};

/// How far the rule is broken for a value, or for a pair: the sum of `BrokenRule::by`.
template <class Counts>
[[nodiscard]] Tokens broken_by(const Counts& counts, std::size_t which) {
    std::vector<BrokenRule> broken;
    counts.append_broken(static_cast<ValueId>(which), broken);
    Tokens sum = 0;
    for (const BrokenRule& each : broken)
        sum += each.by;
    return sum;
}

}  // namespace equipoise::reassign
