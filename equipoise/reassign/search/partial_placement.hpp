#pragma once
// Some items placed, others not yet: what every completion scores at least.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/placement.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

/// Items are placed one by one and taken back in the reverse order; items that must not move are
/// placed from the beginning. For problems that are small enough for tables of values by machines.
class PartialPlacement {
  public:
    explicit PartialPlacement(const SearchTables& tables);

    /// Places an item where it may be.
    void place(ItemId item, MachineId machine);
    void take_back(ItemId item);
    [[nodiscard]] MachineId place_of(ItemId item) const { return places_[item]; }
    [[nodiscard]] std::span<const MachineId> places() const { return places_; }
    [[nodiscard]] bool placed(ItemId item) const { return places_[item] != no_machine; }
    /// Whether no placed item is on the machine.
    [[nodiscard]] bool is_empty(MachineId machine) const {
        return used_[machine * tables_.kinds + items_resource] == 0;
    }
    [[nodiscard]] Tokens used(MachineId machine, std::size_t resource) const {
        return used_[machine * tables_.kinds + resource];
    }

    /// What every completion scores at least, in every part; the score itself if all are placed.
    [[nodiscard]] FullScore at_least() const;
    /// The same for completions that score less than `best`, of which there may be none: then it is
    /// not less than `best`. More of it is looked at.
    [[nodiscard]] FullScore at_least(const Score& best) const;

  private:
    [[nodiscard]] FullScore cost_of_placing(ItemId item, MachineId machine) const;
    [[nodiscard]] FullScore cost_of_machine(ItemId item, MachineId machine) const;
    [[nodiscard]] FullScore cost_of_move(ItemId item, MachineId machine) const;
    [[nodiscard]] FullScore cost_of_rules(ItemId item, MachineId machine) const;
    [[nodiscard]] Tokens spread_broken_by(std::size_t rule, std::uint32_t group, Tokens reached,
                                          Tokens surplus, Tokens remaining) const;
    void count(ItemId item, MachineId machine, Tokens sign);
    void add_missing(FullScore& bound) const;
    void add_far(FullScore& bound) const;
    void add_unbalanced(FullScore& bound) const;
    bool add_shortage(FullScore& bound) const;
    [[nodiscard]] Int128 level_room(std::size_t aim, MachineId machine, Tokens largest) const;
    [[nodiscard]] bool may_get_more(MachineId machine) const;
    void add_needed_moves(FullScore& bound, const Score& best) const;
    [[nodiscard]] bool must_leave(ItemId item) const;
    struct Moves {
        Int128 fewest = 0;
        Tokens moves = 0;
    };
    [[nodiscard]] Moves moves_from(MachineId machine) const;
    [[nodiscard]] Moves moves_to_shed(std::span<const ItemId> items, std::size_t resource,
                                      Tokens amount) const;

    const SearchTables& tables_;
    const Problem& problem_;
    std::size_t machines_;
    std::vector<MachineId> places_;
    std::vector<FullScore> sums_;             ///< what placed items cost, after each of them
    std::vector<std::vector<ItemId>> homes_;  ///< by machine: its items at the start that may move
    std::vector<Tokens> used_;                ///< by machine, then resource
    std::vector<Tokens> arrived_;
    std::vector<Tokens> remaining_;             ///< by resource: of items that are not placed
    std::vector<Tokens> moved_;                 ///< by resource
    std::vector<std::vector<Tokens>> needing_;  ///< by aim, then machine
    struct Counts {
        std::vector<Tokens> on;         ///< by group, then machine or value
        std::vector<Tokens> arrived;    ///< the same, of those that were not there
        std::vector<Tokens> reached;    ///< by group: values
        std::vector<Tokens> surplus;    ///< by group
        std::vector<Tokens> remaining;  ///< by group: items that are not placed
    };
    std::vector<Counts> apart_;
    std::vector<Counts> spread_;
    std::vector<Counts> near_;
    std::vector<Tokens> moved_of_;  ///< by group of `most_moved`
};

}  // namespace equipoise::reassign
