#include "equipoise/reassign/search/tables.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "equipoise/reassign/checks/givers.hpp"

namespace equipoise::reassign {

ItemGroups::ItemGroups(const Label& label) : of(label.of), sizes(label.values.size(), 0) {
    constexpr std::uint32_t small_size = 8;
    for (const std::uint32_t group : of)
        if (group != none) ++sizes[group];
    small = std::all_of(sizes.begin(), sizes.end(),
                        [](std::uint32_t size) { return size <= small_size; });
    if (!small) return;
    first.resize(sizes.size());
    std::exclusive_scan(sizes.begin(), sizes.end(), first.begin(), 0U);
    std::vector<std::uint32_t> next = first;
    slot.reserve(of.size());
    for (const std::uint32_t group : of)
        slot.push_back(group == none ? none : next[group]++);
}

std::uint32_t ItemGroups::largest() const {
    return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

std::size_t SearchTables::groups_of(std::size_t label) {
    const auto known = std::find(labels_.begin(), labels_.end(), label);
    if (known != labels_.end()) return static_cast<std::size_t>(known - labels_.begin());
    labels_.push_back(label);
    groups.emplace_back(problem.item_labels[label]);
    return groups.size() - 1;
}

SearchTables::SearchTables(const Problem& of_problem)
    : problem(of_problem), kinds(of_problem.resource_count()), weights(of_problem.weights()) {
    const std::vector<Tokens> totals = problem.totals();
    unit = std::max<Tokens>(*std::max_element(totals.begin(), totals.end()), 1);
    takes.resize(problem.machine_count());
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        takes[machine] = problem.may_take(machine);
    const std::vector<bool> gives = givers(problem);
    misplaced.resize(problem.item_count());
    movable.resize(problem.item_count());
    held.assign(problem.machine_count() * kinds, 0);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const MachineId home = problem.places[item];
        misplaced[item] = !problem.drained[home] && !problem.may_be_on(item, home);
        movable[item] = gives[home] && !problem.must_stay(item);
        for (std::size_t resource = 0; resource < kinds; ++resource)
            held[home * kinds + resource] += problem.amount(item, resource);
    }
    for (const Resource& resource : problem.resources)
        transient.push_back(resource.release == Release::after_last);
    lay_out_limits();
    lay_out_apart();
    lay_out_spread();
    lay_out_near();
    if (problem.objective.given && problem.objective.most_moved > 0)
        most_moved = groups_of(problem.objective.most_moved_label);
}

void SearchTables::lay_out_limits() {
    limits = problem.capacities;
    for (std::size_t cell = 0; cell < limits.size(); ++cell)
        limits[cell] = std::min(limits[cell], problem.thresholds[cell]);
    if (problem.objective.given) return;
    for (const LevelAim& aim : problem.level) {
        aims.push_back({aim.resource, weights[aim.resource], problem.level_limits(aim)});
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
            Tokens& limit = limits[machine * kinds + aim.resource];
            limit = std::min(limit, aims.back().limits[machine]);
        }
    }
}

void SearchTables::lay_out_apart() {
    for (const Apart& rule : problem.apart) {
        ApartTable table{groups_of(rule.label), {}};
        const ItemGroups& by = groups[table.groups];
        if (std::all_of(by.sizes.begin(), by.sizes.end(),
                        [](std::uint32_t size) { return size < 2; }))
            continue;
        PairCounts on(by.sizes.size(), problem.machine_count(), problem.item_count());
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            const std::uint32_t group = by.of[item];
            const MachineId machine = problem.places[item];
            if (group != ItemGroups::none && on.add(group, machine) == 1)
                table.together.emplace_back(group, machine);
        }
        std::sort(table.together.begin(), table.together.end());
        apart.push_back(std::move(table));
    }
}

void SearchTables::lay_out_spread() {
    for (const Spread& rule : problem.spread) {
        const Label& label = problem.machine_labels[rule.machine_label];
        SpreadTable table;
        table.groups = groups_of(rule.label);
        const ItemGroups& by = groups[table.groups];
        table.value = label.of;
        table.values = label.values.size();
        std::vector<bool> taking(table.values, false);
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            if (takes[machine] && label.of[machine] != no_value) taking[label.of[machine]] = true;
        const Tokens takers = std::count(taking.begin(), taking.end(), true);
        for (const std::uint32_t size : by.sizes) {
            table.least.push_back(std::min<Tokens>(size, rule.least > 0 ? rule.least : takers));
            table.most.push_back(rule.least > 0 || takers == 0 ? Tokens{size}
                                                               : ceil_divide(size, takers));
        }
        std::vector<Tokens> reached(by.sizes.size(), 0);
        table.before.assign(by.sizes.size(), 0);
        PairCounts on(by.sizes.size(), table.values, problem.item_count());
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            const std::uint32_t group = by.of[item];
            const std::uint32_t value = table.value[problem.places[item]];
            if (group == ItemGroups::none || value == no_value) continue;
            const Tokens count = on.add(group, value);
            if (count == 0) ++reached[group];
            if (count >= table.most[group]) ++table.before[group];
        }
        for (std::size_t group = 0; group < reached.size(); ++group)
            table.before[group] += std::max<Tokens>(table.least[group] - reached[group], 0);
        spread.push_back(std::move(table));
    }
}

void SearchTables::lay_out_near() {
    for (const Near& rule : problem.near) {
        const Label& services = problem.item_labels[rule.label];
        const Label& zones = problem.machine_labels[rule.machine_label];
        NearTable table;
        table.groups = groups_of(rule.label);
        table.value = zones.of;
        table.values = zones.values.size();
        for (ValueId& value : table.value)
            if (value == no_value) value = static_cast<ValueId>(table.values);
        table.needs.resize(services.values.size());
        table.needed_by.resize(services.values.size());
        table.before.assign(rule.depends.size(), 0);
        PairCounts on(services.values.size(), table.values + 1, problem.item_count());
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (services.of[item] != no_value)
                on.add(services.of[item], table.value[problem.places[item]]);
        for (std::size_t pair = 0; pair < rule.depends.size(); ++pair) {
            const auto [service, other] = rule.depends[pair];
            table.needs[service].push_back({pair, other});
            if (service != other) table.needed_by[other].push_back({pair, service});
            for (std::size_t value = 0; value <= table.values; ++value)
                if (on.at(service, value) > 0 &&
                    (value == table.values || on.at(other, value) == 0))
                    ++table.before[pair];
        }
        near.push_back(std::move(table));
    }
}

std::uint64_t SearchTables::placement_bytes() const {
    const std::uint64_t items = problem.item_count();
    const std::uint64_t machines = problem.machine_count();
    std::uint64_t bytes = items * 44 + machines * (72 + 16 * kinds + 4 * aims.size());
    for (const ItemGroups& each : groups)
        bytes += 4 * each.slot.size();
    for (const ApartTable& table : apart)
        if (!groups[table.groups].small)
            bytes += PairCounts::bytes(groups[table.groups].sizes.size(), machines, items);
    for (const SpreadTable& table : spread)
        if (!groups[table.groups].small)
            bytes += PairCounts::bytes(groups[table.groups].sizes.size(), table.values, items) +
                     16 * groups[table.groups].sizes.size();
    for (const NearTable& table : near)
        bytes += PairCounts::bytes(groups[table.groups].sizes.size(), table.values + 1, items) +
                 8 * table.before.size();
    return bytes + (most_moved ? 8 * groups[*most_moved].sizes.size() : 0);
}

}  // namespace equipoise::reassign
