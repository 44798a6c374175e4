#include "equipoise/reassign/waves/wave_builder.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::reassign {

std::vector<std::size_t> limited_resources(const Problem& problem) {
    std::vector<std::size_t> limited;
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource) {
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
            if (problem.capacity(machine, resource) == tokens_max) continue;
            limited.push_back(resource);
            break;
        }
    }
    return limited;
}

WaveBuilder::WaveBuilder(const Problem& problem)
    : problem_(problem),
      at_once_(problem.at_once == 0 ? tokens_max : problem.at_once),
      limited_(limited_resources(problem)),
      sources_(problem),
      places_(problem.places),
      moves_now_(problem.places.size(), false),
      held_(problem.capacities.size(), 0),
      arriving_(held_),
      leaving_(held_),
      been_(0, 0, 0),
      ends_(problem),
      passed_(ends_.count()),
      end_rules_(problem) {
    if (!sources_.are_own()) first_places_ = places_;
    for (ItemId item = 0; item < problem.item_count(); ++item)
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
            held_[at(places_[item], resource)] += problem.amount(item, resource);
    if (std::any_of(limited_.begin(), limited_.end(),
                    [&](std::size_t resource) { return keeps(resource); })) {
        kept_ = held_;
        been_ = PairCounts(problem.item_count(), problem.machine_count(),
                           4 * std::size_t{problem.item_count()});
        for (ItemId item = 0; item < problem.item_count(); ++item)
            been_.add(item, places_[item]);
    }
    for (std::size_t rule = 0; rule < problem.apart.size(); ++rule)
        present_.emplace_back(problem, rule);
}

bool WaveBuilder::meets(ItemId item, MachineId machine) const {
    return std::any_of(present_.begin(), present_.end(), [&](const Presence& present) {
        return present.counts(item) && present.refuses(item, machine);
    });
}

Tokens WaveBuilder::room(MachineId machine, std::size_t resource) const {
    const std::size_t here = at(machine, resource);
    return problem_.capacities[here] - arriving_[here] -
           (remembers() && keeps(resource) ? kept_[here] : held_[here]);
}

Refusal WaveBuilder::judge(ItemId item, MachineId to) const {
    const MachineId from = places_[item];
    if (from == to || !problem_.may_be_on(item, to)) return Refusal::never;
    const Tokens copied = problem_.amount(item, problem_.copied);
    const MachineId giver = this->giver(item);
    const Tokens gives = ends_.rate(ends_.giving(giver));
    const Tokens takes = ends_.rate(ends_.taking(to));
    const bool never_given = copied > gives || gives == 0;
    if ((never_given && giver == from) || copied > takes || takes == 0) return Refusal::never;
    // From where it is copied may change.
    const Traffic& given = passed_[ends_.giving(giver)];
    const Traffic& taken = passed_[ends_.taking(to)];
    if (never_given || moves_now_[item] || given.items >= at_once_ || taken.items >= at_once_ ||
        given.copied + copied > gives || taken.copied + copied > takes)
        return Refusal::limit;
    for (const std::size_t resource : limited_) {
        const Tokens amount = problem_.amount(item, resource);
        if (amount == 0) continue;
        if (amount > problem_.capacity(to, resource)) return Refusal::never;
        if (problem_.resources[resource].release == Release::at_once) continue;
        const bool new_there = !keeps(resource) || been_.at(item, to) == 0;
        if (room(to, resource) < (new_there ? amount : 0)) return Refusal::room;
    }
    return meets(item, to) ? Refusal::apart : Refusal::none;
}

void WaveBuilder::count_traffic(const Move& move, Tokens sign) {
    for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
        const Tokens amount = sign * problem_.amount(move.item, resource);
        const bool new_there =
            !remembers() || !keeps(resource) || been_.at(move.item, move.to) == 0;
        if (new_there) arriving_[at(move.to, resource)] += amount;
        leaving_[at(move.from, resource)] += amount;
    }
    const Tokens copied = sign * problem_.amount(move.item, problem_.copied);
    const auto count = [&](std::size_t end) {
        passed_[end].items += sign;
        passed_[end].copied += copied;
    };
    count(ends_.taking(move.to));
    const MachineId giver =
        sources_.are_own() ? move.from : sources_.giver(move.item, move.from, first_places_);
    if (giver != problem_.outside) count(ends_.giving(giver));
}

