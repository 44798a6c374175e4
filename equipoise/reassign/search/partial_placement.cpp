#include "equipoise/reassign/search/partial_placement.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/search/move_cost.hpp"

namespace equipoise::reassign {

namespace {

constexpr Tokens surplus_above(Tokens amount, Tokens limit) {
    return std::max<Tokens>(amount - limit, 0);
}

}  // namespace

PartialPlacement::PartialPlacement(const SearchTables& tables)
    : tables_(tables),
      problem_(tables.problem),
      machines_(problem_.machine_count()),
      places_(problem_.item_count(), no_machine),
      sums_(1),
      homes_(machines_),
      used_(machines_ * tables.kinds, 0),
      arrived_(used_.size(), 0),
      remaining_(problem_.totals()),
      moved_(tables.kinds, 0),
      needing_(tables.aims.size(), std::vector<Tokens>(machines_, 0)),
      moved_of_(tables.most_moved ? tables.groups[*tables.most_moved].sizes.size() : 0, 0) {
    const auto counts = [&](const ItemGroups& groups, std::size_t columns) {
        const std::size_t size = groups.sizes.size();
        Counts made{std::vector<Tokens>(size * columns, 0), std::vector<Tokens>(size * columns, 0),
                    std::vector<Tokens>(size, 0), std::vector<Tokens>(size, 0),
                    std::vector<Tokens>(size, 0)};
        for (const std::uint32_t group : groups.of)
            if (group != ItemGroups::none) ++made.remaining[group];
        return made;
    };
    for (const ApartTable& table : tables.apart)
        apart_.push_back(counts(tables.groups[table.groups], machines_));
    for (const SpreadTable& table : tables.spread)
        spread_.push_back(counts(tables.groups[table.groups], table.values));
    for (const NearTable& table : tables.near)
        near_.push_back(counts(tables.groups[table.groups], table.values + 1));
    for (ItemId item = 0; item < problem_.item_count(); ++item) {
        if (tables.movable[item])
            homes_[problem_.places[item]].push_back(item);
        else
            place(item, problem_.places[item]);
    }
}

void PartialPlacement::place(ItemId item, MachineId machine) {
    FullScore sum = sums_.back();
    sum += cost_of_placing(item, machine);
    sums_.push_back(sum);
    count(item, machine, 1);
    places_[item] = machine;
}

void PartialPlacement::take_back(ItemId item) {
    count(item, places_[item], -1);
    places_[item] = no_machine;
    sums_.pop_back();
}

FullScore PartialPlacement::cost_of_machine(ItemId item, MachineId machine) const {
    FullScore cost;
    const bool arrives = machine != problem_.places[item];
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        const Tokens amount = problem_.amount(item, resource);
        if (amount == 0) continue;
        const std::size_t cell = machine * tables_.kinds + resource;
        const Tokens used = used_[cell];
        const Tokens capacity = problem_.capacities[cell];
        cost.score.broken +=
            Int128{surplus_above(used + amount, capacity) - surplus_above(used, capacity)} *
            tables_.weights[resource];
        const auto excluded = [&](Tokens placed, Tokens arrived) {
            const Tokens held = tables_.transient[resource] ? tables_.held[cell] + arrived : placed;
            return arrived > 0 ? surplus_above(held, capacity) : 0;
        };
        const Tokens arrived = arrived_[cell];
        cost.excluded += Int128{excluded(used + amount, arrives ? arrived + amount : arrived) -
                                excluded(used, arrived)} *
                         tables_.weights[resource];
        const Tokens threshold = problem_.thresholds[cell];
        const Tokens more =
            surplus_above(used + amount, threshold) - surplus_above(used, threshold);
        if (!problem_.objective.given)
            cost.score.over_thresholds += Int128{more} * tables_.weights[resource];
        else if (resource < problem_.objective.over_threshold.size())
            cost.score.cost += Int128{more} * problem_.objective.over_threshold[resource];
    }
    if (problem_.drained[machine]) cost.score.broken += tables_.unit;
    for (std::size_t aim = 0; aim < tables_.aims.size(); ++aim) {
        const AimTable& table = tables_.aims[aim];
        const Tokens amount = problem_.amount(item, table.resource);
        if (amount == 0) continue;
        const Tokens used = this->used(machine, table.resource);
        const auto over = [&](Tokens placed, Tokens needing) {
            if (needing <= 1 && !problem_.drained[machine]) return Tokens{0};
            return surplus_above(placed, table.limits[machine]);
        };
        const Tokens needing = needing_[aim][machine];
        cost.score.over_levels +=
            Int128{over(used + amount, needing + 1) - over(used, needing)} * table.weight;
    }
    return cost;
}

