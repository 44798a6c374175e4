#include "equipoise/reassign/search/placement.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"

namespace equipoise::reassign {

namespace {

constexpr Tokens above(Tokens amount, Tokens limit) {
    return std::max<Tokens>(amount - limit, 0);
}

}  // namespace

FullScore& FullScore::operator+=(const FullScore& other) {
    excluded += other.excluded;
    score.broken += other.score.broken;
    score.over_thresholds += other.score.over_thresholds;
    score.over_levels += other.score.over_levels;
    score.cost += other.score.cost;
    score.fewest += other.score.fewest;
    score.moves += other.score.moves;
    return *this;
}

Placement::Placement(const SearchTables& tables)
    : tables_(&tables),
      places_(tables.problem.places),
      on_(tables.problem.machine_count()),
      place_in_list_(places_.size()),
      place_in_moved_(places_.size()),
      away_(on_.size()),
      place_in_away_(places_.size()),
      used_(tables.held),
      left_(used_.size(), 0),
      needing_(tables.aims.size(), std::vector<std::uint32_t>(on_.size(), 0)),
      moved_amounts_(tables.kinds, 0) {
    if (tables.most_moved) {
        const std::vector<std::uint32_t>& sizes = tables.groups[*tables.most_moved].sizes;
        moved_of_.assign(sizes.size(), 0);
        with_moved_.assign(places_.size() + 1, 0);
        with_moved_[0] = static_cast<std::uint32_t>(moved_of_.size());
    }
    for (ItemId item = 0; item < places_.size(); ++item) {
        place_in_list_[item] = static_cast<std::uint32_t>(on_[places_[item]].size());
        on_[places_[item]].push_back(item);
    }
    count_at_start();
    score_.score = stand(tables.problem, places_).score;
}

void Placement::count_at_start() {
    const Problem& problem = tables_->problem;
    const std::size_t items = places_.size();
    for (std::size_t aim = 0; aim < needing_.size(); ++aim)
        for (ItemId item = 0; item < items; ++item)
            if (problem.amount(item, tables_->aims[aim].resource) > 0)
                ++needing_[aim][places_[item]];
    for (const ItemGroups& groups : tables_->groups) {
        std::vector<MachineId>& places = slots_.emplace_back(groups.slot.size(), no_machine);
        for (ItemId item = 0; item < groups.slot.size(); ++item)
            if (groups.slot[item] != ItemGroups::none) places[groups.slot[item]] = places_[item];
    }
    for (const ApartTable& table : tables_->apart) {
        const ItemGroups& groups = tables_->groups[table.groups];
        std::optional<PairCounts>& counts = apart_.emplace_back();
        if (groups.small) continue;
        counts.emplace(groups.sizes.size(), problem.machine_count(), items);
        for (ItemId item = 0; item < items; ++item)
            if (groups.of[item] != ItemGroups::none) counts->add(groups.of[item], places_[item]);
    }
    spread_.resize(tables_->spread.size());
    spread_states_.resize(spread_.size());
    for (std::size_t rule = 0; rule < spread_.size(); ++rule)
        count_spread(rule);
    for (const NearTable& table : tables_->near) {
        const ItemGroups& groups = tables_->groups[table.groups];
        PairCounts& counts = near_.emplace_back(groups.sizes.size(), table.values + 1, items);
        for (ItemId item = 0; item < items; ++item)
            if (groups.of[item] != ItemGroups::none)
                counts.add(groups.of[item], table.value[places_[item]]);
        far_.push_back(table.before);
    }
}

void Placement::count_spread(std::size_t rule) {
    const SpreadTable& table = tables_->spread[rule];
    const ItemGroups& groups = tables_->groups[table.groups];
    if (groups.small) return;
    PairCounts& counts = spread_[rule].emplace(groups.sizes.size(), table.values, places_.size());
    spread_states_[rule].resize(groups.sizes.size());
    for (ItemId item = 0; item < places_.size(); ++item) {
        const std::uint32_t group = groups.of[item];
        const std::uint32_t value = table.value[places_[item]];
        if (group == ItemGroups::none || value == no_value) continue;
        spread_states_[rule][group].add(counts.add(group, value), table.most[group]);
    }
}

void Placement::shift_resources(ItemId item, Shift shift, FullScore& change) const {
    const Problem& problem = tables_->problem;
    const Objective& objective = problem.objective;
    const std::size_t first_cell = shift.machine * tables_->kinds;
    const Tokens sign = shift.arrives ? 1 : -1;
    const std::span<const Tokens> amounts(&problem.amounts[item * tables_->kinds], tables_->kinds);
    for (std::size_t resource = 0; resource < tables_->kinds; ++resource) {
        const Tokens amount = amounts[resource];
        if (amount == 0) continue;
        const std::size_t cell = first_cell + resource;
        const Tokens used = used_[cell];
        const Tokens after = used + sign * amount;
        const Tokens capacity = problem.capacities[cell];
        if (capacity < tokens_max) {
            change.score.broken +=
                Int128{above(after, capacity) - above(used, capacity)} * tables_->weights[resource];
            // What is too much on a machine may stay there, but not if the machine takes anything.
            const Tokens left = left_[cell];
            const Tokens left_after = shift.home ? left - sign * amount : left;
            const Tokens start = tables_->held[cell];
            const bool late = tables_->transient[resource];
            const Tokens before_excluded =
                used + left > start ? above(used + (late ? left : 0), capacity) : 0;
            const Tokens after_excluded =
                after + left_after > start ? above(after + (late ? left_after : 0), capacity) : 0;
            change.excluded +=
                Int128{after_excluded - before_excluded} * tables_->weights[resource];
        }
        const Tokens threshold = problem.thresholds[cell];
        if (threshold < tokens_max) {
            const Tokens more = above(after, threshold) - above(used, threshold);
            if (!objective.given)
                change.score.over_thresholds += Int128{more} * tables_->weights[resource];
            else if (resource < objective.over_threshold.size())
                change.score.cost += Int128{more} * objective.over_threshold[resource];
        }
    }
    if (!objective.balances.empty() && objective.given)
        change.score.cost +=
            balance_cost(shift.machine, amounts, sign) - balance_cost(shift.machine, amounts, 0);
}

Int128 Placement::balance_cost(MachineId machine, std::span<const Tokens> amounts,
                               Tokens sign) const {
    const Problem& problem = tables_->problem;
    const auto free = [&](std::size_t resource) {
        return Int128{problem.capacity(machine, resource)} - used(machine, resource) -
               Int128{sign} * amounts[resource];
    };
    Int128 sum = 0;
    for (const Objective::Balance& balance : problem.objective.balances)
        sum += std::max<Int128>(balance.target * free(balance.resource) - free(balance.other), 0) *
               balance.weight;
    return sum;
}

void Placement::shift_items(Shift shift, FullScore& change) const {
    const Problem& problem = tables_->problem;
    const Tokens items = used(shift.machine, items_resource);
    const Tokens after = items + (shift.arrives ? 1 : -1);
    if (const Tokens least = problem.least_items_of(shift.machine); least > 0) {
        change.score.broken += (above(least, after) - above(least, items)) * tables_->unit;
        const Tokens kept =
            std::min(least, tables_->held[shift.machine * tables_->kinds + items_resource]);
        change.excluded += (above(kept, after) - above(kept, items)) * tables_->unit;
    }
    if (problem.drained[shift.machine]) change.score.broken += (after - items) * tables_->unit;
}

void Placement::shift_levels(ItemId item, Shift shift, FullScore& change) const {
    for (std::size_t aim = 0; aim < tables_->aims.size(); ++aim) {
        const AimTable& table = tables_->aims[aim];
        const Tokens amount = tables_->problem.amount(item, table.resource);
        if (amount == 0) continue;
        const Tokens used = this->used(shift.machine, table.resource);
        const std::uint32_t needing = needing_[aim][shift.machine];
        const Tokens after = shift.arrives ? used + amount : used - amount;
        const Tokens more =
            over_level(aim, shift.machine, after, shift.arrives ? needing + 1 : needing - 1) -
            over_level(aim, shift.machine, used, needing);
        change.score.over_levels += Int128{more} * table.weight;
    }
}

void Placement::shift_home(ItemId item, MachineId from, MachineId to, FullScore& change) const {
    const Problem& problem = tables_->problem;
    const Objective& objective = problem.objective;
    const MachineId home = problem.places[item];
    if (objective.given && !objective.pair_costs.empty()) {
        const std::uint32_t* costs =
            &objective.pair_costs[std::size_t{home} * problem.machine_count()];
        const Tokens before = from == home ? 0 : Tokens{costs[from]};
        const Tokens after = to == home ? 0 : Tokens{costs[to]};
        change.score.cost += Int128{after - before} * objective.pair_weight;
    }
    if (from != home && to != home) return;
    const Tokens sign = from == home ? 1 : -1;
    change.score.moves += sign;
    if (tables_->misplaced[item]) change.score.broken -= sign * tables_->unit;
    for (std::size_t resource = 0; resource < problem.budget.amounts.size(); ++resource) {
        const Tokens moved = moved_amounts_[resource];
        const Tokens most = problem.budget.amounts[resource];
        change.excluded += Int128{above(moved + sign * problem.amount(item, resource), most) -
                                  above(moved, most)} *
                           tables_->weights[resource];
    }
    if (!objective.given) {
        change.score.fewest += Int128{sign} * problem.amount(item, problem.fewest);
        return;
    }
    if (!objective.move_costs.empty())
        change.score.cost += Int128{sign} * objective.move_costs[item];
    if (moved_of_.empty() || tables_->groups[*tables_->most_moved].of[item] == ItemGroups::none)
        return;
    const std::uint32_t count = moved_of_[tables_->groups[*tables_->most_moved].of[item]];
    if (sign > 0 && count == most_moved_) change.score.cost += objective.most_moved;
    if (sign < 0 && count == most_moved_ && with_moved_[count] == 1)
        change.score.cost -= objective.most_moved;
}

Tokens Placement::together(const ApartTable& table, std::uint32_t group, MachineId machine,
                           std::optional<ItemId> without, std::optional<ItemId> with) const {
    // Items that are together at the start may stay so, but none may join them.
    bool joined = with && tables_->problem.places[*with] != machine;
    Tokens count = with ? 1 : 0;
    for (const ItemId item : on_[machine]) {
        if (tables_->groups[table.groups].of[item] != group || item == without) continue;
        ++count;
        joined |= moved(item);
    }
    return joined ? above(count, 1) : 0;
}

void Placement::shift_apart(ItemId item, MachineId from, MachineId to, FullScore& change) const {
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const ApartTable& table = tables_->apart[rule];
        const ItemGroups& groups = tables_->groups[table.groups];
        const std::uint32_t group = groups.of[item];
        if (group == ItemGroups::none || groups.sizes[group] < 2) continue;
        Tokens leaves = 0;
        Tokens arrives = 0;
        if (groups.small) {
            const MachineId* slots = slots_[table.groups].data();
            const std::uint32_t first = groups.first[group];
            for (std::uint32_t slot = first; slot < first + groups.sizes[group]; ++slot) {
                if (slots[slot] == from && slot != groups.slot[item]) leaves = -1;
                if (slots[slot] == to) arrives = 1;
            }
        } else {
            leaves = apart_[rule]->at(group, from) > 1 ? -1 : 0;
            arrives = apart_[rule]->at(group, to) > 0 ? 1 : 0;
        }
        if (leaves == 0 && arrives == 0) continue;
        change.score.broken += (leaves + arrives) * tables_->unit;
        const auto at_start = [&](MachineId machine) {
            return !table.together.empty() &&
                   std::binary_search(table.together.begin(), table.together.end(),
                                      std::pair(group, machine));
        };
        change.excluded += (at_start(from) ? together(table, group, from, item, {}) -
                                                 together(table, group, from, {}, {})
                                           : leaves) *
                           tables_->unit;
        change.excluded += (at_start(to) ? together(table, group, to, {}, item) -
                                               together(table, group, to, {}, {})
                                         : arrives) *
                           tables_->unit;
    }
}

