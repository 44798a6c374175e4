#pragma once
// A placement that changes slot by slot, with its sums kept up to date.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/replication/problem.hpp"
#include "equipoise/replication/search/pools.hpp"

namespace equipoise::replication {

/// What a change of a placement does to its sums.
struct Change {
    Tokens excess = 0;        ///< added over all machines: what one holds above the limit
    std::int32_t copied = 0;  ///< pairs of an item and a machine that had not had it
};

/// An allowed placement. Changes are judged before they are made; both take time in proportion to
/// the copies of the two items. `stand` says what the sums mean.
class State {
  public:
    State(const Problem& problem, std::span<const Pool> pools, std::span<const ItemId> placement,
          Tokens limit);

    void set_placement(std::span<const ItemId> placement);
    void set_limit(Tokens limit);

    [[nodiscard]] std::span<const ItemId> placement() const { return item_; }
    [[nodiscard]] Tokens limit() const { return limit_; }
    [[nodiscard]] Tokens excess() const { return excess_; }
    [[nodiscard]] std::int64_t copied() const { return copied_; }
    [[nodiscard]] Tokens largest() const;

    [[nodiscard]] ItemId item(std::uint32_t slot) const { return item_[slot]; }
    [[nodiscard]] MachineId machine(std::uint32_t slot) const { return machine_[slot]; }
    [[nodiscard]] Tokens held(MachineId machine) const { return held_[machine]; }
    [[nodiscard]] std::uint32_t copies(ItemId item) const { return copies_[item]; }
    /// The slot of one of the copies of an item, which are in no order.
    [[nodiscard]] std::uint32_t slot_of(ItemId item, std::uint32_t copy) const {
        return slots_of_[std::size_t{item} * most_copies_ + copy];
    }
    [[nodiscard]] bool has(MachineId machine, ItemId item) const {
        return (marks_[at(machine, item)] & is_there) != 0;
    }
    /// Whether it is there at present.
    [[nodiscard]] bool had(MachineId machine, ItemId item) const {
        return (marks_[at(machine, item)] & was_there) != 0;
    }

    /// The slots whose item has more than one copy, in no order.
    [[nodiscard]] std::span<const std::uint32_t> spare_slots() const { return spare_; }

    /// Whether the item of the slot can be given up for another of its pool.
    [[nodiscard]] bool may_replace(std::uint32_t slot, ItemId by) const {
        return copies_[item_[slot]] > 1 && !has(machine_[slot], by);
    }
    [[nodiscard]] Change judge_replace(std::uint32_t slot, ItemId by) const;
    void replace(std::uint32_t slot, ItemId by, Change change);

    /// Whether the items of two slots of a pool can change places.
    [[nodiscard]] bool may_swap(std::uint32_t a, std::uint32_t b) const {
        return machine_[a] != machine_[b] && !has(machine_[a], item_[b]) &&
               !has(machine_[b], item_[a]);
    }
    [[nodiscard]] Change judge_swap(std::uint32_t a, std::uint32_t b) const;
    void swap(std::uint32_t a, std::uint32_t b, Change change);

  private:
    /// Of an item: what one copy carries with as many copies as there are, one more, one fewer.
    struct Each {
        Tokens now = 0, with_more = 0, with_fewer = 0;
    };
    static constexpr std::uint8_t is_there = 1;
    static constexpr std::uint8_t was_there = 2;

    [[nodiscard]] std::size_t at(MachineId machine, ItemId item) const {
        return std::size_t{machine} * loads_.size() + item;
    }
    [[nodiscard]] Tokens above(Tokens held) const { return held > limit_ ? held - limit_ : 0; }
    [[nodiscard]] Tokens added(Tokens held, Tokens change) const {
        return above(held + change) - above(held);
    }
    /// What having the item on the machine costs.
    [[nodiscard]] std::int32_t cost(MachineId machine, ItemId item) const {
        return had(machine, item) ? 0 : 1;
    }
    void share(ItemId item);
    void add_spare(std::uint32_t slot);
    void remove_spare(std::uint32_t slot);

    std::span<const Tokens> loads_;
    Tokens limit_;
    std::size_t most_copies_ = 0;  // of an item
    std::vector<ItemId> item_;     // by slot
    std::vector<MachineId> machine_;
    std::vector<std::uint32_t> copy_;      // by slot: its place among the copies of its item
    std::vector<std::uint32_t> slots_of_;  // by item and copy
    std::vector<std::uint32_t> copies_;    // by item
    std::vector<Each> each_;
    std::vector<std::uint32_t> spare_;
    std::vector<std::uint32_t> spare_at_;  // by slot: its place in `spare_`, if it is there
    std::vector<std::uint8_t> marks_;      // by machine and item
    std::vector<Tokens> held_;
    Tokens excess_ = 0;
    std::int64_t copied_ = 0;
};

}  // namespace equipoise::replication
