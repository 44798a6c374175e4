#include "equipoise/replication/search/start.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <tuple>

#include "equipoise/base/assert.hpp"
#include "equipoise/placement/assignment.hpp"

namespace equipoise::replication {

namespace {

constexpr ItemId nothing = ~ItemId{0};  // in a slot that is free

/// Fills the slots of one pool.
class Filler {
  public:
    Filler(const Problem& problem, const Pool& pool, std::vector<ItemId>& placement)
        : problem_(problem),
          pool_(pool),
          placement_(placement),
          begin_(pool.first * problem.slots),
          end_(begin_ + pool.machines * problem.slots),
          copies_(problem.items(), 0),
          on_(std::size_t{problem.items()} * pool.machines, 0),
          free_(pool.machines, 0),
          held_(pool.machines, 0) {}

    void run() {
        keep_what_is_allowed();
        std::vector<ItemId> wanted = missing();
        while (wanted.size() > all_free_)
            make_room();
        add_copies(wanted);
        for (std::uint32_t slot = begin_; slot < end_; ++slot)
            if (const ItemId item = placement_[slot]; item != nothing)
                held_[machine_of(slot)] += each(item);
        std::stable_sort(wanted.begin(), wanted.end(),
                         [&](ItemId a, ItemId b) { return each(a) > each(b); });
        for (const ItemId item : wanted)
            put(item);
    }

  private:
    /// Counted from the first machine of the pool.
    [[nodiscard]] std::uint32_t machine_of(std::uint32_t slot) const {
        return (slot - begin_) / problem_.slots;
    }
    [[nodiscard]] std::uint8_t& on(std::uint32_t machine, ItemId item) {
        return on_[std::size_t{item} * pool_.machines + machine];
    }
    [[nodiscard]] Tokens each(ItemId item) const {
        return load_of_copy(problem_.loads[item], copies_[item]);
    }
    void free_slot(std::uint32_t slot) {
        placement_[slot] = nothing;
        ++free_[machine_of(slot)];
        ++all_free_;
    }

    void keep_what_is_allowed() {
        std::vector<std::uint8_t> lives_here(problem_.items(), 0);
        for (const ItemId item : pool_.items)
            lives_here[item] = 1;
        for (std::uint32_t slot = begin_; slot < end_; ++slot) {
            const ItemId item = placement_[slot];
            if (item == nothing || lives_here[item] == 0 || on(machine_of(slot), item) != 0) {
                free_slot(slot);
                continue;
            }
            on(machine_of(slot), item) = 1;
            ++copies_[item];
        }
    }

    [[nodiscard]] std::vector<ItemId> missing() {
        std::vector<ItemId> found;
        for (const ItemId item : pool_.items)
            if (copies_[item] == 0) found.push_back(item);
        return found;
    }

    /// Gives up the copy whose loss adds least to the others.
    void make_room() {
        std::uint32_t best = end_;
        Tokens least = 0;
        for (std::uint32_t slot = begin_; slot < end_; ++slot) {
            const ItemId item = placement_[slot];
            if (item == nothing || copies_[item] < 2) continue;
            const Tokens after = load_of_copy(problem_.loads[item], copies_[item] - 1);
            if (best < end_ && after >= least) continue;
            best = slot;
            least = after;
        }
        EQUIPOISE_ASSERT(best < end_);  // there are at least as many slots as items
        --copies_[placement_[best]];
        on(machine_of(best), placement_[best]) = 0;
        free_slot(best);
    }

    /// Adds to the missing items a copy for each slot that is left; counts them all.
    void add_copies(std::vector<ItemId>& wanted) {
        for (const ItemId item : wanted)
            ++copies_[item];
        using Candidate = std::tuple<Tokens, std::int64_t, std::int64_t>;
        std::priority_queue<Candidate> candidates;
        const auto offer = [&](ItemId item) {
            if (copies_[item] < pool_.machines)
                candidates.emplace(each(item), -std::int64_t{copies_[item]}, -std::int64_t{item});
        };
        for (const ItemId item : pool_.items)
            offer(item);
        while (wanted.size() < all_free_) {
            EQUIPOISE_ASSERT(!candidates.empty());  // a machine has at most as many slots as items
            const auto item = static_cast<ItemId>(-std::get<2>(candidates.top()));
            candidates.pop();
            wanted.push_back(item);
            ++copies_[item];
            offer(item);
        }
    }

    void set(std::uint32_t slot, ItemId item) {
        placement_[slot] = item;
        on(machine_of(slot), item) = 1;
        held_[machine_of(slot)] += each(item);
    }
    [[nodiscard]] std::uint32_t free_slot_of(std::uint32_t machine) const {
        std::uint32_t slot = begin_ + machine * problem_.slots;
        while (placement_[slot] != nothing)
            ++slot;
        return slot;
    }