SpreadState Placement::small_spread(const SpreadTable& table, std::uint32_t group,
                                    std::uint32_t moved_slot, MachineId to) const {
    const ItemGroups& groups = tables_->groups[table.groups];
    const MachineId* slots = slots_[table.groups].data();
    const std::uint32_t first = groups.first[group];
    const auto value_at = [&](std::uint32_t slot) {
        return table.value[slot == moved_slot ? to : slots[slot]];
    };
    SpreadState state;
    for (std::uint32_t slot = first; slot < first + groups.sizes[group]; ++slot) {
        const std::uint32_t value = value_at(slot);
        if (value == no_value) continue;
        Tokens before = 0;
        for (std::uint32_t other = first; other < slot; ++other)
            if (value_at(other) == value) ++before;
        state.add(before, table.most[group]);
    }
    return state;
}

SpreadState Placement::spread_now(std::size_t rule, std::uint32_t group) const {
    const SpreadTable& table = tables_->spread[rule];
    return spread_[rule] ? spread_states_[rule][group]
                         : small_spread(table, group, ItemGroups::none, 0);
}

SpreadState Placement::spread_after(std::size_t rule, ItemId item, MachineId to) const {
    const SpreadTable& table = tables_->spread[rule];
    const ItemGroups& groups = tables_->groups[table.groups];
    const std::uint32_t group = groups.of[item];
    if (!spread_[rule]) return small_spread(table, group, groups.slot[item], to);
    const Tokens most = table.most[group];
    const std::uint32_t leaves = table.value[places_[item]];
    const std::uint32_t arrives = table.value[to];
    SpreadState state = spread_states_[rule][group];
    if (leaves != no_value) state.subtract(spread_[rule]->at(group, leaves), most);
    if (arrives != no_value) state.add(spread_[rule]->at(group, arrives), most);
    return state;
}

