#include <algorithm>
#include <numeric>

#include "equipoise/reassign/search/local_search.hpp"

namespace equipoise::reassign {

namespace {

/// How many items, and machines to which they may go, are tried for one move.
constexpr std::size_t tried_at_once = 24;

double ratio(Tokens amount, Tokens most) {
    return static_cast<double>(amount) / static_cast<double>(std::max<Tokens>(most, 1));
}

}  // namespace

bool LocalSearch::lacks_items(MachineId machine) const {
    return placement_.used(machine, items_resource) < problem_.least_items_of(machine);
}

bool LocalSearch::is_bad(MachineId machine) const {
    if (lacks_items(machine) ||
        (problem_.drained[machine] && !placement_.items_on(machine).empty()))
        return true;
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
        if (placement_.held(machine, resource) > problem_.capacity(machine, resource) ||
            placement_.used(machine, resource) > problem_.threshold(machine, resource))
            return true;
    for (std::size_t aim = 0; aim < tables_.aims.size(); ++aim)
        if (placement_.over_level(aim, machine) > 0) return true;
    return false;
}

double LocalSearch::fill(MachineId machine) const {
    double fullest = 0;
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        const Tokens capacity = problem_.capacity(machine, resource);
        const Tokens threshold = problem_.threshold(machine, resource);
        if (capacity < tokens_max)
            fullest = std::max(fullest, ratio(placement_.held(machine, resource), capacity));
        if (threshold < tokens_max)
            fullest = std::max(fullest, ratio(placement_.used(machine, resource), threshold));
    }
    for (const AimTable& aim : tables_.aims)
        fullest =
            std::max(fullest, ratio(placement_.used(machine, aim.resource), aim.limits[machine]));
    return fullest;
}

std::vector<MachineId> LocalSearch::machines_to_try() {
    if (takers_.size() <= 2 * tried_at_once) return takers_;
    std::vector<MachineId> tried;
    for (std::size_t draw = 0; draw < tried_at_once; ++draw) {
        const std::vector<MachineId>& among = draw % 2 == 0 ? roomy_ : takers_;
        tried.push_back(among[random_.below(among.size())]);
    }
    return tried;
}

bool LocalSearch::Found::is_better_than(const Found& other) const {
    if ((gain > 0) != (other.gain > 0)) return gain > 0;
    if (part != other.part) return part < other.part;
    // What leaves a machine should not be more than must, and then as few items as possible.
    constexpr double alike = 1e-9;
    if (gain_each > other.gain_each * (1 + alike)) return true;
    if (gain_each * (1 + alike) < other.gain_each) return false;
    if (change != other.change) return change < other.change;
    return fill < other.fill;
}

LocalSearch::Found LocalSearch::look_at(Hop hop) const {
    Found found{hop, placement_.change(hop.item, hop.to), parts, 0, 0, fill(hop.to)};
    const std::array<Int128, parts> all = parts_of(found.change);
    const auto* const first =
        std::find_if(all.begin(), all.end(), [](Int128 part) { return part != 0; });
    found.part = static_cast<std::size_t>(first - all.begin());
    if (found.part == parts) return found;
    found.gain = -static_cast<double>(*first);
    const double more = std::max(static_cast<double>(all[fewest]), 0.0);
    found.gain_each = found.gain / std::max(more, 1e-3);
    return found;
}

std::optional<LocalSearch::Found> LocalSearch::best_hop(std::span<const ItemId> items,
                                                        std::span<const MachineId> machines) {
    std::optional<Found> best;
    const auto look = [&](ItemId item, MachineId machine) {
        if (machine == placement_.place(item) || !tables_.may_be_on(item, machine)) return;
        if (!tick()) return;
        const Found found = look_at({item, machine});
        if (!best || found.is_better_than(*best)) best = found;
    };
    for (const ItemId item : items) {
        if (!tables_.movable[item]) continue;
        if (placement_.moved(item)) look(item, problem_.places[item]);
        for (const MachineId machine : machines)
            look(item, machine);
    }
    return best;
}

