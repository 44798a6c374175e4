#include "equipoise/reassign/waves/end_rules.hpp"

#include <algorithm>

namespace equipoise::reassign {

EndRules::Spreading::Spreading(const Problem& problem, const Spread& of)
    : rule(of),
      values(problem.item_labels[of.label].of),
      machine_values(problem.machine_labels[of.machine_label].of),
      counts(problem.item_labels[of.label].values.size(),
             problem.machine_labels[of.machine_label].values.size(), problem.item_count()),
      items(problem.item_labels[of.label].values.size(), 0),
      places(items),
      surplus(items) {
    std::vector<bool> taking(problem.machine_labels[of.machine_label].values.size(), false);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (problem.may_take(machine) && machine_values[machine] != no_value)
            taking[machine_values[machine]] = true;
    takers = std::count(taking.begin(), taking.end(), true);
    for (const ValueId value : values)
        if (value != no_value) ++items[value];
    for (ItemId item = 0; item < problem.item_count(); ++item)
        enter(values[item], problem.places[item]);
    for (ValueId value = 0; value < items.size(); ++value)
        first.push_back(broken(value));
}

Tokens EndRules::Spreading::most(ValueId value) const {
    return takers == 0 ? tokens_max : ceil_divide(items[value], takers);
}

void EndRules::Spreading::enter(ValueId value, MachineId machine) {
    if (value == no_value || machine_values[machine] == no_value) return;
    const Tokens before = counts.add(value, machine_values[machine]);
    if (before == 0) ++places[value];
    if (before >= most(value)) ++surplus[value];
}

void EndRules::Spreading::leave(ValueId value, MachineId machine) {
    if (value == no_value || machine_values[machine] == no_value) return;
    const Tokens before = counts.subtract(value, machine_values[machine]);
    if (before == 1) --places[value];
    if (before > most(value)) --surplus[value];
}

Tokens EndRules::Spreading::broken(ValueId value) const {
    const Tokens wanted = std::min(items[value], rule.least > 0 ? Tokens{rule.least} : takers);
    return std::max<Tokens>(wanted - places[value], 0) + (rule.least > 0 ? 0 : surplus[value]);
}

EndRules::Nearness::Nearness(const Problem& problem, const Near& of)
    : rule(of),
      values(problem.item_labels[of.label].of),
      machine_values(problem.machine_labels[of.machine_label].of),
      counts(problem.item_labels[of.label].values.size(),
             std::size_t{problem.machine_labels[of.machine_label].values.size()} + 1,
             problem.item_count()),
      pairs(problem.item_labels[of.label].values.size()),
      broken(of.depends.size(), 0) {
    for (std::size_t pair = 0; pair < of.depends.size(); ++pair) {
        const auto& [service, other] = of.depends[pair];
        pairs[service].push_back(pair);
        if (other != service) pairs[other].push_back(pair);
    }
    for (ItemId item = 0; item < problem.item_count(); ++item)
        enter(values[item], problem.places[item]);
    first = broken;
}

std::size_t EndRules::Nearness::column(MachineId machine) const {
    return machine_values[machine] == no_value ? 0 : std::size_t{machine_values[machine]} + 1;
}

Tokens EndRules::Nearness::is_broken(std::size_t pair, std::size_t column) const {
    const auto& [service, other] = rule.depends[pair];
    return counts.at(service, column) > 0 && (column == 0 || counts.at(other, column) == 0) ? 1 : 0;
}

void EndRules::Nearness::add_broken(ValueId value, std::size_t column, Tokens sign) {
    for (const std::size_t pair : pairs[value])
        broken[pair] += sign * is_broken(pair, column);
}

void EndRules::Nearness::enter(ValueId value, MachineId machine) {
    if (value == no_value || pairs[value].empty()) return;
    const std::size_t there = column(machine);
    const bool changes = counts.at(value, there) == 0;
    if (changes) add_broken(value, there, -1);
    counts.add(value, there);
    if (changes) add_broken(value, there, 1);
}

void EndRules::Nearness::leave(ValueId value, MachineId machine) {
    if (value == no_value || pairs[value].empty()) return;
    const std::size_t there = column(machine);
    const bool changes = counts.at(value, there) == 1;
    if (changes) add_broken(value, there, -1);
    counts.subtract(value, there);
    if (changes) add_broken(value, there, 1);
}

EndRules::EndRules(const Problem& problem) {
    if (!problem.least_items.empty()) {
        items_.assign(problem.machine_count(), 0);
        for (const MachineId place : problem.places)
            ++items_[place];
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            fewest_items_.push_back(std::min(items_[machine], problem.least_items_of(machine)));
    }
    for (const Spread& rule : problem.spread)
        spread_.emplace_back(problem, rule);
    for (const Near& rule : problem.near)
        near_.emplace_back(problem, rule);
    any_ = !items_.empty() || !spread_.empty() || !near_.empty();
}

void EndRules::move(ItemId item, MachineId from, MachineId to) {
    if (!items_.empty()) {
        --items_[from];
        ++items_[to];
    }
    for (Spreading& spread : spread_) {
        spread.leave(spread.values[item], from);
        spread.enter(spread.values[item], to);
    }
    for (Nearness& near : near_) {
        near.leave(near.values[item], from);
        near.enter(near.values[item], to);
    }
}

void EndRules::append_debts(ItemId item, MachineId from, std::vector<Debt>& debts) const {
    const auto append = [&](const Debt& debt) {
        if (!settled(debt)) debts.push_back(debt);
    };
    if (!items_.empty()) append({.kind = Debt::Kind::least_items, .machine = from});
    for (std::size_t rule = 0; rule < spread_.size(); ++rule)
        if (const ValueId value = spread_[rule].values[item]; value != no_value)
            append({.kind = Debt::Kind::spread, .rule = rule, .value = value});
    for (std::size_t rule = 0; rule < near_.size(); ++rule)
        if (const ValueId value = near_[rule].values[item]; value != no_value)
            for (const std::size_t pair : near_[rule].pairs[value])
                append({.kind = Debt::Kind::near, .rule = rule, .pair = pair});
}

bool EndRules::settled(const Debt& debt) const {
    switch (debt.kind) {
        case Debt::Kind::room:
        case Debt::Kind::apart:
            return true;
        case Debt::Kind::least_items:
            return items_[debt.machine] >= fewest_items_[debt.machine];
        case Debt::Kind::spread:
            return spread_[debt.rule].broken(debt.value) <= spread_[debt.rule].first[debt.value];
        case Debt::Kind::near:
            return near_[debt.rule].broken[debt.pair] <= near_[debt.rule].first[debt.pair];
    }
    return true;
}

}  // namespace equipoise::reassign