void Placement::shift_spread(ItemId item, MachineId from, MachineId to, FullScore& change) const {
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_->spread[rule];
        const std::uint32_t group = tables_->groups[table.groups].of[item];
        if (group == ItemGroups::none || table.value[from] == table.value[to]) continue;
        const Tokens now = table.broken_by(group, spread_now(rule, group));
        const Tokens after = table.broken_by(group, spread_after(rule, item, to));
        const Tokens start = table.before[group];
        change.score.broken += (after - now) * tables_->unit;
        change.excluded += (above(after, start) - above(now, start)) * tables_->unit;
    }
}

template <class Add>
void Placement::for_far_pairs(std::size_t rule, ItemId item, MachineId from, MachineId to,
                              const Add& add) const {
    const NearTable& table = tables_->near[rule];
    const std::uint32_t service = tables_->groups[table.groups].of[item];
    const std::uint32_t leaves = table.value[from];
    const std::uint32_t arrives = table.value[to];
    if (service == ItemGroups::none || leaves == arrives) return;
    const PairCounts& counts = near_[rule];
    table.for_far_pairs(
        {service, leaves, arrives, counts.at(service, leaves) == 1,
         counts.at(service, arrives) == 0},
        [&](std::uint32_t of, std::uint32_t value) { return counts.at(of, value); }, add);
}

