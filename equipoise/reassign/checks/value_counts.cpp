#include "equipoise/reassign/checks/value_counts.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::reassign {

ValueCounts::ValueCounts(const Label& of_items, const Label& of_machines)
    : of_items_(of_items), of_machines_(of_machines), counts_(of_items.values.size()) {}

void ValueCounts::add(ItemId item, MachineId machine) {
    const ValueId value = of_items_.of[item];
    if (value != no_value) ++counts_[value][of_machines_.of[machine]];
}

void ValueCounts::add_all(std::span<const MachineId> places) {
    for (ItemId item = 0; item < places.size(); ++item)
        add(item, places[item]);
}

void ValueCounts::remove(ItemId item, MachineId machine) {
    const ValueId value = of_items_.of[item];
    if (value == no_value) return;
    const auto at = counts_[value].find(of_machines_.of[machine]);
    if (--at->second == 0) counts_[value].erase(at);
}

SpreadCounts::SpreadCounts(const Problem& problem, std::size_t rule)
    : problem_(problem),
      rule_(rule),
      counts_(problem.item_labels[problem.spread[rule].label],
              problem.machine_labels[problem.spread[rule].machine_label]) {
    const Label& label = problem.machine_labels[problem.spread[rule].machine_label];
    std::vector<bool> seen(label.values.size(), false);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (problem.may_take(machine) && label.of[machine] != no_value)
            seen[label.of[machine]] = true;
    takers_ = std::count(seen.begin(), seen.end(), true);
}

void SpreadCounts::append_broken(ValueId value, std::vector<BrokenRule>& broken) const {
    const Tokens least = problem_.spread[rule_].least;
    Tokens items = 0;
    Tokens values = 0;
    for (const auto& [machine_value, count] : counts_.of(value)) {
        items += count;
        if (machine_value != no_value) ++values;
    }
    BrokenRule at_fault;
    at_fault.kind = RuleKind::spread;
    at_fault.rule = rule_;
    at_fault.value = value;
    at_fault.limit = std::min(items, least > 0 ? least : takers_);
    if (values < at_fault.limit) {
        at_fault.by = at_fault.limit - values;
        broken.push_back(at_fault);
    }
    if (least > 0 || takers_ == 0) return;
    at_fault.limit = ceil_divide(items, takers_);
    for (const auto& [machine_value, count] : counts_.of(value)) {
        if (machine_value == no_value || count <= at_fault.limit) continue;
        at_fault.machine_value = machine_value;
        at_fault.by = count - at_fault.limit;
        broken.push_back(at_fault);
    }
}

NearCounts::NearCounts(const Problem& problem, std::size_t rule)
    : problem_(problem),
      rule_(rule),
      counts_(problem.item_labels[problem.near[rule].label],
              problem.machine_labels[problem.near[rule].machine_label]) {}

void NearCounts::append_broken(std::size_t pair, std::vector<BrokenRule>& broken) const {
    const auto [service, other] = problem_.near[rule_].depends[pair];
    const ValueCounts::OnValues& others = counts_.of(other);
    for (const auto& [machine_value, count] : counts_.of(service)) {
        if (machine_value != no_value && others.contains(machine_value)) continue;
        BrokenRule at_fault;
        at_fault.kind = RuleKind::near;
        at_fault.rule = rule_;
        at_fault.value = service;
        at_fault.machine_value = machine_value;
        at_fault.pair = pair;
        at_fault.by = 1;
        broken.push_back(at_fault);
    }
}

}  // namespace equipoise::reassign
