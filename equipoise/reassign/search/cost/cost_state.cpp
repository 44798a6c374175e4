#include "equipoise/reassign/search/cost/cost_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::reassign {

CostState::CostState(const CostTables& tables, std::span<const MachineId> places)
    : tables_(&tables),
      places_(places.begin(), places.end()),
      cells_(tables.capacities.size()),
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
    bound_prices();
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

void CostState::bound_prices() {
    // Of each of three parts at most 2^59.
    constexpr double most = 0x1.0p59;
    const Problem& problem = tables_->problem;
    const std::size_t kinds = tables_->kinds;
    Tokens heaviest = 1;
    for (const Tokens weight : tables_->weights)
        heaviest = std::max(heaviest, weight);
    std::vector<double> totals(kinds, 0);
    for (std::size_t at = 0; at < tables_->amounts.size(); ++at)
        totals[at % kinds] += static_cast<double>(tables_->amounts[at]);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        units_.push_back(std::max(static_cast<double>(tables_->weights[kind]),
                                  0.3 * static_cast<double>(heaviest)));
        unit_prices_max_.push_back(most / (2 * static_cast<double>(kinds) * totals[kind] + 1));
    }
    too_full_max_ = most / (static_cast<double>(cells_.size()) + 1);
    double far = 0;
    for (const SpreadTable& table : tables_->tables.spread)
        far += 2 * static_cast<double>(problem.item_count()) + static_cast<double>(table.values);
    for (const NearTable& table : tables_->tables.near)
        far += static_cast<double>(table.before.size()) * static_cast<double>(table.values + 1);
    far_max_ = most / (far + 1);
    dearer_.assign(cells_.size(), 1);
}

void CostState::price_cell(std::size_t at) {
    const std::size_t kind = at % tables_->kinds;
    cells_[at].above_limit = static_cast<Tokens>(
        std::min(prices_.over_capacity * units_[kind] * dearer_[at], unit_prices_max_[kind]));
    cells_[at].too_full =
        static_cast<Tokens>(std::min(prices_.too_full * dearer_[at], too_full_max_));
}

void CostState::price_far() {
    far_price_ = static_cast<Tokens>(std::min(prices_.far * far_dearer_, far_max_));
}

void CostState::set_prices(const Prices& prices) {
    prices_ = prices;
    for (std::size_t at = 0; at < cells_.size(); ++at)
        price_cell(at);
    price_far();
    add_up();
}

void CostState::adapt_prices(double dearer, double cheaper) {
    // Where factors are beyond this, prices are at their bounds.
    constexpr double most = 1e18;
    const std::size_t kinds = tables_->kinds;
    for (MachineId machine = 0; machine < on_.size(); ++machine)
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const std::size_t at = machine * kinds + kind;
            Cell& cell = cells_[at];
            const Tokens before = price(kind, cell, cell.used, cell.limit);
            if (cell.used > cell.limit)
                dearer_[at] = std::min(dearer_[at] * dearer, most);
            else if (dearer_[at] > 1)
                dearer_[at] = std::max(dearer_[at] / cheaper, 1.0);
            else
                continue;
            price_cell(at);
            energy_ += price(kind, cell, cell.used, cell.limit) - before;
            if (cell.used > cell.limit) ++versions_[machine];
        }
    energy_ -= far_price_ * far_sum_;
    far_dearer_ =
        far_sum_ > 0 ? std::min(far_dearer_ * dearer, most) : std::max(far_dearer_ / cheaper, 1.0);
    price_far();
    energy_ += far_price_ * far_sum_;
}

void CostState::forget_what_is_dearer() {
    std::fill(dearer_.begin(), dearer_.end(), 1.0);
    far_dearer_ = 1;
    set_prices(prices_);
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
        balance_costs_[machine] = balance_cost(machine, [](std::size_t) { return Tokens{0}; });
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
        const Tokens lower = late_part(cell, amounts[kind], is_home);
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
            limit -= late_part(cell, less[kind], leaves_home);
        }
        const Tokens higher = late_part(cell, arrives[kind], comes_home);
        sum += price(kind, cell, used + arrives[kind], limit + higher) -
               price(kind, cell, used, limit);
        if (sum > most) return sum;
    }
    return sum;
}

/// `more(kind)`: what the machine will have more than now.
template <class More>
Tokens CostState::balance_cost(MachineId machine, const More& more) const {
    const std::size_t first = machine * tables_->kinds;
    const auto free = [&](std::size_t kind) {
        return tables_->capacities[first + kind] - cells_[first + kind].used - more(kind);
    };
    Tokens cost = 0;
    for (const CostTables::Balance& balance : tables_->balances)
        cost += balance.weight *
                std::max<Tokens>(balance.target * free(balance.kind) - free(balance.other), 0);
    return cost;
}

Tokens CostState::balance_cost(const Turnover& turnover) const {
    return balance_cost(turnover.machine, [&](std::size_t kind) {
        Tokens more = 0;
        if (turnover.arrives != no_item) more += tables_->amounts_of(turnover.arrives)[kind];
        if (turnover.leaves != no_item) more -= tables_->amounts_of(turnover.leaves)[kind];
        return more;
    });
}

