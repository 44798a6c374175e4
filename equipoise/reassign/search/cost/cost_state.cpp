#include "equipoise/reassign/search/cost/cost_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"

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

std::size_t largest_group(const ItemGroups& groups) {
    return groups.sizes.empty() ? 0 : *std::max_element(groups.sizes.begin(), groups.sizes.end());
}

}  // namespace

CostState::CostState(const CostTables& tables, std::span<const MachineId> places)
    : tables_(&tables),
      places_(places.begin(), places.end()),
      cells_(tables.capacities.size()),
      prices_(tables.kinds),
      on_(tables.problem.machine_count()),
      place_in_list_(places.size()),
      full_(on_.size(), 0),
      balance_costs_(on_.size(), 0),
      versions_(on_.size(), 1),
      reliefs_(places.size(), 0),
      relief_versions_(places.size(), 0),
      moved_amounts_(tables.problem.budget.amounts.size(), 0) {
    const Problem& problem = tables.problem;
    if (tables.tables.most_moved) {
        moved_of_.assign(tables.tables.groups[*tables.tables.most_moved].sizes.size(), 0);
        with_moved_.assign(places.size() + 1, 0);
        with_moved_[0] = static_cast<std::uint32_t>(moved_of_.size());
    }
    for (ItemId item = 0; item < places.size(); ++item) {
        place_in_list_[item] = static_cast<std::uint32_t>(on_[places[item]].size());
        on_[places[item]].push_back(item);
        if (places[item] == home(item)) continue;
        ++moves_;
        for (std::size_t resource = 0; resource < moved_amounts_.size(); ++resource)
            moved_amounts_[resource] += problem.amount(item, resource);
        if (!moved_of_.empty()) count_moved(item, 1);
    }
    if (!problem.least_items.empty())
        for (MachineId machine = 0; machine < on_.size(); ++machine)
            kept_.push_back(
                std::min(problem.least_items[machine], static_cast<Tokens>(on_[machine].size())));
    lay_out_cells();
    count_groups();
    set_prices({});
}

void CostState::lay_out_cells() {
    const std::size_t kinds = tables_->kinds;
    std::vector<Tokens> left(cells_.size(), 0);
    for (ItemId item = 0; item < places_.size(); ++item) {
        const Tokens* amounts = tables_->amounts_of(item);
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            cells_[places_[item] * kinds + kind].used += amounts[kind];
            if (places_[item] != home(item)) left[home(item) * kinds + kind] += amounts[kind];
        }
    }
    const auto is_closed = [&](std::size_t cell) {
        return tables_->held[cell] > tables_->capacities[cell];
    };
    for (std::size_t cell = 0; cell < cells_.size() && closed_.empty(); ++cell)
        if (is_closed(cell)) closed_.assign(cells_.size(), false);
    for (MachineId machine = 0; machine < on_.size(); ++machine)
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const std::size_t at = machine * kinds + kind;
            Cell& cell = cells_[at];
            cell.threshold = tables_->thresholds[at];
            cell.limit = tables_->capacities[at];
            if (is_closed(at)) {
                closed_[at] = true;
                cell.limit = std::max(cell.limit, cell.used);
            } else if (kind >= tables_->first_late) {
                cell.late = -1;
                cell.limit -= left[at];
            }
        }
}

void CostState::set_prices(const Prices& prices) {
    // Of each of three parts at most 2^59.
    constexpr double most = 0x1.0p59;
    const auto rounded = [](double price, double times) {
        return static_cast<Tokens>(std::clamp(price, 0.0, most / (times + 1)));
    };
    const Problem& problem = tables_->problem;
    const std::size_t kinds = tables_->kinds;
    Tokens heaviest = 1;
    for (const Tokens weight : tables_->weights)
        heaviest = std::max(heaviest, weight);
    std::vector<double> totals(kinds, 0);
    for (std::size_t at = 0; at < tables_->amounts.size(); ++at)
        totals[at % kinds] += static_cast<double>(tables_->amounts[at]);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Tokens weight = tables_->weights[kind];
        const double counted =
            std::max(static_cast<double>(weight), 0.3 * static_cast<double>(heaviest));
        prices_[kind] = {weight, rounded(prices.over_capacity * counted,
                                         2 * static_cast<double>(kinds) * totals[kind])};
    }
    too_full_price_ = rounded(prices.too_full, static_cast<double>(cells_.size()));
    double far = 0;
    for (const SpreadTable& table : tables_->tables.spread)
        far += 2 * static_cast<double>(problem.item_count()) + static_cast<double>(table.values);
    for (const NearTable& table : tables_->tables.near)
        far += static_cast<double>(table.before.size()) * static_cast<double>(table.values + 1);
    far_price_ = rounded(prices.far, far);
    for (std::uint64_t& version : versions_)
        ++version;
    add_up();
}