FullScore PartialPlacement::cost_of_move(ItemId item, MachineId machine) const {
    FullScore cost;
    const Objective& objective = problem_.objective;
    const MachineId home = problem_.places[item];
    if (machine == home) {
        if (tables_.misplaced[item]) cost.score.broken += tables_.unit;
        return cost;
    }
    cost.score.moves = 1;
    for (std::size_t resource = 0; resource < problem_.budget.amounts.size(); ++resource) {
        const Tokens most = problem_.budget.amounts[resource];
        cost.excluded +=
            Int128{surplus_above(moved_[resource] + problem_.amount(item, resource), most) -
                   surplus_above(moved_[resource], most)} *
            tables_.weights[resource];
    }
    if (!objective.given) {
        cost.score.fewest = problem_.amount(item, problem_.fewest);
        return cost;
    }
    cost.score.cost += move_cost(problem_, item, home, machine);
    if (!tables_.most_moved) return cost;
    const std::uint32_t group = tables_.groups[*tables_.most_moved].of[item];
    if (group != ItemGroups::none &&
        moved_of_[group] == *std::max_element(moved_of_.begin(), moved_of_.end()))
        cost.score.cost += objective.most_moved;
    return cost;
}

Tokens PartialPlacement::spread_broken_by(std::size_t rule, std::uint32_t group, Tokens reached,
                                          Tokens surplus, Tokens remaining) const {
    return surplus_above(tables_.spread[rule].least[group], reached + remaining) + surplus;
}

FullScore PartialPlacement::cost_of_rules(ItemId item, MachineId machine) const {
    FullScore cost;
    const bool arrives = machine != problem_.places[item];
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::uint32_t group = tables_.groups[tables_.apart[rule].groups].of[item];
        if (group == ItemGroups::none) continue;
        const std::size_t cell = group * machines_ + machine;
        const Tokens on = apart_[rule].on[cell];
        const Tokens arrived = apart_[rule].arrived[cell];
        const Tokens more = on > 0 ? 1 : 0;
        cost.score.broken += more * tables_.unit;
        // Items that are together at the start may stay so, but none may join them.
        if (arrived > 0 || arrives) cost.excluded += (arrived > 0 ? more : on) * tables_.unit;
    }
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_.spread[rule];
        const Counts& counts = spread_[rule];
        const std::uint32_t group = tables_.groups[table.groups].of[item];
        const std::uint32_t value = table.value[machine];
        if (group == ItemGroups::none) continue;
        const Tokens on = value == no_value ? 0 : counts.on[group * table.values + value];
        const bool reaches = value != no_value && on == 0;
        const bool too_many = value != no_value && on >= table.most[group];
        const Tokens remaining = counts.remaining[group];
        const Tokens before =
            spread_broken_by(rule, group, counts.reached[group], counts.surplus[group], remaining);
        const Tokens after =
            spread_broken_by(rule, group, counts.reached[group] + (reaches ? 1 : 0),
                             counts.surplus[group] + (too_many ? 1 : 0), remaining - 1);
        const Tokens start = table.before[group];
        cost.score.broken += (after - before) * tables_.unit;
        cost.excluded +=
            (surplus_above(after, start) - surplus_above(before, start)) * tables_.unit;
    }
    return cost;
}

FullScore PartialPlacement::cost_of_placing(ItemId item, MachineId machine) const {
    FullScore cost = cost_of_machine(item, machine);
    cost += cost_of_move(item, machine);
    cost += cost_of_rules(item, machine);
    return cost;
}