bool CostState::is_closed(MachineId machine, ItemId item) const {
    if (machine == home(item)) return false;
    const std::size_t kinds = tables_->kinds;
    for (std::size_t kind = 0; kind < kinds; ++kind)
        if (closed_[machine * kinds + kind] && tables_->amounts_of(item)[kind] > 0) return true;
    return false;
}

ItemId CostState::leaves(MachineId machine) const {
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        if (from_[hop] == machine) return hops_[hop].item;
    return no_item;
}

ItemId CostState::arrives(MachineId machine) const {
    for (const Hop& hop : hops_)
        if (hop.to == machine) return hop.item;
    return no_item;
}

Tokens CostState::more_items(MachineId machine) const {
    Tokens more = 0;
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        more += (hops_[hop].to == machine ? 1 : 0) - (from_[hop] == machine ? 1 : 0);
    return more;
}

Tokens CostState::balance_change() const {
    Tokens change = 0;
    for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
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
        for (std::size_t hop = 0; hop < hops_.size(); ++hop)
            if (static_cast<Tokens>(on_[from_[hop]].size()) + more_items(from_[hop]) <
                kept_[from_[hop]])
                return false;
    for (std::size_t resource = 0; resource < moved_amounts_.size(); ++resource) {
        Tokens moved = moved_amounts_[resource];
        for (std::size_t hop = 0; hop < hops_.size(); ++hop)
            moved += more_moved(hops_[hop].item, from_[hop], hops_[hop].to) *
                     problem.amount(hops_[hop].item, resource);
        if (moved > problem.budget.amounts[resource]) return false;
    }
    return true;
}

Tokens CostState::move_cost_change() const {
    Tokens change = 0;
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        change += tables_->move_cost(hops_[hop].item, hops_[hop].to) -
                  tables_->move_cost(hops_[hop].item, from_[hop]);
    return change;
}

void CostState::take(std::span<const Hop> hops) {
    hops_.assign(hops.begin(), hops.end());
    from_.clear();
    for (const Hop& hop : hops)
        from_.push_back(places_[hop.item]);
}

bool CostState::move(std::span<const Hop> hops, Tokens most) {
    EQUIPOISE_ASSERT(!hops.empty() && hops.size() <= moved_max);
    take(hops);
    Tokens change = move_cost_change();
    for (const Hop& hop : hops)
        change -= relief(hop.item);
    if (!tables_->balances.empty()) change += balance_change();
    const Tokens limit = most_with_groups(most);
    for (const Hop& hop : hops) {
        if (change > limit) return false;
        change += burden({hop.to, hop.item, leaves(hop.to)}, limit - change);
    }
    return end_move(change, most);
}

/// How much all but groups may add if energy grows by at most `most`: the number of items that have
/// moved in one group falls by at most one an item, and groups come to break no less than nothing.
Tokens CostState::most_with_groups(Tokens most) const {
    return most + far_price_ * far_sum_ +
           tables_->problem.objective.most_moved * static_cast<Tokens>(hops_.size());
}

/// Of loads and balances, where the first of the items goes to a machine and the others leave it.
Tokens CostState::exchange_change() {
    const std::size_t kinds = tables_->kinds;
    const MachineId from = from_.front();
    const MachineId to = hops_.front().to;
    Tokens change = 0;
    more_.assign(kinds, 0);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Cell& there = cells_[to * kinds + kind];
        const Cell& here = cells_[from * kinds + kind];
        Tokens higher_there = 0;  // limits
        Tokens lower_here = 0;
        for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
            const ItemId item = hops_[hop].item;
            const Tokens amount = tables_->amounts_of(item)[kind];
            const Tokens sign = hop == 0 ? 1 : -1;
            more_[kind] += sign * amount;
            higher_there += sign * late_part(there, amount, home(item) == to);
            lower_here += sign * late_part(here, amount, home(item) == from);
        }
        change += price(kind, there, there.used + more_[kind], there.limit + higher_there) -
                  price(kind, there, there.used, there.limit) +
                  price(kind, here, here.used - more_[kind], here.limit - lower_here) -
                  price(kind, here, here.used, here.limit);
    }
    if (!tables_->balances.empty())
        change += balance_cost(to, [&](std::size_t kind) { return more_[kind]; }) -
                  balance_costs_[to] +
                  balance_cost(from, [&](std::size_t kind) { return -more_[kind]; }) -
                  balance_costs_[from];
    return change;
}

bool CostState::exchange(std::span<const Hop> hops, Tokens most) {
    EQUIPOISE_ASSERT(hops.size() >= 2 && hops.size() <= exchanged_max);
    take(hops);
    return end_move(move_cost_change() + exchange_change(), most);
}

