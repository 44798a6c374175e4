#include <algorithm>
#include <array>
#include <cmath>

#include "equipoise/reassign/search/local_search.hpp"

namespace equipoise::reassign {

std::array<Int128, LocalSearch::parts> LocalSearch::parts_of(const FullScore& change) {
    const Score& score = change.score;
    return {change.excluded, score.broken, score.over_thresholds, score.over_levels, score.cost,
            score.fewest,    score.moves};
}

void LocalSearch::find_scales(Part part) {
    // Typical changes of each part, from moves like those that are tried later.
    constexpr std::size_t samples = 400;
    Energies sums{};
    Energies counts{};
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const ItemId item = movable_[random_.below(movable_.size())];
        const MachineId to = takers_[random_.below(takers_.size())];
        if (to == placement_.place(item) || !tables_.may_be_on(item, to)) continue;
        const std::array<Int128, parts> change = parts_of(placement_.change(item, to));
        for (std::size_t each = 0; each < parts; ++each) {
            if (change[each] == 0) continue;
            sums[each] += std::log(std::abs(static_cast<double>(change[each])));
            ++counts[each];
        }
    }
    // Where every part may get worse, those that matter more weigh more. Otherwise parts after the
    // one that is annealed break ties, and pull a little.
    constexpr double pull = 0.05;
    constexpr Energies all_parts{3, 3, 3, 3, 1, 1, pull};
    scales_ = {};
    double weight = 1;
    for (std::size_t each = part; each < parts; ++each) {
        const double wanted = part == excluded ? all_parts[each] : weight;
        scales_[each] = counts[each] > 0 ? wanted * std::exp(-sums[each] / counts[each]) : wanted;
        weight *= pull;
    }
}

bool LocalSearch::accepts(const FullScore& change) {
    const std::array<Int128, parts> all = parts_of(change);
    for (std::size_t each = 0; each < part_; ++each)
        if (all[each] != 0) return all[each] < 0;
    double energy = 0;
    for (std::size_t each = part_; each < parts; ++each)
        energy += static_cast<double>(all[each]) * scales_[each];
    return energy <= 0 || random_.unit() < std::exp(-energy / temperature_);
}

void LocalSearch::consider(std::span<const Hop> hops) {
    places_before_.resize(hops.size());
    std::vector<MachineId>& places = places_before_;
    FullScore total;
    std::size_t done = 0;
    bool possible = true;
    for (; done < hops.size(); ++done) {
        const Hop hop = hops[done];
        places[done] = placement_.place(hop.item);
        possible = places[done] != hop.to && tables_.may_be_on(hop.item, hop.to);
        if (!possible) break;
        const FullScore change = placement_.change(hop.item, hop.to);
        total += change;
        if (done + 1 == hops.size()) {
            if (!accepts(total)) break;
            do_move(hop, change);
            note_best();
            return;
        }
        do_move(hop, change);
    }
    while (done-- > 0)
        placement_.move(hops[done].item, places[done]);
}

ItemId LocalSearch::any_moved() {
    const std::span<const ItemId> moved = placement_.moved_items();
    return moved[random_.below(moved.size())];
}

void LocalSearch::step_home() {
    const ItemId item = any_moved();
    const MachineId home = problem_.places[item];
    const std::span<const ItemId> there = placement_.items_on(home);
    if (there.empty() || random_.below(3) == 0) {
        consider(std::array{Hop{item, home}});
        return;
    }
    // Another item makes room.
    const ItemId other = there[random_.below(there.size())];
    const MachineId to = random_.coin() ? placement_.place(item) : any_machine_to(other);
    consider(std::array{Hop{item, home}, Hop{other, to}});
}

void LocalSearch::Reshuffle::clear() {
    back.clear();
    leave.clear();
    energy = 0;
}

double LocalSearch::moved_energy(ItemId item) const {
    return static_cast<double>(problem_.amount(item, problem_.fewest)) * scales_[fewest] +
           scales_[moves];
}

bool LocalSearch::draw_reshuffle(MachineId home, Reshuffle& drawn) {
    const std::span<const ItemId> away = placement_.away_from(home);
    const std::span<const ItemId> there = placement_.items_on(home);
    drawn.clear();
    const std::size_t backs = std::min<std::size_t>(away.size(), random_.below(5) == 0 ? 2 : 1);
    const std::size_t leaves = std::min<std::size_t>(there.size(), random_.below(3));
    while (drawn.back.size() < backs)
        drawn.back.push_back(away[random_.below(away.size())]);
    while (drawn.leave.size() < leaves)
        drawn.leave.push_back(there[random_.below(there.size())]);
    if ((backs == 2 && drawn.back[0] == drawn.back[1]) ||
        (leaves == 2 && drawn.leave[0] == drawn.leave[1]))
        return false;
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource) {
        Tokens more = 0;
        for (const ItemId item : drawn.back)
            more += problem_.amount(item, resource);
        for (const ItemId item : drawn.leave)
            more -= problem_.amount(item, resource);
        if (more > 0 && more > placement_.room(home, resource)) return false;
    }
    for (const ItemId item : drawn.back)
        drawn.energy -= moved_energy(item);
    for (const ItemId item : drawn.leave)
        if (!placement_.moved(item)) drawn.energy += moved_energy(item);
    return true;
}

