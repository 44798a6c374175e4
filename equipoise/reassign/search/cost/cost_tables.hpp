#pragma once
// What the search for weighted costs reads at every step, laid out for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/move_cost.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

/// It does not change, and all threads share it. Of the resources only those are kept that have
/// capacities or cost something; they are called kinds here, and those that are released after the
/// last wave come last.
struct CostTables {
    /// For problems that `suit`.
    explicit CostTables(const SearchTables& search_tables);

    /// Whether the problem has an objective whose costs, and all that is computed on the way to
    /// them, stay below 2^60.
    [[nodiscard]] static bool suit(const Problem& problem);
    /// The bytes of such tables.
    [[nodiscard]] static std::uint64_t bytes(const Problem& problem);

    const SearchTables& tables;
    const Problem& problem;
    std::size_t kinds = 0;
    std::size_t first_late = 0;   ///< this kind and those after it are released after the last wave
    std::vector<Tokens> amounts;  ///< by item, then kind
    std::vector<Tokens> capacities;  ///< by machine, then kind
    std::vector<Tokens> thresholds;  ///< the same
    std::vector<Tokens> held;        ///< the same: at the start
    std::vector<Tokens> weights;     ///< by kind: of what is above thresholds
    struct Balance {
        std::size_t kind = 0;
        std::size_t other = 0;
        Tokens target = 0;
        Tokens weight = 0;
    };
    std::vector<Balance> balances;
    std::vector<ItemId> movable;
    /// The same, largest first: by the greatest part that an item has of all there is of a kind.
    std::vector<ItemId> by_size;
    std::vector<MachineId> takers;
    // Items that may move, by the group in which they are apart by the last rule that says so: an
    // item's group is between two of these numbers.
    std::vector<ItemId> peers;
    std::vector<std::uint32_t> first_peers;  ///< by group, and one more; empty: no such rule

    /// Whether there are so few shifts that a search comes to each of them often.
    [[nodiscard]] bool is_small() const { return movable.size() * takers.size() <= 2000; }
    /// The items of this one's group that may move, itself among them if it may; none without a
    /// group.
    [[nodiscard]] std::span<const ItemId> peers_of(ItemId item) const {
        if (first_peers.empty()) return {};
        const std::uint32_t group = tables.groups[tables.apart.back().groups].of[item];
        if (group == ItemGroups::none) return {};
        return std::span(peers).subspan(first_peers[group],
                                        first_peers[group + 1] - first_peers[group]);
    }
    [[nodiscard]] const Tokens* amounts_of(ItemId item) const { return &amounts[item * kinds]; }
    /// Whether rules about this item alone let it go to the machine, or back to it.
    [[nodiscard]] bool may_go(ItemId item, MachineId machine) const {
        return tables.takes[machine] && tables.may_be_on(item, machine) &&
               (machine != problem.places[item] || !tables.misplaced[item]);
    }
    /// What it costs that an item is on a machine rather than where it was.
    [[nodiscard]] Tokens move_cost(ItemId item, MachineId machine) const {
        return static_cast<Tokens>(
            reassign::move_cost(problem, item, problem.places[item], machine));
    }

  private:
    void sort_by_size();
};

}  // namespace equipoise::reassign
