#pragma once
// Rules that are judged when a wave is over, for a placement that changes move by move.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

/// What a wave must not end with: a rule that would then be broken further than it was in the
/// beginning, or an item that would arrive where it must not. Other moves of the same wave may mend
/// it.
struct Debt {
    enum class Kind : std::uint8_t {
        room,   ///< more arrives on `machine` than the room of `resource` that leaving items free
        apart,  ///< an item with `value` arrives on `machine`, and another one would be there, too
        least_items,  ///< `machine` would hold too few items
        spread,       ///< items with `value` would be on too few values of machines
        near,         ///< the service of `pair` would be at more places without the other one
    };
    Kind kind = Kind::room;
    MachineId machine = no_machine;
    std::size_t resource = 0;
    std::size_t rule = 0;
    std::size_t pair = 0;
    ValueId value = no_value;
};

/// The rules `least_items`, `spread` and `near` of a placement that begins with `Problem::places`.
/// The problem outlives it.
class EndRules {
  public:
    explicit EndRules(const Problem& problem);

    /// Whether there is any such rule.
    [[nodiscard]] bool any() const { return any_; }
    /// An item changes its machine. Cost O(rules).
    void move(ItemId item, MachineId from, MachineId to);
    /// Appends the debts that this move, already made, may have caused.
    void append_debts(ItemId item, MachineId from, std::vector<Debt>& debts) const;
    /// Whether the placement owes this no longer; not for debts at machines where items arrive,
    /// `room` and `apart`.
    [[nodiscard]] bool settled(const Debt& debt) const;

  private:
    /// Counts by value of items and value of machines, from 1; 0: none.
    struct Spreading {
        Spreading(const Problem& problem, const Spread& of);
        const Spread& rule;
        const std::vector<ValueId>& values;          ///< of items
        const std::vector<ValueId>& machine_values;  ///< of machines
        PairCounts counts;
        std::vector<Tokens> items;    ///< by value
        std::vector<Tokens> places;   ///< by value: on how many values of machines they are
        std::vector<Tokens> surplus;  ///< by value: items above the most on one, added up
        std::vector<Tokens> first;    ///< by value: how far the rule was broken in the beginning
        Tokens takers = 0;            ///< values that machines have which may take items

        void enter(ValueId value, MachineId machine);
        void leave(ValueId value, MachineId machine);
        [[nodiscard]] Tokens most(ValueId value) const;
        [[nodiscard]] Tokens broken(ValueId value) const;
    };
    struct Nearness {
        Nearness(const Problem& problem, const Near& of);
        const Near& rule;
        const std::vector<ValueId>& values;
        const std::vector<ValueId>& machine_values;
        PairCounts counts;
        std::vector<std::vector<std::size_t>> pairs;  ///< by value, that it is part of
        std::vector<Tokens> broken;  ///< by pair: values of machines where the other one is missing
        std::vector<Tokens> first;   ///< the same in the beginning

        void enter(ValueId value, MachineId machine);
        void leave(ValueId value, MachineId machine);
        [[nodiscard]] std::size_t column(MachineId machine) const;
        [[nodiscard]] Tokens is_broken(std::size_t pair, std::size_t column) const;
        void add_broken(ValueId value, std::size_t column, Tokens sign);
    };

    bool any_ = false;
    std::vector<Tokens> items_;         ///< by machine; empty without least numbers
    std::vector<Tokens> fewest_items_;  ///< by machine, that it may hold after a wave
    std::vector<Spreading> spread_;
    std::vector<Nearness> near_;
};

}  // namespace equipoise::reassign