    void put(ItemId item) {
        std::uint32_t best = pool_.machines;
        for (std::uint32_t machine = 0; machine < pool_.machines; ++machine)
            if (free_[machine] > 0 && on(machine, item) == 0 &&
                (best == pool_.machines || held_[machine] < held_[best]))
                best = machine;
        if (best == pool_.machines) return put_by_exchange(item);
        set(free_slot_of(best), item);
        --free_[best];
    }

    /// All machines with a free slot have the item. One without it is full and has an item that the
    /// one with the free slot has not, since that one has fewer others: this item makes room.
    void put_by_exchange(ItemId item) {
        std::uint32_t open = 0;
        while (free_[open] == 0)
            ++open;
        std::uint32_t best = end_;
        for (std::uint32_t slot = begin_; slot < end_; ++slot) {
            const std::uint32_t machine = machine_of(slot);
            if (on(machine, item) != 0 || on(open, placement_[slot]) != 0) continue;
            if (best == end_ || each(placement_[slot]) < each(placement_[best])) best = slot;
        }
        EQUIPOISE_ASSERT(best < end_);
        const ItemId moved = placement_[best];
        held_[machine_of(best)] -= each(moved);
        on(machine_of(best), moved) = 0;
        set(best, item);
        set(free_slot_of(open), moved);
        --free_[open];
    }

    const Problem& problem_;
    const Pool& pool_;
    std::vector<ItemId>& placement_;
    std::uint32_t begin_, end_;          // slots of the pool
    std::vector<std::uint32_t> copies_;  // by item, with those that are still to be put
    std::vector<std::uint8_t> on_;       // by item and machine
    std::vector<std::uint32_t> free_;    // slots, by machine
    std::uint32_t all_free_ = 0;
    std::vector<Tokens> held_;
};

/// A placement whose slots are all free.
std::vector<ItemId> all_free(const Problem& problem) {
    return std::vector<ItemId>(problem.all_slots(), nothing);
}

/// The machine that gets what `placement` has on each machine of the pool, by the most pairs that
/// are there at present.
std::vector<MachineId> best_numbers(const Problem& problem, const Pool& pool,
                                    const std::vector<ItemId>& placement) {
    std::vector<std::vector<MachineId>> present(problem.items());
    for (MachineId machine = pool.first; machine < pool.first + pool.machines; ++machine)
        for (std::uint32_t i = 0; i < problem.slots; ++i) {
            auto& machines = present[problem.placement[machine * problem.slots + i]];
            if (machines.empty() || machines.back() != machine) machines.push_back(machine);
        }
    std::vector<placement::Gain> gains;
    std::vector<int> common(pool.machines, 0);
    for (std::uint32_t part = 0; part < pool.machines; ++part) {
        std::fill(common.begin(), common.end(), 0);
        for (std::uint32_t i = 0; i < problem.slots; ++i)
            for (const MachineId machine :
                 present[placement[(pool.first + part) * problem.slots + i]])
                ++common[machine - pool.first];
        for (std::uint32_t rank = 0; rank < pool.machines; ++rank)
            if (common[rank] > 0)
                gains.push_back({static_cast<int>(part), static_cast<int>(rank), common[rank]});
    }
    const std::vector<int> capacity(pool.machines, 1);
    const auto found = placement::best_assignment(static_cast<int>(pool.machines), capacity, gains);
    std::vector<std::uint8_t> taken(pool.machines, 0);
    for (const int rank : found.rank_of_part)
        if (rank >= 0) taken[static_cast<std::size_t>(rank)] = 1;
    std::vector<MachineId> number;
    std::uint32_t open = 0;
    for (const int rank : found.rank_of_part) {
        while (rank < 0 && taken[open] != 0)
            ++open;
        number.push_back(pool.first + (rank < 0 ? open++ : static_cast<std::uint32_t>(rank)));
    }
    return number;
}

}  // namespace

std::vector<ItemId> first_placement(const Problem& problem, std::span<const Pool> pools) {
    std::vector<ItemId> placement =
        problem.placement.empty() ? all_free(problem) : problem.placement;
    for (const Pool& pool : pools)
        Filler(problem, pool, placement).run();
    return placement;
}

std::vector<ItemId> level_placement(const Problem& problem, std::span<const Pool> pools) {
    std::vector<ItemId> placement = all_free(problem);
    for (const Pool& pool : pools)
        Filler(problem, pool, placement).run();
    if (problem.placement.empty()) return placement;
    std::vector<ItemId> result(placement.size());
    for (const Pool& pool : pools) {
        const std::vector<MachineId> number = best_numbers(problem, pool, placement);
        for (std::uint32_t part = 0; part < pool.machines; ++part)
            std::copy_n(placement.begin() + std::ptrdiff_t{pool.first + part} * problem.slots,
                        problem.slots,
                        result.begin() + std::ptrdiff_t{number[part]} * problem.slots);
    }
    return result;
}

}  // namespace equipoise::replication