bool LocalSearch::improve(std::span<const ItemId> items) {
    const std::vector<MachineId> few = machines_to_try();
    // Which item goes matters more than where it goes.
    const std::span<const MachineId> fewer =
        std::span(few).first(std::min<std::size_t>(2, few.size()));
    std::optional<Found> found = best_hop(items, fewer);
    if (found && found->gain > 0) {
        const std::array<ItemId, 1> alone{found->hop.item};
        found = best_hop(alone, few);
    } else {
        found = best_hop(items, few);
    }
    if ((!found || found->gain <= 0) && few.size() < takers_.size())
        found = best_hop(items.first(std::min<std::size_t>(items.size(), 4)), takers_);
    if (!found || found->gain <= 0) return false;
    do_move(found->hop, found->change);
    return true;
}

std::vector<ItemId> LocalSearch::items_to_try(MachineId machine) {
    const std::span<const ItemId> all = placement_.items_on(machine);
    std::vector<ItemId> tried(all.begin(), all.end());
    for (std::size_t place = 0; place < std::min(tried.size(), tried_at_once); ++place)
        std::swap(tried[place], tried[place + random_.below(tried.size() - place)]);
    tried.resize(std::min(tried.size(), tried_at_once));
    return tried;
}

bool LocalSearch::improve_machine(MachineId machine) {
    if (!lacks_items(machine)) return improve(items_to_try(machine));
    std::vector<ItemId> others;
    for (std::size_t draw = 0; draw < 4 * tried_at_once; ++draw)
        others.push_back(movable_[random_.below(movable_.size())]);
    const std::array<MachineId, 1> here{machine};
    const std::optional<Found> found = best_hop(others, here);
    if (!found || found->change >= FullScore{}) return false;
    do_move(found->hop, found->change);
    return true;
}

bool LocalSearch::push_out(ItemId item) {
    const FullScore before = placement_.score();
    const MachineId place = placement_.place(item);
    for (const MachineId machine : machines_to_try()) {
        if (machine == placement_.place(item) || !tables_.may_be_on(item, machine)) continue;
        if (!tick()) return false;
        do_move({item, machine}, placement_.change(item, machine));
        std::vector<MachineId> machines = machines_to_try();
        machines.push_back(place);
        std::vector<ItemId> others = items_to_try(machine);
        std::erase(others, item);
        const std::optional<Found> found = best_hop(others, machines);
        if (found) {
            FullScore after = placement_.score();
            after += found->change;
            if (after < before) {
                do_move(found->hop, found->change);
                return true;
            }
        }
        do_move({item, place}, placement_.change(item, place));
    }
    return false;
}

void LocalSearch::go_home() {
    std::vector<ItemId> moved;
    for (bool changed = true; changed && !ended_;) {
        changed = false;
        moved.assign(placement_.moved_items().begin(), placement_.moved_items().end());
        for (const ItemId item : moved) {
            if (!tick()) break;
            const MachineId home = problem_.places[item];
            const FullScore change = placement_.change(item, home);
            if (change >= FullScore{}) continue;
            do_move({item, home}, change);
            changed = true;
        }
    }
    note_best();
}

void LocalSearch::repair() {
    constexpr unsigned passes = 4;
    for (unsigned pass = 0; pass < passes && !ended_; ++pass) {
        const FullScore before = placement_.score();
        look_around();
        if (bad_.empty() && bad_items_.empty()) break;
        for (const ItemId item : std::vector<ItemId>(bad_items_)) {
            if (ended_) break;
            const std::array<ItemId, 1> alone{item};
            if (placement_.breaks_a_rule(item) && !improve(alone) && pass > 0) push_out(item);
        }
        for (const MachineId machine : std::vector<MachineId>(bad_)) {
            while (!ended_ && is_bad(machine) && improve_machine(machine)) {
                if (iterations_ >= look_around_at_) look_around();
            }
            note_best();
            if (pass == 0 || ended_ || !is_bad(machine)) continue;
            for (const ItemId item : items_to_try(machine))
                if (tables_.movable[item] && push_out(item)) break;
        }
        note_best();
        if (placement_.score() >= before) break;
    }
}

}  // namespace equipoise::reassign