void CostState::add_up() {
    const std::size_t kinds = tables_->kinds;
    energy_ = far_price_ * far_sum_ + tables_->problem.objective.most_moved * Tokens{most_moved_};
    for (ItemId item = 0; item < places_.size(); ++item)
        energy_ += tables_->move_cost(item, places_[item]);
    for (MachineId machine = 0; machine < on_.size(); ++machine) {
        note_machine(machine);
        energy_ += balance_costs_[machine];
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const Cell& cell = cells_[machine * kinds + kind];
            energy_ += price(kind, cell, cell.used, cell.limit);
        }
    }
}

void CostState::note_machine(MachineId machine) {
    const std::size_t kinds = tables_->kinds;
    ++versions_[machine];
    too_full_ -= full_[machine];
    full_[machine] = 0;
    for (std::size_t cell = machine * kinds; cell < (machine + 1) * kinds; ++cell)
        if (cells_[cell].used > cells_[cell].limit) ++full_[machine];
    too_full_ += full_[machine];
    if (!tables_->balances.empty())
        balance_costs_[machine] = balance_cost({machine, no_item, no_item});
}

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
            spread_.emplace_back(groups.sizes.size(), table.values, largest_group(groups), items);
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
            near_.emplace_back(groups.sizes.size(), table.values + 1, largest_group(groups), items);
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

Tokens CostState::relief(ItemId item) {
    const MachineId machine = places_[item];
    if (relief_versions_[item] == versions_[machine]) return reliefs_[item];
    const std::size_t kinds = tables_->kinds;
    const Tokens* amounts = tables_->amounts_of(item);
    const Cell* cells = &cells_[machine * kinds];
    const bool is_home = machine == home(item);
    Tokens sum = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Cell& cell = cells[kind];
        const Tokens lower = is_home ? amounts[kind] & cell.late : 0;
        sum += price(kind, cell, cell.used, cell.limit) -
               price(kind, cell, cell.used - amounts[kind], cell.limit - lower);
    }
    relief_versions_[item] = versions_[machine];
    return reliefs_[item] = sum;
}

/// What the item that arrives adds, after the other one has left; more than `most` if it is.
Tokens CostState::burden(const Turnover& turnover, Tokens most) const {
    const std::size_t kinds = tables_->kinds;
    const Cell* cells = &cells_[turnover.machine * kinds];
    const Tokens* arrives = tables_->amounts_of(turnover.arrives);
    const bool comes_home = home(turnover.arrives) == turnover.machine;
    const bool leaves = turnover.leaves != no_item;
    const Tokens* less = leaves ? tables_->amounts_of(turnover.leaves) : nullptr;
    const bool leaves_home = leaves && home(turnover.leaves) == turnover.machine;
    Tokens sum = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Cell& cell = cells[kind];
        Tokens used = cell.used;
        Tokens limit = cell.limit;
        if (leaves) {
            used -= less[kind];
            if (leaves_home) limit -= less[kind] & cell.late;
        }
        const Tokens higher = comes_home ? arrives[kind] & cell.late : 0;
        sum += price(kind, cell, used + arrives[kind], limit + higher) -
               price(kind, cell, used, limit);
        if (sum > most) return sum;
    }
    return sum;
}

Tokens CostState::balance_cost(const Turnover& turnover) const {
    const std::size_t kinds = tables_->kinds;
    const auto free = [&](std::size_t kind) {
        const std::size_t cell = turnover.machine * kinds + kind;
        Tokens amount = tables_->capacities[cell] - cells_[cell].used;
        if (turnover.arrives != no_item) amount -= tables_->amounts_of(turnover.arrives)[kind];
        if (turnover.leaves != no_item) amount += tables_->amounts_of(turnover.leaves)[kind];
        return amount;
    };
    Tokens cost = 0;
    for (const CostTables::Balance& balance : tables_->balances)
        cost += balance.weight *
                std::max<Tokens>(balance.target * free(balance.kind) - free(balance.other), 0);
    return cost;
}

bool CostState::is_closed(MachineId machine, ItemId item) const {
    if (machine == home(item)) return false;
    const std::size_t kinds = tables_->kinds;
    for (std::size_t kind = 0; kind < kinds; ++kind)
        if (closed_[machine * kinds + kind] && tables_->amounts_of(item)[kind] > 0) return true;
    return false;
}

ItemId CostState::leaves(MachineId machine) const {
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        if (from_[hop] == machine) return hops_[hop].item;
    return no_item;
}

ItemId CostState::arrives(MachineId machine) const {
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        if (hops_[hop].to == machine) return hops_[hop].item;
    return no_item;
}

