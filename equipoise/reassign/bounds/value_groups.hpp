#pragma once
// Items that share a value of a label, and the values of machines over which they must be spread.

#include <cstddef>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Which rules hold in all plans that are looked at.
struct Certain {
    bool leaves = false;       ///< items that break a rule where they are leave, if they can
    std::vector<bool> apart;   ///< by element of `Problem::apart`
    std::vector<bool> spread;  ///< by element of `Problem::spread`
};

/// By value of a label: its items.
[[nodiscard]] std::vector<std::vector<ItemId>> items_by_value(const Label& label);

/// For one element of `Problem::spread`: what the rule asks of items of one value.
class SpreadNeeds {
  public:
    SpreadNeeds(const Problem& problem, const Reach& reach, const Spread& rule);

    /// So many values of machines must be taken by `items` items.
    [[nodiscard]] std::size_t values_needed(std::size_t items) const;
    /// The most items on one value where the rule holds.
    [[nodiscard]] std::size_t most_on_value(std::size_t items) const;

    /// The values on which the items may end. `leave`: as in `Reach::may_stay`.
    struct Possible {
        std::vector<ValueId> values;
        bool elsewhere = false;  ///< on machines without a value
    };
    [[nodiscard]] Possible possible(const std::vector<ItemId>& items, bool leave) const;
    /// How far the rule is broken for the items in any plan: missing values and surplus items.
    [[nodiscard]] Int128 broken_at_least(const std::vector<ItemId>& items, bool leave) const;

  private:
    const Problem& problem_;
    const Reach& reach_;
    const Spread& rule_;
    const Label& of_machines_;
    std::vector<std::vector<ValueId>> values_;  ///< by kind of item: of machines that may take it
    std::vector<bool> elsewhere_;               ///< by kind: whether some such machine has none
};

/// By value of machines, the least and the most of a resource that they can end with where items
/// are spread.
struct RackRanges {
    std::vector<Int128> least;
    std::vector<Int128> most;
};
[[nodiscard]] RackRanges rack_ranges(const Problem& problem, const Reach& reach,
                                     const Certain& certain, const Spread& rule,
                                     std::size_t resource);

}  // namespace equipoise::reassign