/// Moves the items if rules allow it, and energy grows by at most `most`: by `change` and by what
/// groups add.
bool CostState::end_move(Tokens change, Tokens most) {
    if (change > most_with_groups(most)) return false;
    if (!moved_of_.empty()) change += most_moved_change();
    if (change > most + far_price_ * far_sum_ || joins_its_group() || !keeps_numbers())
        return false;
    if (!closed_.empty() && std::any_of(hops_.begin(), hops_.end(), [&](const Hop& hop) {
            return is_closed(hop.to, hop.item);
        }))
        return false;
    const Tokens far = far_sum_;
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        move_in_groups(hops_[hop].item, from_[hop], hops_[hop].to);
    change += far_price_ * (far_sum_ - far);
    if (change > most) {
        for (std::size_t hop = hops_.size(); hop-- > 0;)
            move_in_groups(hops_[hop].item, hops_[hop].to, from_[hop]);
        return false;
    }
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        settle(hops_[hop].item, from_[hop], hops_[hop].to);
    note_machines();
    energy_ += change;
    return true;
}

void CostState::note_machines() {
    for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
        const MachineId from = from_[hop];
        const MachineId to = hops_[hop].to;
        // Each machine once: where its first item leaves, else where its first one arrives.
        if (leaves(from) == hops_[hop].item) note_machine(from);
        if (leaves(to) == no_item && arrives(to) == hops_[hop].item) note_machine(to);
    }
}

bool CostState::draw_exchange(Hop comes, RandomStream& random, std::vector<Hop>& hops) {
    const std::size_t kinds = tables_->kinds;
    const MachineId from = places_[comes.item];
    const Cell* cells = &cells_[comes.to * kinds];
    // What comes home brings back its part of late limits; what leaves home takes it along.
    const auto needs = [&](const Tokens* amounts, bool is_home, std::size_t kind) {
        return amounts[kind] - late_part(cells[kind], amounts[kind], is_home);
    };
    const Tokens* amounts = tables_->amounts_of(comes.item);
    bool has_room = true;
    excess_.resize(kinds);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        excess_[kind] = cells[kind].used - cells[kind].limit +
                        needs(amounts, home(comes.item) == comes.to, kind);
        has_room &= excess_[kind] <= 0;
    }
    if (has_room) return false;
    hops.assign(1, comes);
    there_ = on_[comes.to];
    for (std::size_t next = 0; next < there_.size(); ++next) {
        std::swap(there_[next], there_[next + random.below(there_.size() - next)]);
        const ItemId item = there_[next];
        const bool is_home = home(item) == comes.to;
        const Tokens* less = tables_->amounts_of(item);
        bool helps = false;
        for (std::size_t kind = 0; kind < kinds && !helps; ++kind)
            helps = excess_[kind] > 0 && needs(less, is_home, kind) > 0;
        if (!helps || !tables_->tables.movable[item] || !tables_->may_go(item, from) ||
            meets_its_group(item, from, comes.item))
            continue;
        if (hops.size() == exchanged_max) return false;
        hops.push_back({item, from});
        has_room = true;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            excess_[kind] -= needs(less, is_home, kind);
            has_room &= excess_[kind] <= 0;
        }
        if (has_room) return true;
    }
    return false;
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
        left.limit -= late_part(left, amounts[kind], from == home(item));
        reached.limit += late_part(reached, amounts[kind], to == home(item));
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
    for (std::size_t hop = 0; hop < hops_.size(); ++hop)
        count_moved(hops_[hop].item, more_moved(hops_[hop].item, from_[hop], hops_[hop].to));
    const std::uint32_t after = most_moved_;
    for (std::size_t hop = hops_.size(); hop-- > 0;)
        count_moved(hops_[hop].item, -more_moved(hops_[hop].item, from_[hop], hops_[hop].to));
    return (Tokens{after} - Tokens{before}) * tables_->problem.objective.most_moved;
}

std::uint64_t CostState::bytes(const SearchTables& tables) {
    const Problem& problem = tables.problem;
    const std::uint64_t items = problem.item_count();
    const std::uint64_t machines = problem.machine_count();
    std::uint64_t bytes = items * 44 + machines * (64 + 57 * problem.resource_count());
    for (const ApartTable& table : tables.apart)
        bytes += CellCounts<std::uint8_t>::bytes(tables.groups[table.groups].sizes.size(), machines,
                                                 1, items);
    for (const SpreadTable& table : tables.spread) {
        const ItemGroups& groups = tables.groups[table.groups];
        bytes += 24 * groups.sizes.size() +
                 CellCounts<std::uint16_t>::bytes(groups.sizes.size(), table.values,
                                                  groups.largest(), items);
    }
    for (const NearTable& table : tables.near) {
        const ItemGroups& groups = tables.groups[table.groups];
        bytes += 16 * table.before.size() +
                 CellCounts<std::uint16_t>::bytes(groups.sizes.size(), table.values + 1,
                                                  groups.largest(), items);
    }
    if (tables.most_moved) bytes += 4 * (items + tables.groups[*tables.most_moved].sizes.size());
    // Sums that are sorted once for items that are apart.
    return bytes + items * 8;
}

}  // namespace equipoise::reassign