Tokens CostState::balance_change() const {
    Tokens change = 0;
    for (std::size_t hop = 0; hop < hop_count_; ++hop) {
        const MachineId from = from_[hop];
        change += balance_cost({from, arrives(from), hops_[hop].item}) - balance_costs_[from];
        const MachineId to = hops_[hop].to;
        if (leaves(to) == no_item)
            change += balance_cost({to, hops_[hop].item, no_item}) - balance_costs_[to];
    }
    return change;
}

Tokens CostState::load_change(Hop hop) {
    return burden({hop.to, hop.item, no_item}, std::numeric_limits<Tokens>::max()) -
           relief(hop.item);
}

/// The rules on numbers that have no price.
bool CostState::keeps_numbers() const {
    const Problem& problem = tables_->problem;
    if (!kept_.empty())
        for (std::size_t hop = 0; hop < hop_count_; ++hop)
            if (arrives(from_[hop]) == no_item &&
                static_cast<Tokens>(on_[from_[hop]].size()) <= kept_[from_[hop]])
                return false;
    for (std::size_t resource = 0; resource < moved_amounts_.size(); ++resource) {
        Tokens moved = moved_amounts_[resource];
        for (std::size_t hop = 0; hop < hop_count_; ++hop)
            moved += more_moved(hops_[hop].item, from_[hop], hops_[hop].to) *
                     problem.amount(hops_[hop].item, resource);
        if (moved > problem.budget.amounts[resource]) return false;
    }
    return true;
}

Tokens CostState::move_cost_change() {
    Tokens change = 0;
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        change += tables_->move_cost(hops_[hop].item, hops_[hop].to) -
                  tables_->move_cost(hops_[hop].item, from_[hop]);
    return moved_of_.empty() ? change : change + most_moved_change();
}

bool CostState::move(std::span<const Hop> hops, Tokens most) {
    EQUIPOISE_ASSERT(!hops.empty() && hops.size() <= hops_max);
    hop_count_ = hops.size();
    for (std::size_t hop = 0; hop < hop_count_; ++hop) {
        hops_[hop] = hops[hop];
        from_[hop] = places_[hops[hop].item];
    }
    Tokens change = move_cost_change();
    for (const Hop& hop : hops)
        change -= relief(hop.item);
    if (!tables_->balances.empty()) change += balance_change();
    // Groups may come to break less, but no more than this.
    const Tokens limit = most + far_price_ * far_sum_;
    for (const Hop& hop : hops) {
        if (change > limit) return false;
        change += burden({hop.to, hop.item, leaves(hop.to)}, limit - change);
    }
    if (change > limit || joins_its_group() || !keeps_numbers()) return false;
    if (!closed_.empty() && std::any_of(hops.begin(), hops.end(), [&](const Hop& hop) {
            return is_closed(hop.to, hop.item);
        }))
        return false;
    const Tokens far = far_sum_;
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        move_in_groups(hops_[hop].item, from_[hop], hops_[hop].to);
    change += far_price_ * (far_sum_ - far);
    if (change > most) {
        for (std::size_t hop = hop_count_; hop-- > 0;)
            move_in_groups(hops_[hop].item, hops_[hop].to, from_[hop]);
        return false;
    }
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        settle(hops_[hop].item, from_[hop], hops_[hop].to);
    for (std::size_t hop = 0; hop < hop_count_; ++hop) {
        note_machine(from_[hop]);
        note_machine(hops_[hop].to);
    }
    energy_ += change;
    return true;
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

void CostState::settle(ItemId item, MachineId from, MachineId to) {
    const SearchTables& tables = tables_->tables;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::uint32_t group = tables.groups[tables.apart[rule].groups].of[item];
        if (group == ItemGroups::none) continue;
        apart_[rule].subtract(group, from);
        apart_[rule].add(group, to);
    }
    const int more = more_moved(item, from, to);
    moves_ += more;
    if (!moved_of_.empty()) count_moved(item, more);
    for (std::size_t resource = 0; resource < moved_amounts_.size(); ++resource)
        moved_amounts_[resource] += more * tables_->problem.amount(item, resource);
    std::vector<ItemId>& others = on_[from];
    place_in_list_[others.back()] = place_in_list_[item];
    others[place_in_list_[item]] = others.back();
    others.pop_back();
    place_in_list_[item] = static_cast<std::uint32_t>(on_[to].size());
    on_[to].push_back(item);
    const Tokens* amounts = tables_->amounts_of(item);
    for (std::size_t kind = 0; kind < tables_->kinds; ++kind) {
        Cell& left = cells_[from * tables_->kinds + kind];
        Cell& reached = cells_[to * tables_->kinds + kind];
        left.used -= amounts[kind];
        reached.used += amounts[kind];
        if (from == home(item)) left.limit -= amounts[kind] & left.late;
        if (to == home(item)) reached.limit += amounts[kind] & reached.late;
    }
    places_[item] = to;
    relief_versions_[item] = 0;
}