void PartialPlacement::count(ItemId item, MachineId machine, Tokens sign) {
    const bool arrives = machine != problem_.places[item];
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        const Tokens amount = sign * problem_.amount(item, resource);
        const std::size_t cell = machine * tables_.kinds + resource;
        used_[cell] += amount;
        remaining_[resource] -= amount;
        if (!arrives) continue;
        arrived_[cell] += amount;
        moved_[resource] += amount;
    }
    for (std::size_t aim = 0; aim < needing_.size(); ++aim)
        if (problem_.amount(item, tables_.aims[aim].resource) > 0) needing_[aim][machine] += sign;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::uint32_t group = tables_.groups[tables_.apart[rule].groups].of[item];
        if (group == ItemGroups::none) continue;
        const std::size_t cell = group * machines_ + machine;
        apart_[rule].on[cell] += sign;
        if (arrives) apart_[rule].arrived[cell] += sign;
    }
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_.spread[rule];
        Counts& counts = spread_[rule];
        const std::uint32_t group = tables_.groups[table.groups].of[item];
        if (group == ItemGroups::none) continue;
        counts.remaining[group] -= sign;
        if (table.value[machine] == no_value) continue;
        Tokens& on = counts.on[group * table.values + table.value[machine]];
        const Tokens least = sign > 0 ? on : on - 1;  // without the item
        if (least == 0) counts.reached[group] += sign;
        if (least >= table.most[group]) counts.surplus[group] += sign;
        on += sign;
    }
    for (std::size_t rule = 0; rule < near_.size(); ++rule) {
        const NearTable& table = tables_.near[rule];
        const std::uint32_t service = tables_.groups[table.groups].of[item];
        if (service == ItemGroups::none) continue;
        near_[rule].remaining[service] -= sign;
        near_[rule].on[service * (table.values + 1) + table.value[machine]] += sign;
    }
    if (!arrives || !tables_.most_moved) return;
    const std::uint32_t group = tables_.groups[*tables_.most_moved].of[item];
    if (group != ItemGroups::none) moved_of_[group] += sign;
}

void PartialPlacement::add_missing(FullScore& bound) const {
    if (problem_.least_items.empty()) return;
    Tokens missing = 0;
    Tokens excluded = 0;
    for (MachineId machine = 0; machine < machines_; ++machine) {
        const Tokens items = used(machine, items_resource);
        const Tokens least = problem_.least_items[machine];
        missing += surplus_above(least, items);
        const Tokens kept = std::min(least, tables_.held[machine * tables_.kinds + items_resource]);
        excluded += surplus_above(kept, items);
    }
    bound.score.broken += surplus_above(missing, remaining_[items_resource]) * tables_.unit;
    bound.excluded += surplus_above(excluded, remaining_[items_resource]) * tables_.unit;
}

void PartialPlacement::add_far(FullScore& bound) const {
    for (std::size_t rule = 0; rule < near_.size(); ++rule) {
        const NearTable& table = tables_.near[rule];
        const Counts& counts = near_[rule];
        const std::size_t columns = table.values + 1;
        for (std::size_t service = 0; service < table.needs.size(); ++service)
            for (const NearTable::Partner& partner : table.needs[service]) {
                Tokens far = 0;
                for (std::size_t value = 0; value < columns; ++value)
                    if (counts.on[service * columns + value] > 0 &&
                        (value == table.values ||
                         (counts.on[partner.service * columns + value] == 0 &&
                          counts.remaining[partner.service] == 0)))
                        ++far;
                bound.score.broken += far * tables_.unit;
                bound.excluded += surplus_above(far, table.before[partner.pair]) * tables_.unit;
            }
    }
}

void PartialPlacement::add_unbalanced(FullScore& bound) const {
    if (!problem_.objective.given) return;
    for (const Objective::Balance& balance : problem_.objective.balances)
        for (MachineId machine = 0; machine < machines_; ++machine) {
            const Int128 free = Int128{problem_.capacity(machine, balance.resource)} -
                                used(machine, balance.resource) - remaining_[balance.resource];
            const Int128 other =
                Int128{problem_.capacity(machine, balance.other)} - used(machine, balance.other);
            bound.score.cost += std::max<Int128>(balance.target * free - other, 0) * balance.weight;
        }
}