Refusal WaveBuilder::add(ItemId item, MachineId to) {
    const Refusal refusal = judge(item, to);
    if (refusal != Refusal::none) return refusal;
    const Move move{waves(), item, places_[item], to};
    count_traffic(move, 1);
    for (Presence& present : present_)
        if (present.counts(item)) present.add(move);
    if (end_rules_.any()) end_rules_.move(item, move.from, to);
    moves_now_[item] = true;
    places_[item] = to;
    moves_.push_back(move);
    return Refusal::none;
}

void WaveBuilder::withdraw(std::size_t number) {
    EQUIPOISE_ASSERT(number < wave().size());
    const Move move = std::exchange(moves_[wave_begins_.back() + number], moves_.back());
    moves_.pop_back();
    places_[move.item] = move.from;
    moves_now_[move.item] = false;
    if (end_rules_.any()) end_rules_.move(move.item, move.to, move.from);
    for (Presence& present : present_)
        if (present.counts(move.item)) present.withdraw(move);
    count_traffic(move, -1);
}

void WaveBuilder::append_debts(const Move& move, std::vector<Debt>& debts) const {
    for (const std::size_t resource : limited_) {
        if (problem_.resources[resource].release != Release::at_once) continue;
        const Debt debt{.kind = Debt::Kind::room, .machine = move.to, .resource = resource};
        if (!settled(debt)) debts.push_back(debt);
    }
    for (std::size_t rule = 0; rule < present_.size(); ++rule) {
        if (!present_[rule].counts(move.item)) continue;
        const Debt debt{.kind = Debt::Kind::apart,
                        .machine = move.to,
                        .rule = rule,
                        .value = present_[rule].value(move.item)};
        if (!settled(debt)) debts.push_back(debt);
    }
    if (end_rules_.any()) end_rules_.append_debts(move.item, move.from, debts);
}

bool WaveBuilder::settled(const Debt& debt) const {
    if (debt.kind == Debt::Kind::apart)
        return present_[debt.rule].settled(debt.value, debt.machine);
    if (debt.kind != Debt::Kind::room) return end_rules_.settled(debt);
    const std::size_t here = at(debt.machine, debt.resource);
    return arriving_[here] == 0 ||
           held_[here] - leaving_[here] + arriving_[here] <= problem_.capacities[here];
}

void WaveBuilder::count_held(const Move& move, Tokens sign) {
    for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
        const Tokens amount = sign * problem_.amount(move.item, resource);
        held_[at(move.from, resource)] -= amount;
        held_[at(move.to, resource)] += amount;
    }
    if (!remembers()) return;
    if (sign < 0) been_.subtract(move.item, move.to);
    if (been_.at(move.item, move.to) == 0)
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource)
            kept_[at(move.to, resource)] += sign * problem_.amount(move.item, resource);
    if (sign > 0) been_.add(move.item, move.to);
}

void WaveBuilder::end_wave() {
    EQUIPOISE_ASSERT(!wave().empty());
    for (const Move& move : wave()) {
        count_traffic(move, -1);
        count_held(move, 1);
        for (Presence& present : present_)
            if (present.counts(move.item)) present.end(move);
        moves_now_[move.item] = false;
    }
    if (!sources_.are_own())
        for (const Move& move : wave())
            first_places_[move.item] = move.to;
    wave_begins_.push_back(moves_.size());
}

void WaveBuilder::reopen_wave() {
    EQUIPOISE_ASSERT(wave().empty() && waves() > 0);
    wave_begins_.pop_back();
    if (!sources_.are_own())
        for (const Move& move : wave())
            first_places_[move.item] = move.from;
    for (const Move& move : wave()) {
        count_held(move, -1);
        count_traffic(move, 1);
        for (Presence& present : present_)
            if (present.counts(move.item)) present.reopen(move);
        moves_now_[move.item] = true;
    }
}

}  // namespace equipoise::reassign