void Placement::shift_near(ItemId item, MachineId from, MachineId to, FullScore& change) const {
    for (std::size_t rule = 0; rule < near_.size(); ++rule)
        for_far_pairs(rule, item, from, to, [&](std::size_t pair, Tokens more) {
            const Tokens far = far_[rule][pair];
            const Tokens before = tables_->near[rule].before[pair];
            change.score.broken += more * tables_->unit;
            change.excluded += (above(far + more, before) - above(far, before)) * tables_->unit;
        });
}

FullScore Placement::change(ItemId item, MachineId to) const {
    const MachineId from = places_[item];
    const MachineId home = tables_->problem.places[item];
    FullScore change;
    for (const Shift shift : {Shift{from, from == home, false}, Shift{to, to == home, true}}) {
        shift_resources(item, shift, change);
        shift_items(shift, change);
        shift_levels(item, shift, change);
    }
    shift_home(item, from, to, change);
    shift_apart(item, from, to, change);
    shift_spread(item, from, to, change);
    shift_near(item, from, to, change);
    return change;
}

void Placement::move(ItemId item, MachineId to, const FullScore& known) {
    const MachineId from = places_[item];
    EQUIPOISE_ASSERT(to != from);
    score_ += known;
    move_amounts(item, from, to);
    move_in_groups(item, from, to);
    list(item, from, to);
}

void Placement::move_in_groups(ItemId item, MachineId from, MachineId to) {
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_->spread[rule];
        const std::uint32_t group = tables_->groups[table.groups].of[item];
        const std::uint32_t leaves = table.value[from];
        const std::uint32_t arrives = table.value[to];
        if (!spread_[rule] || group == ItemGroups::none || leaves == arrives) continue;
        spread_states_[rule][group] = spread_after(rule, item, to);
        if (leaves != no_value) spread_[rule]->subtract(group, leaves);
        if (arrives != no_value) spread_[rule]->add(group, arrives);
    }
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::uint32_t group = tables_->groups[tables_->apart[rule].groups].of[item];
        if (!apart_[rule] || group == ItemGroups::none) continue;
        apart_[rule]->subtract(group, from);
        apart_[rule]->add(group, to);
    }
    for (std::size_t rule = 0; rule < near_.size(); ++rule) {
        const NearTable& table = tables_->near[rule];
        const std::uint32_t service = tables_->groups[table.groups].of[item];
        if (service == ItemGroups::none) continue;
        for_far_pairs(rule, item, from, to,
                      [&](std::size_t pair, Tokens more) { far_[rule][pair] += more; });
        near_[rule].subtract(service, table.value[from]);
        near_[rule].add(service, table.value[to]);
    }
    for (std::size_t by = 0; by < slots_.size(); ++by)
        if (tables_->groups[by].small && tables_->groups[by].slot[item] != ItemGroups::none)
            slots_[by][tables_->groups[by].slot[item]] = to;
}

