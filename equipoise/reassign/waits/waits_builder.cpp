#include "equipoise/reassign/waits/waits_builder.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/waves/wave_builder.hpp"

namespace equipoise::reassign {

namespace {

/// Resources of which some machine has a capacity and whose room is free again before the end.
std::vector<std::size_t> resources_with_room(const Problem& problem) {
    std::vector<std::size_t> resources = limited_resources(problem);
    std::erase_if(resources, [&](std::size_t resource) {
        return problem.resources[resource].release == Release::after_last;
    });
    return resources;
}

}  // namespace

WaitsBuilder::WaitsBuilder(const Problem& problem, std::span<const Move> moves)
    : problem_(problem),
      machine_ends_(problem),
      sources_(problem),
      rules_(problem, moves),
      limited_(resources_with_room(problem)),
      places_(problem.places),
      ends_(machine_ends_.count()),
      counts_(rules_.places()),
      last_of_(problem.item_count()),
      copies_of_(sources_.are_own() ? 0 : problem.item_count()),
      departures_(problem.machine_count()),
      known_(problem.machine_count(), 0),
      held_(problem.capacities.size(), 0),
      known_left_(problem.capacities.size(), 0),
      left_apart_(problem.apart.size()),
      arriving_(problem.capacities.size(), 0) {
    for (ItemId item = 0; item < problem.item_count(); ++item)
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
            held_[at_machine(places_[item], resource)] += problem.amount(item, resource);
}

void WaitsBuilder::wait_for(std::size_t at, const Numbers& numbers) {
    lists_[at].insert(lists_[at].end(), numbers.begin(), numbers.end());
}

std::size_t WaitsBuilder::root(std::size_t at) {
    while (parents_[at] != at)
        at = parents_[at] = parents_[parents_[at]];
    return at;
}

void WaitsBuilder::join(std::size_t at, std::size_t other) {
    parents_[root(at)] = root(other);
}

WaitsFor WaitsBuilder::next_waits(std::span<const Move> wave) {
    lists_.assign(wave.size(), {});
    parents_.resize(wave.size());
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    reaches_.assign(wave.size(), 0);
    first_at_.clear();
    moving_.clear();
    leaving_.clear();
    for (std::size_t at = 0; at < wave.size(); ++at) {
        moving_[wave[at].item] = at;
        leaving_[wave[at].from].push_back(at);
    }
    for (std::size_t at = 0; at < wave.size(); ++at) {
        wait_at_ends(at, wave[at]);
        wait_for_item(at, wave[at]);
        wait_for_apart(at, wave[at]);
        wait_for_counts(at, wave[at]);
        wait_for_room(at, wave);
    }
    for (const Move& move : wave)
        for (const std::size_t resource : limited_)
            arriving_[at_machine(move.to, resource)] = 0;
    return joined_lists();
}

void WaitsBuilder::wait_at_ends(std::size_t at, const Move& move) {
    const MachineId giver = this->giver(move);
    if (giver != problem_.outside) wait_for(at, ends_[machine_ends_.giving(giver)].last);
    wait_for(at, ends_[machine_ends_.taking(move.to)].last);
}

/// Its own earlier moves, those of what it is copied from, and copies that are made from it.
void WaitsBuilder::wait_for_item(std::size_t at, const Move& move) {
    wait_for(at, last_of_[move.item]);
    if (sources_.are_own()) return;
    wait_for(at, copies_of_[move.item]);
    const ItemId source = sources_.of(move.item, move.from);
    if (source == move.item) return;
    wait_for(at, last_of_[source]);
    if (const auto moves = moving_.find(source); moves != moving_.end()) join(at, moves->second);
}

ValueId WaitsBuilder::value_on_the_way(std::size_t rule, ItemId item) const {
    const Apart& apart = problem_.apart[rule];
    return apart.on_the_way ? problem_.item_labels[apart.label].of[item] : no_value;
}

void WaitsBuilder::wait_for_apart(std::size_t at, const Move& move) {
    for (std::size_t rule = 0; rule < left_apart_.size(); ++rule) {
        const ValueId value = value_on_the_way(rule, move.item);
        if (value == no_value) continue;
        const auto left = left_apart_[rule].find(key_of(move.to, value));
        if (left != left_apart_[rule].end()) wait_for(at, left->second);
    }
}

void WaitsBuilder::wait_for_counts(std::size_t at, const Move& move) {
    rule_places_.clear();
    rules_.append_places(move, rule_places_);
    for (const std::size_t place : rule_places_) {
        wait_for(at, counts_[place].last);
        const auto [first, is_new] = first_at_.try_emplace(place, at);
        if (!is_new) join(at, first->second);
    }
}

void WaitsBuilder::wait_for_room(std::size_t at, std::span<const Move> wave) {
    const Move& move = wave[at];
    const Numbers& departures = departures_[move.to];
    std::size_t& reach = reaches_[at];
    reach = known_[move.to];
    // What is above the capacity if only departures up to `reach` are done, by resource.
    std::vector<std::pair<std::size_t, Int128>> above;
    for (const std::size_t resource : limited_) {
        const Tokens amount = problem_.amount(move.item, resource);
        const std::size_t here = at_machine(move.to, resource);
        arriving_[here] += amount;
        const Int128 excess =
            held_[here] + arriving_[here] - known_left_[here] - problem_.capacities[here];
        if (amount > 0 && excess > 0) above.emplace_back(resource, excess);
    }
    const auto leaves = [&](ItemId item) {
        for (auto& [resource, excess] : above)
            excess -= problem_.amount(item, resource);
        std::erase_if(above, [](const auto& each) { return each.second <= 0; });
    };
    while (!above.empty() && reach < departures.size()) {
        lists_[at].push_back(departures[reach]);
        leaves(item_of_[departures[reach]]);
        ++reach;
    }
    if (above.empty()) return;
    if (const auto leaving = leaving_.find(move.to); leaving != leaving_.end())
        for (const std::size_t other : leaving->second) {
            if (above.empty()) return;
            const bool helps = std::any_of(above.begin(), above.end(), [&](const auto& each) {
                return problem_.amount(wave[other].item, each.first) > 0;
            });
            if (!helps) continue;
            join(at, other);
            leaves(wave[other].item);
        }
    EQUIPOISE_ASSERT(above.empty());
}

/// The lists, the same for moves that start together, with copies made with what they wait for.
WaitsFor WaitsBuilder::joined_lists() {
    for (std::size_t at = 0; at < lists_.size(); ++at)
        if (const std::size_t first = root(at); first != at) {
            wait_for(first, lists_[at]);
            lists_[at].clear();
        }
    for (Numbers& list : lists_) {
        if (!made_with_.empty())
            for (std::size_t i = 0, size = list.size(); i < size; ++i)
                if (const auto copies = made_with_.find(list[i]); copies != made_with_.end())
                    list.insert(list.end(), copies->second.begin(), copies->second.end());
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    WaitsFor joined = lists_;
    for (std::size_t at = 0; at < joined.size(); ++at)
        if (const std::size_t first = root(at); first != at) joined[at] = lists_[first];
    return joined;
}

void WaitsBuilder::add_to(Chain& chain, Number number) const {
    if (chain.wave != waves_) chain = {{}, waves_};
    chain.last.push_back(number);
}

void WaitsBuilder::add(std::span<const Move> wave) {
    ++waves_;
    const Number begin = moves_;
    for (const Move& move : wave) {
        const Number number = moves_++;
        item_of_.push_back(move.item);
        const MachineId giver = this->giver(move);
        if (giver != problem_.outside) add_to(ends_[machine_ends_.giving(giver)], number);
        add_to(ends_[machine_ends_.taking(move.to)], number);
        rule_places_.clear();
        rules_.append_places(move, rule_places_);
        for (const std::size_t place : rule_places_)
            add_to(counts_[place], number);
        for (std::size_t rule = 0; rule < left_apart_.size(); ++rule) {
            const ValueId value = value_on_the_way(rule, move.item);
            if (value == no_value) continue;
            left_apart_[rule].erase(key_of(move.to, value));
            left_apart_[rule][key_of(move.from, value)].push_back(number);
        }
        departures_[move.from].push_back(number);
        last_of_[move.item] = {number};
        if (!sources_.are_own()) copies_of_[move.item].clear();
    }
    for (std::size_t at = 0; at < wave.size(); ++at) {
        const Move& move = wave[at];
        std::size_t& known = known_[move.to];
        for (; known < reaches_[at]; ++known)
            for (const std::size_t resource : limited_)
                known_left_[at_machine(move.to, resource)] +=
                    problem_.amount(item_of_[departures_[move.to][known]], resource);
        for (const std::size_t resource : limited_)
            held_[at_machine(move.to, resource)] += problem_.amount(move.item, resource);
        if (sources_.are_own()) continue;
        const ItemId source = sources_.of(move.item, move.from);
        if (source == move.item) continue;
        const Number number = begin + static_cast<Number>(at);
        if (const auto moves = moving_.find(source); moves != moving_.end()) {
            const Number with = begin + static_cast<Number>(moves->second);
            made_with_[with].push_back(number);
            last_of_[source].push_back(number);
        } else {
            copies_of_[source].push_back(number);
        }
    }
    for (const Move& move : wave)
        places_[move.item] = move.to;
}

}  // namespace equipoise::reassign