bool LocalSearch::draw_refill(MachineId home, Reshuffle& drawn) {
    constexpr std::size_t leaves_most = 24;
    constexpr std::size_t tries = 64;
    const std::span<const ItemId> away = placement_.away_from(home);
    const std::span<const ItemId> there = placement_.items_on(home);
    if (there.empty()) return false;
    drawn.clear();
    const ItemId back = drawn.back.emplace_back(away[random_.below(away.size())]);
    drawn.energy = -moved_energy(back);
    std::vector<Tokens> lacking(tables_.kinds);
    for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
        lacking[resource] =
            problem_.amount(back, resource) - std::max<Tokens>(placement_.room(home, resource), 0);
    const auto is_lacking = [&] {
        return std::any_of(lacking.begin(), lacking.end(), [](Tokens each) { return each > 0; });
    };
    for (std::size_t attempt = 0; attempt < tries && is_lacking(); ++attempt) {
        const ItemId item = there[random_.below(there.size())];
        const double energy = placement_.moved(item) ? 0 : moved_energy(item);
        if (drawn.energy + energy >= 0 || drawn.leave.size() == leaves_most ||
            std::find(drawn.leave.begin(), drawn.leave.end(), item) != drawn.leave.end())
            continue;
        drawn.energy += energy;
        drawn.leave.push_back(item);
        for (std::size_t resource = 0; resource < tables_.kinds; ++resource)
            lacking[resource] -= problem_.amount(item, resource);
    }
    return !is_lacking();
}

std::optional<MachineId> LocalSearch::machine_with_room(ItemId item,
                                                        std::span<const ItemId> leaving) {
    constexpr std::size_t tries = 8;
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
        // Who goes home leaves room.
        const bool in_place = attempt < leaving.size();
        const MachineId machine =
            in_place ? placement_.place(leaving[attempt]) : any_machine_to(item);
        if (machine == placement_.place(item)) continue;
        bool fits = true;
        for (std::size_t resource = 0; resource < tables_.kinds && fits; ++resource)
            fits = problem_.amount(item, resource) <=
                   std::max<Tokens>(placement_.room(machine, resource), 0) +
                       (in_place ? problem_.amount(leaving[attempt], resource) : 0);
        if (fits) return machine;
    }
    return {};
}

void LocalSearch::reshuffle(MachineId home, const Reshuffle& drawn) {
    hops_.clear();
    for (const ItemId item : drawn.back)
        hops_.push_back({item, home});
    for (const ItemId item : drawn.leave) {
        const std::optional<MachineId> to = machine_with_room(item, drawn.back);
        if (!to) return;
        hops_.push_back({item, *to});
    }
    consider(hops_);
}

void LocalSearch::step_reshuffle(MachineId home) {
    // Of several sets of items that might go home, and others that leave in their stead, the best.
    constexpr std::size_t draws = 32;
    bool any = false;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        if (!draw_reshuffle(home, drawn_) || (any && drawn_.energy >= best_drawn_.energy)) continue;
        std::swap(drawn_, best_drawn_);
        any = true;
    }
    if (any && best_drawn_.energy <= -temperature_ * std::log(1 - random_.unit()))
        reshuffle(home, best_drawn_);
}

void LocalSearch::step_refill(MachineId home) {
    if (draw_refill(home, drawn_)) reshuffle(home, drawn_);
}

void LocalSearch::step_elsewhere() {
    const ItemId item = any_moved();
    consider(std::array{Hop{item, any_machine_to(item)}});
}

void LocalSearch::step_leave() {
    // From machines that give already, as a rule.
    ItemId item = movable_[random_.below(movable_.size())];
    if (!placement_.moved_items().empty() && random_.below(4) != 0) {
        const std::span<const ItemId> there = placement_.items_on(problem_.places[any_moved()]);
        if (!there.empty()) item = there[random_.below(there.size())];
    }
    consider(std::array{Hop{item, any_machine_to(item)}});
}

void LocalSearch::step_swap() {
    ItemId item = movable_[random_.below(movable_.size())];
    if (!placement_.moved_items().empty() && random_.coin()) item = any_moved();
    const MachineId to = any_machine_to(item);
    const std::span<const ItemId> there = placement_.items_on(to);
    if (there.empty()) return;
    const ItemId other = there[random_.below(there.size())];
    if (other == item) return;
    consider(std::array{Hop{item, to}, Hop{other, placement_.place(item)}});
}

