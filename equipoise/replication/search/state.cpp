#include "equipoise/replication/search/state.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"

namespace equipoise::replication {

State::State(const Problem& problem, std::span<const Pool> pools, std::span<const ItemId> placement,
             Tokens limit)
    : loads_(problem.loads),
      limit_(limit),
      copies_(problem.items(), 0),
      each_(problem.items()),
      marks_(std::size_t{problem.machines} * problem.items(), 0),
      held_(problem.machines, 0) {
    const Pool& pool = pools.front();
    most_copies_ = std::min<std::size_t>(
        pool.machines, std::size_t{pool.machines} * problem.slots - pool.items.size() + 1);
    slots_of_.resize(most_copies_ * problem.items());
    for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
        machine_.push_back(slot / problem.slots);
    for (std::uint32_t slot = 0; slot < problem.placement.size(); ++slot)
        marks_[at(machine_[slot], problem.placement[slot])] = was_there;
    set_placement(placement);
}

void State::set_placement(std::span<const ItemId> placement) {
    item_.assign(placement.begin(), placement.end());
    copy_.assign(item_.size(), 0);
    std::fill(copies_.begin(), copies_.end(), 0U);
    std::fill(held_.begin(), held_.end(), Tokens{0});
    for (std::uint8_t& mark : marks_)
        mark &= was_there;
    copied_ = 0;
    for (std::uint32_t slot = 0; slot < item_.size(); ++slot) {
        const ItemId item = item_[slot];
        std::uint8_t& mark = marks_[at(machine_[slot], item)];
        EQUIPOISE_ASSERT(mark != (is_there | was_there) && mark != is_there);
        copied_ += mark == 0 ? 1 : 0;
        mark |= is_there;
        copy_[slot] = copies_[item];
        slots_of_[std::size_t{item} * most_copies_ + copies_[item]++] = slot;
    }
    for (ItemId item = 0; item < loads_.size(); ++item)
        share(item);
    spare_.clear();
    spare_at_.assign(item_.size(), 0);
    for (std::uint32_t slot = 0; slot < item_.size(); ++slot) {
        held_[machine_[slot]] += each_[item_[slot]].now;
        if (copies_[item_[slot]] > 1) add_spare(slot);
    }
    set_limit(limit_);
}

void State::set_limit(Tokens limit) {
    limit_ = limit;
    excess_ = 0;
    for (const Tokens held : held_)
        excess_ += above(held);
}

Tokens State::largest() const {
    return *std::max_element(held_.begin(), held_.end());
}

void State::share(ItemId item) {
    const Tokens copies = copies_[item];
    const Tokens load = loads_[item];
    each_[item] = {load_of_copy(load, copies), load_of_copy(load, copies + 1),
                   copies > 1 ? load_of_copy(load, copies - 1) : 0};
}

void State::add_spare(std::uint32_t slot) {
    spare_at_[slot] = static_cast<std::uint32_t>(spare_.size());
    spare_.push_back(slot);
}

void State::remove_spare(std::uint32_t slot) {
    const std::uint32_t last = spare_.back();
    spare_[spare_at_[slot]] = last;
    spare_at_[last] = spare_at_[slot];
    spare_.pop_back();
}

Change State::judge_replace(std::uint32_t slot, ItemId by) const {
    const ItemId given_up = item_[slot];
    const MachineId machine = machine_[slot];
    const Tokens rise = each_[given_up].with_fewer - each_[given_up].now;
    const Tokens fall = each_[by].now - each_[by].with_more;
    Change change;
    change.copied = cost(machine, by) - cost(machine, given_up);
    change.excess = added(held_[machine], each_[by].with_more - each_[given_up].now);
    for (std::uint32_t copy = 0; copy < copies_[given_up]; ++copy) {
        const MachineId other = machine_[slot_of(given_up, copy)];
        if (other != machine)
            change.excess += added(held_[other], rise - (has(other, by) ? fall : 0));
    }
    for (std::uint32_t copy = 0; copy < copies_[by]; ++copy) {
        const MachineId other = machine_[slot_of(by, copy)];
        if (!has(other, given_up)) change.excess += added(held_[other], -fall);
    }
    return change;
}

void State::replace(std::uint32_t slot, ItemId by, Change change) {
    const ItemId given_up = item_[slot];
    const MachineId machine = machine_[slot];
    const Tokens rise = each_[given_up].with_fewer - each_[given_up].now;
    const Tokens fall = each_[by].now - each_[by].with_more;
    held_[machine] += each_[by].with_more - each_[given_up].now;
    for (std::uint32_t copy = 0; copy < copies_[given_up]; ++copy)
        if (const MachineId other = machine_[slot_of(given_up, copy)]; other != machine)
            held_[other] += rise;
    for (std::uint32_t copy = 0; copy < copies_[by]; ++copy)
        held_[machine_[slot_of(by, copy)]] -= fall;

    const std::uint32_t last = slot_of(given_up, --copies_[given_up]);
    slots_of_[std::size_t{given_up} * most_copies_ + copy_[slot]] = last;
    copy_[last] = copy_[slot];
    copy_[slot] = copies_[by];
    slots_of_[std::size_t{by} * most_copies_ + copies_[by]++] = slot;
    item_[slot] = by;
    if (copies_[given_up] == 1) remove_spare(slot_of(given_up, 0));
    if (copies_[by] == 1) remove_spare(slot);
    if (copies_[by] == 2) add_spare(slot_of(by, 0));
    share(given_up);
    share(by);
    marks_[at(machine, given_up)] &= was_there;
    marks_[at(machine, by)] |= is_there;
    excess_ += change.excess;
    copied_ += change.copied;
}

Change State::judge_swap(std::uint32_t a, std::uint32_t b) const {
    const Tokens from_a_to_b = each_[item_[a]].now - each_[item_[b]].now;
    const MachineId of_a = machine_[a];
    const MachineId of_b = machine_[b];
    return {
        added(held_[of_a], -from_a_to_b) + added(held_[of_b], from_a_to_b),
        cost(of_a, item_[b]) - cost(of_a, item_[a]) + cost(of_b, item_[a]) - cost(of_b, item_[b])};
}

void State::swap(std::uint32_t a, std::uint32_t b, Change change) {
    const Tokens from_a_to_b = each_[item_[a]].now - each_[item_[b]].now;
    held_[machine_[a]] -= from_a_to_b;
    held_[machine_[b]] += from_a_to_b;
    for (const std::uint32_t slot : {a, b}) {
        marks_[at(machine_[slot], item_[slot])] &= was_there;
        marks_[at(machine_[slot], item_[slot == a ? b : a])] |= is_there;
    }
    const bool a_is_spare = copies_[item_[a]] > 1;
    if (const bool b_is_spare = copies_[item_[b]] > 1; a_is_spare != b_is_spare) {
        remove_spare(a_is_spare ? a : b);
        add_spare(a_is_spare ? b : a);
    }
    std::swap(item_[a], item_[b]);
    std::swap(copy_[a], copy_[b]);
    for (const std::uint32_t slot : {a, b})
        slots_of_[std::size_t{item_[slot]} * most_copies_ + copy_[slot]] = slot;
    excess_ += change.excess;
    copied_ += change.copied;
}

}  // namespace equipoise::replication
