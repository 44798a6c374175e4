#pragma once
// A placement whose score is kept up to date while items move.

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

/// A score, and before it what no plan can have: rules that are broken further than at the start in
/// a way that no schedule allows (see replay.hpp), and more moved than the budget.
struct FullScore {
    Int128 excluded = 0;
    Score score;
    friend std::strong_ordering operator<=>(const FullScore&, const FullScore&) = default;
    friend bool operator==(const FullScore&, const FullScore&) = default;
    FullScore& operator+=(const FullScore& other);
};

/// Items on machines; at first all are where they are at the start. A move, done or only tried,
/// costs O(resources + rules about the item + dependences of its service).
class Placement {
  public:
    explicit Placement(const SearchTables& tables);

    [[nodiscard]] const SearchTables& tables() const { return *tables_; }
    [[nodiscard]] const FullScore& score() const { return score_; }
    [[nodiscard]] std::span<const MachineId> places() const { return places_; }
    [[nodiscard]] MachineId place(ItemId item) const { return places_[item]; }
    [[nodiscard]] bool moved(ItemId item) const {
        return places_[item] != tables_->problem.places[item];
    }
    /// The items on a machine, in no particular order.
    [[nodiscard]] std::span<const ItemId> items_on(MachineId machine) const { return on_[machine]; }
    /// The items that are not where they were, in no particular order.
    [[nodiscard]] std::span<const ItemId> moved_items() const { return moved_items_; }
    /// The items that were on a machine and are elsewhere, in no particular order.
    [[nodiscard]] std::span<const ItemId> away_from(MachineId machine) const {
        return away_[machine];
    }
    [[nodiscard]] Tokens used(MachineId machine, std::size_t resource) const {
        return used_[machine * tables_->kinds + resource];
    }
    /// What counts against the machine's capacity: also what has left it, if that is released late.
    [[nodiscard]] Tokens held(MachineId machine, std::size_t resource) const {
        const std::size_t cell = machine * tables_->kinds + resource;
        return used_[cell] + (tables_->transient[resource] ? left_[cell] : 0);
    }
    /// How much more of a resource the machine can hold below all its limits; less than 0 if it
    /// holds too much.
    [[nodiscard]] Tokens room(MachineId machine, std::size_t resource) const {
        const std::size_t cell = machine * tables_->kinds + resource;
        const Tokens room = tables_->limits[cell] - used_[cell];
        if (!tables_->transient[resource]) return room;
        return std::min(room, tables_->problem.capacities[cell] - used_[cell] - left_[cell]);
    }
    /// What is above the limit of a level aim.
    [[nodiscard]] Tokens over_level(std::size_t aim, MachineId machine) const {
        return over_level(aim, machine, used(machine, tables_->aims[aim].resource),
                          needing_[aim][machine]);
    }

    /// The score after the item has moved to the machine less the score now: it differs from the
    /// place now, and the item may be there (`SearchTables::may_be_on`).
    [[nodiscard]] FullScore change(ItemId item, MachineId to) const;
    /// Moves the item; the machine is as above.
    void move(ItemId item, MachineId to) { move(item, to, change(item, to)); }
    /// The same, where `change(item, to)` is known.
    void move(ItemId item, MachineId to, const FullScore& known);

    /// Whether a rule about several items is broken for this one where it is, or it must not be
    /// there. Cost as that of a move.
    [[nodiscard]] bool breaks_a_rule(ItemId item) const;

  private:
    /// An item arrives at a machine, or leaves it.
    struct Shift {
        MachineId machine = 0;
        bool home = false;  ///< whether it was there at the start
        bool arrives = false;
    };

    [[nodiscard]] Tokens over_level(std::size_t aim, MachineId machine, Tokens used,
                                    std::uint32_t needing) const {
        const AimTable& table = tables_->aims[aim];
        const Tokens limit = table.limits[machine];
        if (used <= limit || (needing == 1 && !tables_->problem.drained[machine])) return 0;
        return used - limit;
    }
    void shift_resources(ItemId item, Shift shift, FullScore& change) const;
    void shift_items(Shift shift, FullScore& change) const;
    void shift_levels(ItemId item, Shift shift, FullScore& change) const;
    [[nodiscard]] Int128 balance_cost(MachineId machine, std::span<const Tokens> amounts,
                                      Tokens sign) const;
    void shift_home(ItemId item, MachineId from, MachineId to, FullScore& change) const;
    void shift_apart(ItemId item, MachineId from, MachineId to, FullScore& change) const;
    void shift_spread(ItemId item, MachineId from, MachineId to, FullScore& change) const;
    void shift_near(ItemId item, MachineId from, MachineId to, FullScore& change) const;
    /// Calls `add` with each pair that the move brings near or takes apart, and on how many more
    /// values it is then broken.
    template <class Add>
    void for_far_pairs(std::size_t rule, ItemId item, MachineId from, MachineId to,
                       const Add& add) const;
    [[nodiscard]] Tokens together(const ApartTable& table, std::uint32_t group, MachineId machine,
                                  std::optional<ItemId> without, std::optional<ItemId> with) const;
    /// The state of an item's group after it has moved.
    [[nodiscard]] SpreadState spread_after(std::size_t rule, ItemId item, MachineId to) const;
    [[nodiscard]] SpreadState spread_now(std::size_t rule, std::uint32_t group) const;
    /// The state of a small group, with the item of one slot elsewhere.
    [[nodiscard]] SpreadState small_spread(const SpreadTable& table, std::uint32_t group,
                                           std::uint32_t moved_slot, MachineId to) const;
    void count_at_start();
    void count_spread(std::size_t rule);
    void move_in_groups(ItemId item, MachineId from, MachineId to);
    void move_amounts(ItemId item, MachineId from, MachineId to);
    void list(ItemId item, MachineId from, MachineId to);

    const SearchTables* tables_;
    FullScore score_;
    std::vector<MachineId> places_;
    std::vector<std::vector<ItemId>> on_;
    std::vector<std::uint32_t> place_in_list_;  ///< by item: where it is in `on_`
    std::vector<ItemId> moved_items_;
    std::vector<std::uint32_t> place_in_moved_;
    std::vector<std::vector<ItemId>> away_;  ///< by machine where they were
    std::vector<std::uint32_t> place_in_away_;
    std::vector<Tokens> used_;                         ///< by machine, then resource
    std::vector<Tokens> left_;                         ///< of what was there at the start
    std::vector<std::vector<std::uint32_t>> needing_;  ///< by aim, then machine: items
    std::vector<Tokens> moved_amounts_;                ///< by resource
    std::vector<std::vector<MachineId>> slots_;  ///< by groups, then slot; where they are small
    // By rule; empty where groups are small.
    std::vector<std::optional<PairCounts>> apart_;         ///< by group and machine
    std::vector<std::optional<PairCounts>> spread_;        ///< by group and value
    std::vector<std::vector<SpreadState>> spread_states_;  ///< by group
    std::vector<PairCounts> near_;                         ///< by service and value
    std::vector<std::vector<Tokens>> far_;   ///< by rule, then pair: values where it is broken
    std::vector<std::uint32_t> moved_of_;    ///< by group of `most_moved`
    std::vector<std::uint32_t> with_moved_;  ///< by number: groups with so many moved items
    std::uint32_t most_moved_ = 0;
};

}  // namespace equipoise::reassign