bool PartialPlacement::may_get_more(MachineId machine) const {
    return std::any_of(homes_[machine].begin(), homes_[machine].end(),
                       [&](ItemId item) { return !placed(item); }) ||
           tables_.takes[machine];
}

Int128 PartialPlacement::level_room(std::size_t aim, MachineId machine, Tokens largest) const {
    const AimTable& table = tables_.aims[aim];
    Int128 room = surplus_above(table.limits[machine], used(machine, table.resource));
    // A single item may be as large as it likes.
    if (needing_[aim][machine] == 0 && !problem_.drained[machine])
        room = std::max<Int128>(room, largest);
    return room;
}

bool PartialPlacement::add_shortage(FullScore& bound) const {
    const FullScore before = bound;
    // What is not placed yet, and has no room below the limits, comes on top.
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        Int128 below_capacity = 0;
        Int128 below_threshold = 0;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            if (!may_get_more(machine)) continue;
            below_capacity +=
                surplus_above(problem_.capacity(machine, resource), used(machine, resource));
            below_threshold +=
                surplus_above(problem_.threshold(machine, resource), used(machine, resource));
        }
        const Int128 remaining = remaining_[resource];
        if (remaining > below_capacity)
            bound.score.broken += (remaining - below_capacity) * tables_.weights[resource];
        if (remaining <= below_threshold) continue;
        if (!problem_.objective.given)
            bound.score.over_thresholds +=
                (remaining - below_threshold) * tables_.weights[resource];
        else if (resource < problem_.objective.over_threshold.size())
            bound.score.cost +=
                (remaining - below_threshold) * problem_.objective.over_threshold[resource];
    }
    for (std::size_t aim = 0; aim < tables_.aims.size(); ++aim) {
        const std::size_t resource = tables_.aims[aim].resource;
        if (remaining_[resource] == 0) continue;
        Tokens largest = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (!placed(item)) largest = std::max(largest, problem_.amount(item, resource));
        Int128 room = 0;
        for (MachineId machine = 0; machine < machines_; ++machine)
            if (may_get_more(machine)) room += level_room(aim, machine, largest);
        if (remaining_[resource] > room)
            bound.score.over_levels += (remaining_[resource] - room) * tables_.aims[aim].weight;
    }
    return bound != before;
}

bool PartialPlacement::must_leave(ItemId item) const {
    const FullScore cost = cost_of_placing(item, problem_.places[item]);
    return cost.excluded > 0 || cost.score.broken > 0 || cost.score.over_thresholds > 0 ||
           cost.score.over_levels > 0;
}

PartialPlacement::Moves PartialPlacement::moves_to_shed(std::span<const ItemId> items,
                                                        std::size_t resource, Tokens amount) const {
    // The most for the least: whole items for their number, fractions for the amount.
    Moves least;
    if (amount <= 0) return least;
    const auto gives = [&](ItemId item) { return problem_.amount(item, resource); };
    const auto costs = [&](ItemId item) { return problem_.amount(item, problem_.fewest); };
    std::vector<ItemId> order;
    for (const ItemId item : items)
        if (gives(item) > 0) order.push_back(item);
    std::sort(order.begin(), order.end(), [&](ItemId a, ItemId b) { return gives(a) > gives(b); });
    Tokens rest = amount;
    for (const ItemId item : order) {
        if (rest <= 0) break;
        rest -= gives(item);
        ++least.moves;
    }
    std::sort(order.begin(), order.end(), [&](ItemId a, ItemId b) {
        return Int128{costs(a)} * gives(b) < Int128{costs(b)} * gives(a);
    });
    rest = amount;
    for (const ItemId item : order) {
        if (rest <= 0) break;
        const Tokens part = std::min(rest, gives(item));
        least.fewest += (Int128{costs(item)} * part + gives(item) - 1) / gives(item);
        rest -= part;
    }
    std::sort(order.begin(), order.end(), [&](ItemId a, ItemId b) { return costs(a) < costs(b); });
    Int128 cheapest = 0;
    for (std::size_t place = 0; place < static_cast<std::size_t>(least.moves); ++place)
        cheapest += costs(order[place]);
    least.fewest = std::max(least.fewest, cheapest);
    return least;
}