void Placement::move_amounts(ItemId item, MachineId from, MachineId to) {
    const Problem& problem = tables_->problem;
    const MachineId home = problem.places[item];
    for (std::size_t resource = 0; resource < tables_->kinds; ++resource) {
        const Tokens amount = problem.amount(item, resource);
        used_[from * tables_->kinds + resource] -= amount;
        used_[to * tables_->kinds + resource] += amount;
        if (from == home) {
            left_[home * tables_->kinds + resource] += amount;
            moved_amounts_[resource] += amount;
        } else if (to == home) {
            left_[home * tables_->kinds + resource] -= amount;
            moved_amounts_[resource] -= amount;
        }
    }
    for (std::size_t aim = 0; aim < needing_.size(); ++aim) {
        if (problem.amount(item, tables_->aims[aim].resource) == 0) continue;
        --needing_[aim][from];
        ++needing_[aim][to];
    }
    if (moved_of_.empty() || (from != home && to != home) ||
        tables_->groups[*tables_->most_moved].of[item] == ItemGroups::none)
        return;
    std::uint32_t& count = moved_of_[tables_->groups[*tables_->most_moved].of[item]];
    --with_moved_[count];
    if (from == home) {
        most_moved_ = std::max(most_moved_, ++count);
        ++with_moved_[count];
    } else {
        if (count == most_moved_ && with_moved_[count] == 0) --most_moved_;
        ++with_moved_[--count];
    }
}

bool Placement::breaks_a_rule(ItemId item) const {
    const MachineId place = places_[item];
    if ((tables_->misplaced[item] && !moved(item)) || tables_->problem.drained[place]) return true;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const ItemGroups& groups = tables_->groups[tables_->apart[rule].groups];
        const std::uint32_t group = groups.of[item];
        if (group == ItemGroups::none || groups.sizes[group] < 2) continue;
        if (apart_[rule] && apart_[rule]->at(group, place) > 1) return true;
        if (!groups.small) continue;
        const auto first = slots_[tables_->apart[rule].groups].begin() + groups.first[group];
        if (std::count(first, first + groups.sizes[group], place) > 1) return true;
    }
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_->spread[rule];
        const std::uint32_t group = tables_->groups[table.groups].of[item];
        if (group != ItemGroups::none && table.broken_by(group, spread_now(rule, group)) > 0)
            return true;
    }
    for (std::size_t rule = 0; rule < near_.size(); ++rule) {
        const NearTable& table = tables_->near[rule];
        const std::uint32_t service = tables_->groups[table.groups].of[item];
        if (service == ItemGroups::none) continue;
        for (const NearTable::Partner& partner : table.needs[service])
            if (far_[rule][partner.pair] > 0) return true;
        for (const NearTable::Partner& partner : table.needed_by[service])
            if (far_[rule][partner.pair] > 0) return true;
    }
    return false;
}

void Placement::list(ItemId item, MachineId from, MachineId to) {
    const MachineId home = tables_->problem.places[item];
    const auto append = [item](std::vector<ItemId>& items, std::vector<std::uint32_t>& places) {
        places[item] = static_cast<std::uint32_t>(items.size());
        items.push_back(item);
    };
    const auto remove = [item](std::vector<ItemId>& items, std::vector<std::uint32_t>& places) {
        places[items.back()] = places[item];
        items[places[item]] = items.back();
        items.pop_back();
    };
    remove(on_[from], place_in_list_);
    append(on_[to], place_in_list_);
    if (from == home) {
        append(moved_items_, place_in_moved_);
        append(away_[home], place_in_away_);
    } else if (to == home) {
        remove(moved_items_, place_in_moved_);
        remove(away_[home], place_in_away_);
    }
    places_[item] = to;
}

}  // namespace equipoise::reassign