void LocalSearch::step_bad() {
    ItemId item = movable_[random_.below(movable_.size())];
    if (!bad_items_.empty() && (bad_.empty() || random_.coin())) {
        item = bad_items_[random_.below(bad_items_.size())];
    } else if (!bad_.empty()) {
        const MachineId machine = bad_[random_.below(bad_.size())];
        if (lacks_items(machine)) {
            consider(std::array{Hop{item, machine}});
            return;
        }
        const std::span<const ItemId> there = placement_.items_on(machine);
        if (!there.empty()) item = there[random_.below(there.size())];
    }
    const MachineId from = placement_.place(item);
    const MachineId to = any_machine_to(item);
    const std::span<const ItemId> there = placement_.items_on(to);
    if (there.empty() || random_.below(3) == 0) {
        consider(std::array{Hop{item, to}});
        return;
    }
    const ItemId other = there[random_.below(there.size())];
    if (other != item)
        consider(
            std::array{Hop{item, to}, Hop{other, random_.coin() ? from : any_machine_to(other)}});
}

/// Of some moves away from a machine that may hold too much, the one with the least score. Where
/// the chain began there is room.
std::optional<LocalSearch::Hop> LocalSearch::next_in_chain(MachineId over, MachineId first,
                                                           const FullScore& total) {
    constexpr unsigned tries = 6;
    std::optional<Hop> best;
    FullScore least;
    for (unsigned attempt = 0; attempt < tries; ++attempt) {
        const std::span<const ItemId> there = placement_.items_on(over);
        const ItemId item = there[random_.below(there.size())];
        const bool closes = first != over && random_.coin();
        const MachineId to = closes ? first : any_machine_to(item);
        if (to == over || !tables_.movable[item] || !tables_.may_be_on(item, to) ||
            std::any_of(chain_.begin(), chain_.end(),
                        [&](const auto& moved) { return moved.first == item; }))
            continue;
        FullScore score = total;
        score += placement_.change(item, to);
        if (best && score >= least) continue;
        best = Hop{item, to};
        least = score;
    }
    return best;
}

/// An item goes where there may be no room, another one from there makes room, and so on, until
/// the last one finds some.
void LocalSearch::step_chain() {
    constexpr std::size_t links_most = 6;
    ItemId item = movable_[random_.below(movable_.size())];
    if (!bad_.empty() && random_.coin()) {
        const std::span<const ItemId> there = placement_.items_on(bad_[random_.below(bad_.size())]);
        if (!there.empty()) item = there[random_.below(there.size())];
    }
    const MachineId first = placement_.place(item);
    const MachineId to = any_machine_to(item);
    if (to == first || !tables_.may_be_on(item, to)) return;
    chain_.clear();
    FullScore total;
    for (std::optional<Hop> hop = Hop{item, to}; hop;) {
        const FullScore change = placement_.change(hop->item, hop->to);
        chain_.emplace_back(hop->item, placement_.place(hop->item));
        total += change;
        do_move(*hop, change);
        if (accepts(total)) {
            note_best();
            return;
        }
        if (chain_.size() == links_most || !tick()) break;
        hop = next_in_chain(hop->to, first, total);
    }
    for (; !chain_.empty(); chain_.pop_back())
        placement_.move(chain_.back().first, chain_.back().second);
}

void LocalSearch::step() {
    if (chains_ && random_.below(4) == 0) {
        step_chain();
        return;
    }
    if (part_ <= levels && random_.below(part_ == excluded ? 4 : 2) == 0) {
        step_bad();
        return;
    }
    const std::uint64_t draw = random_.below(100);
    const bool may_reshuffle = (part_ == fewest || part_ == excluded) && !problem_.objective.given;
    if (draw < 15 || placement_.moved_items().empty()) {
        step_leave();
    } else if (draw < 30) {
        step_swap();
    } else if (draw < 50) {
        step_elsewhere();
    } else if (may_reshuffle && draw < 55) {
        step_refill(problem_.places[any_moved()]);
    } else if (may_reshuffle && draw < 85) {
        step_reshuffle(problem_.places[any_moved()]);
    } else {
        step_home();
    }
}

void LocalSearch::polish() {
    if (problem_.objective.given) return;
    part_ = fewest;
    temperature_ = 0;
    find_scales(part_);
    constexpr unsigned tries_in_vain = 16;
    for (MachineId home = 0; home < machines_; ++home) {
        if (iterations_ >= look_around_at_) look_around();
        for (unsigned in_vain = 0; in_vain < tries_in_vain; ++in_vain) {
            if (placement_.away_from(home).empty() || !tick()) break;
            const FullScore before = placement_.score();
            if (in_vain % 4 == 3)
                step_refill(home);
            else
                step_reshuffle(home);
            if (placement_.score() < before) in_vain = 0;
        }
    }
}

void LocalSearch::anneal(Part part, std::uint64_t length, double heat) {
    part_ = part;
    find_scales(part);
    constexpr double coldest = 0.01;  // of the hottest
    constexpr std::uint64_t steps_at_one_heat = 64;
    for (std::uint64_t step_number = 0; step_number < length && tick(); ++step_number) {
        if (step_number % steps_at_one_heat == 0)
            temperature_ = heat * std::pow(coldest, static_cast<double>(step_number) /
                                                        static_cast<double>(length));
        if (iterations_ >= look_around_at_) look_around();
        step();
    }
}

}  // namespace equipoise::reassign