PartialPlacement::Moves PartialPlacement::moves_from(MachineId machine) const {
    Moves forced;
    std::vector<ItemId> others;
    for (const ItemId item : homes_[machine]) {
        if (placed(item)) continue;
        if (must_leave(item)) {
            ++forced.moves;
            forced.fewest += problem_.amount(item, problem_.fewest);
        } else {
            others.push_back(item);
        }
    }
    Moves more;
    const auto need = [&](const Moves& moves) {
        more.moves = std::max(more.moves, moves.moves);
        more.fewest = std::max(more.fewest, moves.fewest);
    };
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        const Tokens limit =
            std::min(problem_.capacity(machine, resource), problem_.threshold(machine, resource));
        Tokens wanting = 0;
        for (const ItemId item : others)
            wanting += problem_.amount(item, resource);
        need(moves_to_shed(others, resource,
                           wanting - surplus_above(limit, used(machine, resource))));
    }
    for (std::size_t aim = 0; aim < tables_.aims.size(); ++aim) {
        const std::size_t resource = tables_.aims[aim].resource;
        Tokens wanting = 0;
        Tokens needing = 0;
        Moves all;
        Int128 dearest = 0;
        for (const ItemId item : others) {
            const Tokens amount = problem_.amount(item, resource);
            if (amount == 0) continue;
            wanting += amount;
            ++needing;
            all.fewest += problem_.amount(item, problem_.fewest);
            dearest = std::max<Int128>(dearest, problem_.amount(item, problem_.fewest));
        }
        const Tokens room =
            surplus_above(tables_.aims[aim].limits[machine], used(machine, resource));
        Moves moves = moves_to_shed(others, resource, wanting - room);
        // Or a single item stays, and all others go.
        all.moves = needing;
        if (needing_[aim][machine] == 0 && needing > 0) {
            --all.moves;
            all.fewest -= dearest;
        }
        if (needing_[aim][machine] <= 1 && !problem_.drained[machine]) {
            moves.moves = std::min(moves.moves, all.moves);
            moves.fewest = std::min(moves.fewest, all.fewest);
        }
        need(moves);
    }
    return {forced.fewest + more.fewest, forced.moves + more.moves};
}

void PartialPlacement::add_needed_moves(FullScore& bound, const Score& best) const {
    // Only completions that reach `best` in all parts before are of interest, and none of these
    // parts can grow.
    const Score& score = bound.score;
    if (problem_.objective.given || score.broken != best.broken ||
        score.over_thresholds != best.over_thresholds || score.over_levels != best.over_levels)
        return;
    Moves out;
    for (MachineId machine = 0; machine < machines_; ++machine) {
        if (homes_[machine].empty()) continue;
        const Moves moves = moves_from(machine);
        out.moves += moves.moves;
        out.fewest += moves.fewest;
    }
    Tokens arriving = 0;
    if (best.broken == 0 && !problem_.least_items.empty())
        for (MachineId machine = 0; machine < machines_; ++machine) {
            const auto staying = std::count_if(homes_[machine].begin(), homes_[machine].end(),
                                               [&](ItemId item) { return !placed(item); });
            arriving += surplus_above(problem_.least_items[machine],
                                      used(machine, items_resource) + staying);
        }
    out.moves = std::max(out.moves, arriving);
    if (problem_.fewest == items_resource) out.fewest = std::max<Int128>(out.fewest, out.moves);
    bound.score.fewest += out.fewest;
    bound.score.moves += out.moves;
}

FullScore PartialPlacement::at_least() const {
    FullScore bound = sums_.back();
    add_missing(bound);
    add_far(bound);
    add_unbalanced(bound);
    return bound;
}

FullScore PartialPlacement::at_least(const Score& best) const {
    FullScore bound = at_least();
    const bool short_of_room = add_shortage(bound);
    // Where room is short, something gets worse still, and it is open where.
    if (!short_of_room && bound.excluded == 0 && bound.score < best) add_needed_moves(bound, best);
    return bound;
}

}  // namespace equipoise::reassign