void CostState::go_to(std::span<const MachineId> places) {
    // The rules hold in the end, whatever is between.
    for (ItemId item = 0; item < places_.size(); ++item) {
        const MachineId from = places_[item];
        if (from == places[item]) continue;
        move_in_groups(item, from, places[item]);
        settle(item, from, places[item]);
    }
    add_up();
}

void CostState::count_moved(ItemId item, int more) {
    const std::uint32_t group = tables_->tables.groups[*tables_->tables.most_moved].of[item];
    if (group == ItemGroups::none || more == 0) return;
    --with_moved_[moved_of_[group]];
    if (more > 0)
        most_moved_ = std::max(most_moved_, ++moved_of_[group]);
    else
        --moved_of_[group];
    ++with_moved_[moved_of_[group]];
    while (most_moved_ > 0 && with_moved_[most_moved_] == 0)
        --most_moved_;
}

Tokens CostState::most_moved_change() {
    const std::uint32_t before = most_moved_;
    for (std::size_t hop = 0; hop < hop_count_; ++hop)
        count_moved(hops_[hop].item, more_moved(hops_[hop].item, from_[hop], hops_[hop].to));
    const std::uint32_t after = most_moved_;
    for (std::size_t hop = hop_count_; hop-- > 0;)
        count_moved(hops_[hop].item, -more_moved(hops_[hop].item, from_[hop], hops_[hop].to));
    return (Tokens{after} - Tokens{before}) * tables_->problem.objective.most_moved;
}

bool CostState::joins_its_group() const {
    const SearchTables& tables = tables_->tables;
    for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
        const std::vector<std::uint32_t>& group = tables.groups[tables.apart[rule].groups].of;
        for (std::size_t hop = 0; hop < hop_count_; ++hop) {
            const std::uint32_t of = group[hops_[hop].item];
            if (of == ItemGroups::none) continue;
            Tokens others = apart_[rule].at(of, hops_[hop].to);
            for (std::size_t other = 0; other < hop_count_; ++other) {
                if (other == hop || group[hops_[other].item] != of) continue;
                if (from_[other] == hops_[hop].to) --others;
                if (hops_[other].to == hops_[hop].to) ++others;
            }
            if (others > 0) return true;
        }
    }
    return false;
}

void CostState::move_spread(std::size_t rule, ItemId item, MachineId from, MachineId to) {
    const SpreadTable& table = tables_->tables.spread[rule];
    const std::uint32_t leaves = table.value[from];
    const std::uint32_t arrives = table.value[to];
    if (leaves == arrives) return;
    const std::uint32_t group = tables_->tables.groups[table.groups].of[item];
    if (group == ItemGroups::none) return;
    SpreadState& state = spread_states_[rule][group];
    const auto beyond = [&] {
        return std::max<Tokens>(table.broken_by(group, state) - spread_limits_[rule][group], 0);
    };
    far_sum_ -= beyond();
    if (leaves != no_value)
        state.subtract(spread_[rule].subtract(group, leaves), table.most[group]);
    if (arrives != no_value) state.add(spread_[rule].add(group, arrives), table.most[group]);
    far_sum_ += beyond();
}

void CostState::move_near(std::size_t rule, ItemId item, MachineId from, MachineId to) {
    const NearTable& table = tables_->tables.near[rule];
    const std::uint32_t leaves = table.value[from];
    const std::uint32_t arrives = table.value[to];
    if (leaves == arrives) return;
    const std::uint32_t service = tables_->tables.groups[table.groups].of[item];
    if (service == ItemGroups::none) return;
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

std::uint64_t CostState::bytes(const SearchTables& tables) {
    const Problem& problem = tables.problem;
    const std::uint64_t items = problem.item_count();
    const std::uint64_t machines = problem.machine_count();
    std::uint64_t bytes = items * 40 + machines * (64 + 33 * problem.resource_count());
    for (const ApartTable& table : tables.apart)
        bytes += CellCounts<std::uint8_t>::bytes(tables.groups[table.groups].sizes.size(), machines,
                                                 1, items);
    for (const SpreadTable& table : tables.spread) {
        const ItemGroups& groups = tables.groups[table.groups];
        bytes += 24 * groups.sizes.size() +
                 CellCounts<std::uint16_t>::bytes(groups.sizes.size(), table.values,
                                                  largest_group(groups), items);
    }
    for (const NearTable& table : tables.near) {
        const ItemGroups& groups = tables.groups[table.groups];
        bytes += 16 * table.before.size() +
                 CellCounts<std::uint16_t>::bytes(groups.sizes.size(), table.values + 1,
                                                  largest_group(groups), items);
    }
    if (tables.most_moved) bytes += 4 * (items + tables.groups[*tables.most_moved].sizes.size());
    // Sums that are sorted once for items that are apart.
    return bytes + items * 8;
}

}  // namespace equipoise::reassign
