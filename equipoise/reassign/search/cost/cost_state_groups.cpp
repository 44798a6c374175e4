// The groups of a `CostState`: items that are apart, spread, nearness.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/reassign/search/cost/cost_state.hpp"

namespace equipoise::reassign {

namespace {

/// The largest number of items of one group on one machine.
std::size_t most_together(const ItemGroups& groups, std::span<const MachineId> places) {
    std::vector<std::pair<std::uint32_t, MachineId>> all;
    for (ItemId item = 0; item < places.size(); ++item)
        if (groups.of[item] != ItemGroups::none) all.emplace_back(groups.of[item], places[item]);
    std::sort(all.begin(), all.end());
    std::size_t most = 1;
    for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
        while (last < all.size() && all[last] == all[first])
            ++last;
        most = std::max(most, last - first);
    }
    return most;
}

}  // namespace

void CostState::count_groups() {
    const SearchTables& tables = tables_->tables;
    const std::size_t items = places_.size();
    for (const ApartTable& table : tables.apart) {
        const ItemGroups& groups = tables.groups[table.groups];
        CellCounts<std::uint8_t>& counts = apart_.emplace_back(
            groups.sizes.size(), on_.size(), most_together(groups, places_), items);
        for (ItemId item = 0; item < items; ++item)
            if (groups.of[item] != ItemGroups::none) counts.add(groups.of[item], places_[item]);
    }
    for (const SpreadTable& table : tables.spread) {
        const ItemGroups& groups = tables.groups[table.groups];
        CellCounts<std::uint16_t>& counts =
            spread_.emplace_back(groups.sizes.size(), table.values, groups.largest(), items);
        std::vector<SpreadState>& states = spread_states_.emplace_back(groups.sizes.size());
        for (ItemId item = 0; item < items; ++item) {
            const std::uint32_t group = groups.of[item];
            const std::uint32_t value = table.value[places_[item]];
            if (group == ItemGroups::none || value == no_value) continue;
            states[group].add(counts.add(group, value), table.most[group]);
        }
        std::vector<Tokens>& limits = spread_limits_.emplace_back();
        for (std::uint32_t group = 0; group < states.size(); ++group)
            limits.push_back(table.broken_by(group, states[group]));
    }
    for (const NearTable& table : tables.near) {
        const ItemGroups& groups = tables.groups[table.groups];
        CellCounts<std::uint16_t>& counts =
            near_.emplace_back(groups.sizes.size(), table.values + 1, groups.largest(), items);
        for (ItemId item = 0; item < items; ++item)
            if (groups.of[item] != ItemGroups::none)
                counts.add(groups.of[item], table.value[places_[item]]);
        std::vector<Tokens>& far = far_.emplace_back(table.before.size(), 0);
        for (std::uint32_t service = 0; service < groups.sizes.size(); ++service)
            for (const NearTable::Partner& partner : table.needs[service])
                for (std::uint32_t value = 0; value <= table.values; ++value)
                    if (counts.at(service, value) > 0 &&
                        (value == table.values || counts.at(partner.service, value) == 0))
                        ++far[partner.pair];
        far_limits_.push_back(far);
    }
}

std::vector<ItemId> CostState::items_that_mend() const {
    std::vector<ItemId> items;
    if (far_sum_ == 0) return items;
    for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
        const SpreadTable& table = tables_->tables.spread[rule];
        const std::vector<std::uint32_t>& group = tables_->tables.groups[table.groups].of;
        for (ItemId item = 0; item < places_.size(); ++item)
            if (group[item] != ItemGroups::none &&
                table.broken_by(group[item], spread_states_[rule][group[item]]) >
                    spread_limits_[rule][group[item]])
                items.push_back(item);
    }
    for (std::size_t rule = 0; rule < near_.size(); ++rule) {
        const NearTable& table = tables_->tables.near[rule];
        const std::vector<std::uint32_t>& service = tables_->tables.groups[table.groups].of;
        std::vector<bool> is_missed(table.needs.size(), false);
        const auto misses_at = [&](std::uint32_t of, std::uint32_t value, auto&& note) {
            for (const NearTable::Partner& partner : table.needs[of])
                if (far_[rule][partner.pair] > far_limits_[rule][partner.pair] &&
                    (value == table.values || near_[rule].at(partner.service, value) == 0))
                    note(partner.service);
        };
        for (ItemId item = 0; item < places_.size(); ++item) {
            if (service[item] == ItemGroups::none) continue;
            bool misses = false;
            misses_at(service[item], table.value[places_[item]], [&](std::uint32_t missed) {
                misses = true;
                is_missed[missed] = true;
            });
            if (misses) items.push_back(item);
        }
        for (ItemId item = 0; item < places_.size(); ++item)
            if (service[item] != ItemGroups::none && is_missed[service[item]])
                items.push_back(item);
    }
    return items;
}

