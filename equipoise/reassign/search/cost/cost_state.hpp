#pragma once
// A placement for the search for weighted costs: what it costs, and which rules it breaks at what
// price.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/cost/cell_counts.hpp"
#include "equipoise/reassign/search/cost/cost_tables.hpp"

namespace equipoise::reassign {

// Problem: what a placement with weighted costs costs, and which rules it breaks, as items move.
// Model: capacities, spread and nearness may be broken at a price, which may be as high as can be;
//   energy is the cost plus these prices. All other rules are kept: each item's machines, items
//   that are apart (those that are together may stay so, but no other one joins them), least
//   numbers of items, the budget. What is broken where it begins is free, by capacity, group and
//   pair; but a machine with too much of a resource takes none of it but what was there.
// Source: prices for rules that are broken on the way are usual in local search, and so is that
//   what stays broken gets dearer (dynamic penalties). Amounts above limits, and what each item
//   would relieve, are kept by cell and by item.
// Guarantee: where it breaks nothing, energy is the cost that `stand` gives, and a plan may aim
//   there (`may_end`, the budget). Where no rule is broken at the start, it is the other way
//   round, too.
// Deviations: sums of 64 bits (`CostTables::suit`) and tables of counts in place of hashed ones.

class CostState {
  public:
    struct Hop {
        ItemId item = 0;
        MachineId to = 0;
    };
    /// Of `move` and of `exchange`.
    static constexpr std::size_t moved_max = 3;
    static constexpr std::size_t exchanged_max = 16;
    /// What it costs to break rules.
    struct Prices {
        double over_capacity = 0;  ///< times the weight of the resource, by unit...
        double too_full = 0;       ///< ... and besides by machine and resource
        double far = 0;            ///< by missing value, surplus item, or pair and value
    };

    /// Begins at places that a plan may aim at; all prices are 0, and nothing is dearer.
    CostState(const CostTables& tables, std::span<const MachineId> places);

    [[nodiscard]] const CostTables& tables() const { return *tables_; }
    /// Prices are rounded, and lowered so that energies stay within 64 bits. Cost O(items resources
    /// + machines (resources + balances)).
    void set_prices(const Prices& prices);
    /// Makes what is broken dearer by the first factor, and what is not cheaper by the second one,
    /// but not cheaper than prices say: each resource of a machine by itself, spread and nearness
    /// as one. Cost O(machines resources).
    void adapt_prices(double dearer, double cheaper);
    /// Prices are as they were set again.
    void forget_what_is_dearer();

    [[nodiscard]] Tokens energy() const { return energy_; }
    /// Whether no rule is broken further than where it began.
    [[nodiscard]] bool is_allowed() const { return too_full_ == 0 && far_sum_ == 0; }
    /// The number of items that are not where they were.
    [[nodiscard]] Tokens moves() const { return moves_; }
    [[nodiscard]] std::span<const MachineId> places() const { return places_; }
    [[nodiscard]] MachineId place(ItemId item) const { return places_[item]; }
    [[nodiscard]] MachineId home(ItemId item) const { return tables_->problem.places[item]; }
    /// The items on a machine, in no particular order.
    [[nodiscard]] std::span<const ItemId> items_on(MachineId machine) const { return on_[machine]; }
    /// Whether the machine holds more of something than its limit.
    [[nodiscard]] bool is_too_full(MachineId machine) const { return full_[machine] > 0; }
    /// The items that can mend spread and nearness where these are broken further than where it
    /// began: those of the groups, of services that are alone at a value, and of the services that
    /// these miss. Cost O(items + groups + pairs values).
    [[nodiscard]] std::vector<ItemId> items_that_mend() const;

    /// Moves 1 to `moved_max` items at the same time if energy grows by at most `most`, and the
    /// rules without a price allow it. They are different items, from different machines, to
    /// different machines where they are not and to which they may go (`CostTables::may_go`). Cost
    /// O(hops (resources + hops) + balances), less if it fails; what was done, also O(rules about
    /// the items + dependences of their services).
    bool move(std::span<const Hop> hops, Tokens most);
    /// The same for an item that goes to another machine, and others that come from there to where
    /// it was: `exchanged_max` items at most. Cost as of `move`.
    bool exchange(std::span<const Hop> hops, Tokens most);
    /// Draws items that leave a machine for the place of the one that comes until there is room for
    /// it; `hops` is then the exchange. False if there is room, if there never is, or if too many
    /// would have to leave. Cost O(items there resources).
    bool draw_exchange(Hop comes, RandomStream& random, std::vector<Hop>& hops);
    /// By how much what an item adds to amounts above thresholds and limits would change.
    [[nodiscard]] Tokens load_change(Hop hop);
    /// Moves all items to where they were in a placement that it has been at.
    void go_to(std::span<const MachineId> places);

    /// The bytes of such a state.
    [[nodiscard]] static std::uint64_t bytes(const SearchTables& tables);

  private:
    /// What a machine has of a kind.
    struct Cell {
        Tokens used = 0;
        Tokens threshold = 0;
        Tokens limit = 0;        ///< capacity less what has left, if that is released late
        Tokens late = 0;         ///< all bits: what leaves lowers the limit; otherwise 0
        Tokens above_limit = 0;  ///< price of a unit
        Tokens too_full = 0;     ///< price besides
    };
    /// An item that may leave while another one arrives.
    struct Turnover {
        MachineId machine = 0;
        ItemId arrives = no_item;
        ItemId leaves = no_item;
    };

