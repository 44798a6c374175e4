#include "equipoise/reassign/bounds/value_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace equipoise::reassign {

std::vector<std::vector<ItemId>> items_by_value(const Label& label) {
    std::vector<std::vector<ItemId>> items(label.values.size());
    for (std::size_t item = 0; item < label.of.size(); ++item)
        if (label.of[item] != no_value) items[label.of[item]].push_back(static_cast<ItemId>(item));
    return items;
}

SpreadNeeds::SpreadNeeds(const Problem& problem, const Reach& reach, const Spread& rule)
    : problem_(problem),
      reach_(reach),
      rule_(rule),
      of_machines_(problem.machine_labels[rule.machine_label]) {
    for (const std::vector<bool>& takers : reach.takers) {
        std::vector<bool> seen(of_machines_.values.size(), false);
        elsewhere_.push_back(false);
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
            if (!takers[machine]) continue;
            if (of_machines_.of[machine] == no_value) {
                elsewhere_.back() = true;
            } else {
                seen[of_machines_.of[machine]] = true;
            }
        }
        values_.emplace_back();
        for (ValueId value = 0; value < seen.size(); ++value)
            if (seen[value]) values_.back().push_back(value);
    }
}

std::size_t SpreadNeeds::values_needed(std::size_t items) const {
    const std::size_t all = values_[0].size();
    return std::min(items, rule_.least > 0 ? std::size_t{rule_.least} : all);
}

std::size_t SpreadNeeds::most_on_value(std::size_t items) const {
    const std::size_t all = values_[0].size();
    if (rule_.least == 0) return all == 0 ? items : (items + all - 1) / all;
    const std::size_t needed = values_needed(items);
    return needed == 0 ? items : items - needed + 1;
}

SpreadNeeds::Possible SpreadNeeds::possible(const std::vector<ItemId>& items, bool leave) const {
    Possible possible;
    std::vector<std::uint32_t> kinds;
    for (const ItemId item : items) {
        if (reach_.leaves[item]) kinds.push_back(reach_.kinds[item]);
        if (!reach_.may_stay(item, leave)) continue;
        const ValueId value = of_machines_.of[problem_.places[item]];
        if (value == no_value) {
            possible.elsewhere = true;
        } else {
            possible.values.push_back(value);
        }
    }
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    for (const std::uint32_t kind : kinds) {
        possible.values.insert(possible.values.end(), values_[kind].begin(), values_[kind].end());
        if (elsewhere_[kind]) possible.elsewhere = true;
    }
    std::sort(possible.values.begin(), possible.values.end());
    possible.values.erase(std::unique(possible.values.begin(), possible.values.end()),
                          possible.values.end());
    return possible;
}

Int128 SpreadNeeds::broken_at_least(const std::vector<ItemId>& items, bool leave) const {
    const Possible possible_places = possible(items, leave);
    const Int128 values = possible_places.values.size();
    const Int128 missing = surplus(values_needed(items.size()), values);
    if (rule_.least > 0 || values_[0].empty()) return missing;
    const Int128 most = most_on_value(items.size());
    const Int128 too_many =
        possible_places.elsewhere ? Int128{0} : surplus(items.size(), most * values);
    std::map<ValueId, Int128> stuck;
    for (const ItemId item : items)
        if (!reach_.leaves[item]) ++stuck[of_machines_.of[problem_.places[item]]];
    Int128 stuck_too_many = 0;
    for (const auto& [value, count] : stuck)
        if (value != no_value) stuck_too_many += surplus(count, most);
    return missing + std::max(too_many, stuck_too_many);
}

RackRanges rack_ranges(const Problem& problem, const Reach& reach, const Certain& certain,
                       const Spread& rule, std::size_t resource) {
    const Label& of_items = problem.item_labels[rule.label];
    const std::size_t racks = problem.machine_labels[rule.machine_label].values.size();
    RackRanges ranges{std::vector<Int128>(racks, 0), std::vector<Int128>(racks, 0)};
    Int128 free = 0;
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (of_items.of[item] == no_value) free += problem.amount(item, resource);
    for (Int128& most : ranges.most)
        most = free;
    const SpreadNeeds needs(problem, reach, rule);
    for (const std::vector<ItemId>& items : items_by_value(of_items)) {
        if (items.empty()) continue;
        const SpreadNeeds::Possible possible = needs.possible(items, certain.leaves);
        const std::size_t others = possible.values.empty() ? 0 : possible.values.size() - 1;
        const std::size_t most = needs.most_on_value(items.size());
        std::size_t least = surplus(needs.values_needed(items.size()), others) > 0 ? 1 : 0;
        if (!possible.elsewhere && items.size() > most * others)
            least = std::max(least, items.size() - most * others);
        std::vector<Tokens> amounts;
        for (const ItemId item : items)
            amounts.push_back(problem.amount(item, resource));
        std::sort(amounts.begin(), amounts.end());
        Int128 small = 0;
        Int128 large = 0;
        for (std::size_t i = 0; i < least; ++i)
            small += amounts[i];
        for (std::size_t i = 0; i < most; ++i)
            large += amounts[amounts.size() - 1 - i];
        for (const ValueId value : possible.values) {
            ranges.least[value] += small;
            ranges.most[value] += large;
        }
    }
    return ranges;
}

}  // namespace equipoise::reassign