/// Whether an item of a group from which this one is apart is on the machine, unless that leaves.
bool CostState::meets_its_group(ItemId item, MachineId machine, ItemId leaves) const {
    const SearchTables& tables = tables_->tables;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::vector<std::uint32_t>& group = tables.groups[tables.apart[rule].groups].of;
        if (group[item] == ItemGroups::none) continue;
        const std::uint32_t others = apart_[rule].at(group[item], machine);
        if (others > (group[leaves] == group[item] ? 1U : 0U)) return true;
    }
    return false;
}

bool CostState::joins_its_group() const {
    const SearchTables& tables = tables_->tables;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::vector<std::uint32_t>& group = tables.groups[tables.apart[rule].groups].of;
        for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
            const std::uint32_t of = group[hops_[hop].item];
            if (of == ItemGroups::none) continue;
            Tokens others = apart_[rule].at(of, hops_[hop].to);
            for (std::size_t other = 0; other < hops_.size(); ++other) {
                if (other == hop || group[hops_[other].item] != of) continue;
                if (from_[other] == hops_[hop].to) --others;
                if (hops_[other].to == hops_[hop].to) ++others;
            }
            if (others > 0) return true;
        }
    }
    return false;
}

/// Nothing if the item stays at a value, or is in no group.
template <class Table>
std::optional<CostState::Passage> CostState::passage(const Table& table, ItemId item,
                                                     MachineId from, MachineId to) const {
    const Passage made{tables_->tables.groups[table.groups].of[item], table.value[from],
                       table.value[to]};
    if (made.leaves == made.arrives || made.group == ItemGroups::none) return std::nullopt;
    return made;
}

void CostState::move_spread(std::size_t rule, ItemId item, MachineId from, MachineId to) {
    const SpreadTable& table = tables_->tables.spread[rule];
    const std::optional<Passage> passes = passage(table, item, from, to);
    if (!passes) return;
    const std::uint32_t group = passes->group;
    SpreadState& state = spread_states_[rule][group];
    const auto beyond = [&] {
        return std::max<Tokens>(table.broken_by(group, state) - spread_limits_[rule][group], 0);
    };
    far_sum_ -= beyond();
    if (passes->leaves != no_value)
        state.subtract(spread_[rule].subtract(group, passes->leaves), table.most[group]);
    if (passes->arrives != no_value)
        state.add(spread_[rule].add(group, passes->arrives), table.most[group]);
    far_sum_ += beyond();
}

void CostState::move_near(std::size_t rule, ItemId item, MachineId from, MachineId to) {
    const NearTable& table = tables_->tables.near[rule];
    const std::optional<Passage> passes = passage(table, item, from, to);
    if (!passes) return;
    const auto [service, leaves, arrives] = *passes;
    CellCounts<std::uint16_t>& counts = near_[rule];
    const bool last = counts.subtract(service, leaves) == 1;
    const bool first = counts.add(service, arrives) == 0;
    table.for_far_pairs(
        {service, leaves, arrives, last, first},
        [&](std::uint32_t of, std::uint32_t value) { return counts.at(of, value); },
        [&](std::size_t pair, Tokens more) {
            Tokens& far = far_[rule][pair];
            const Tokens limit = far_limits_[rule][pair];
            far_sum_ -= std::max<Tokens>(far - limit, 0);
            far += more;
            far_sum_ += std::max<Tokens>(far - limit, 0);
        });
}

void CostState::move_in_groups(ItemId item, MachineId from, MachineId to) {
    for (std::size_t rule = 0; rule < spread_.size(); ++rule)
        move_spread(rule, item, from, to);
    for (std::size_t rule = 0; rule < near_.size(); ++rule)
        move_near(rule, item, from, to);
}

}  // namespace equipoise::reassign