    void count_groups();
    void add_up();
    void lay_out_cells();
    void bound_prices();
    void price_cell(std::size_t at);
    void price_far();
    [[nodiscard]] Tokens price(std::size_t kind, const Cell& cell, Tokens used,
                               Tokens limit) const {
        Tokens sum = used > cell.threshold ? tables_->weights[kind] * (used - cell.threshold) : 0;
        if (used > limit) sum += cell.above_limit * (used - limit) + cell.too_full;
        return sum;
    }
    /// What of an item's amount the limit counts, too, as long as the item is home.
    [[nodiscard]] static Tokens late_part(const Cell& cell, Tokens amount, bool is_home) {
        return is_home ? amount & cell.late : 0;
    }
    [[nodiscard]] Tokens relief(ItemId item);
    [[nodiscard]] Tokens burden(const Turnover& turnover, Tokens most) const;
    [[nodiscard]] Tokens balance_cost(const Turnover& turnover) const;
    template <class More>
    [[nodiscard]] Tokens balance_cost(MachineId machine, const More& more) const;
    [[nodiscard]] Tokens exchange_change();
    void take(std::span<const Hop> hops);
    [[nodiscard]] Tokens most_with_groups(Tokens most) const;
    bool end_move(Tokens change, Tokens most);
    [[nodiscard]] bool is_closed(MachineId machine, ItemId item) const;
    [[nodiscard]] ItemId leaves(MachineId machine) const;
    [[nodiscard]] ItemId arrives(MachineId machine) const;
    [[nodiscard]] Tokens more_items(MachineId machine) const;
    [[nodiscard]] Tokens balance_change() const;
    [[nodiscard]] bool keeps_numbers() const;
    [[nodiscard]] Tokens move_cost_change() const;
    [[nodiscard]] Tokens most_moved_change();
    void count_moved(ItemId item, int more);
    [[nodiscard]] int more_moved(ItemId item, MachineId from, MachineId to) const {
        return (to != home(item) ? 1 : 0) - (from != home(item) ? 1 : 0);
    }
    [[nodiscard]] bool joins_its_group() const;
    [[nodiscard]] bool meets_its_group(ItemId item, MachineId machine, ItemId leaves) const;
    /// An item of a group comes from one value of a label of machines to another one.
    struct Passage {
        std::uint32_t group = 0;
        std::uint32_t leaves = 0;
        std::uint32_t arrives = 0;
    };
    template <class Table>
    [[nodiscard]] std::optional<Passage> passage(const Table& table, ItemId item, MachineId from,
                                                 MachineId to) const;
    void move_in_groups(ItemId item, MachineId from, MachineId to);
    void move_spread(std::size_t rule, ItemId item, MachineId from, MachineId to);
    void move_near(std::size_t rule, ItemId item, MachineId from, MachineId to);
    void settle(ItemId item, MachineId from, MachineId to);
    void note_machine(MachineId machine);
    void note_machines();

    const CostTables* tables_;
    std::vector<MachineId> places_;
    Tokens energy_ = 0;
    Tokens moves_ = 0;
    Tokens too_full_ = 0;  ///< cells above their limits
    Tokens far_sum_ = 0;   ///< how far rules of spread and nearness are broken beyond their limits
    std::vector<Cell> cells_;  ///< by machine, then kind
    Prices prices_;
    std::vector<double> units_;  ///< by kind: what the price of a unit is a multiple of
    // What prices must not exceed, so that energies stay within 64 bits.
    std::vector<double> unit_prices_max_;  ///< by kind
    double too_full_max_ = 0;
    double far_max_ = 0;
    std::vector<double> dearer_;  ///< by cell: a factor, at least 1
    double far_dearer_ = 1;
    Tokens far_price_ = 0;
    std::vector<std::vector<ItemId>> on_;  ///< by machine
    std::vector<std::uint32_t> place_in_list_;
    std::vector<Tokens> kept_;                    ///< by machine: the least number; empty: 0
    std::vector<std::uint32_t> full_;             ///< by machine: cells above their limits
    std::vector<Tokens> balance_costs_;           ///< by machine
    std::vector<std::uint64_t> versions_;         ///< by machine: changes whenever it does
    std::vector<Tokens> reliefs_;                 ///< by item, at the version of its machine below
    std::vector<std::uint64_t> relief_versions_;  ///< 0: not known
    /// By machine, then kind, where some machine is closed: whether only what was there at the
    /// start may come.
    std::vector<bool> closed_;
    std::vector<Tokens> moved_amounts_;                    ///< by resource, where there is a budget
    std::vector<CellCounts<std::uint8_t>> apart_;          ///< by rule: of group and machine
    std::vector<CellCounts<std::uint16_t>> spread_;        ///< by rule: of group and value
    std::vector<std::vector<SpreadState>> spread_states_;  ///< by rule, then group
    std::vector<std::vector<Tokens>> spread_limits_;       ///< the same: what is free
    std::vector<CellCounts<std::uint16_t>> near_;          ///< by rule: of service and value
    std::vector<std::vector<Tokens>> far_;  ///< by rule, then pair: values where it is broken
    std::vector<std::vector<Tokens>> far_limits_;
    std::vector<std::uint32_t> moved_of_;    ///< by group of `most_moved`
    std::vector<std::uint32_t> with_moved_;  ///< by number: groups with so many moved items
    std::uint32_t most_moved_ = 0;

    // What is tried.
    std::vector<Hop> hops_;
    std::vector<MachineId> from_;
    std::vector<Tokens> more_;    ///< by kind: by how much one machine has more, the other less
    std::vector<Tokens> excess_;  ///< by kind: what there is no room for
    std::vector<ItemId> there_;   ///< items of one machine
};

}  // namespace equipoise::reassign
