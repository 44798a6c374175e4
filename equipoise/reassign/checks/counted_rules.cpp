#include "equipoise/reassign/checks/counted_rules.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "equipoise/reassign/checks/value_counts.hpp"

namespace equipoise::reassign {

namespace {

/// How many items of a value are on machines with another one, whatever the order of moves.
struct Range {
    Tokens least = 0;
    Tokens most = 0;
};
using Ranges = std::map<ValueId, Range>;  // by value of machines

/// By value of items of which some move between values of machines; others are not in it.
std::map<ValueId, Ranges> ranges_of(const Problem& problem, std::span<const Move> moves,
                                    const Label& of_items, const Label& of_machines) {
    std::map<ValueId, Ranges> ranges;
    std::vector<bool> crosses(problem.item_count(), false);
    for (const Move& move : moves) {
        const ValueId value = of_items.of[move.item];
        if (value == no_value || of_machines.of[move.from] == of_machines.of[move.to]) continue;
        crosses[move.item] = true;
        ++ranges[value][of_machines.of[move.to]].most;
    }
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const auto at = ranges.find(of_items.of[item]);
        if (of_items.of[item] == no_value || at == ranges.end()) continue;
        Range& range = at->second[of_machines.of[problem.places[item]]];
        ++range.most;
        if (!crosses[item]) ++range.least;
    }
    return ranges;
}

/// The ranges of a value of which no item moves between values of machines.
Ranges at_rest(const ValueCounts::OnValues& counts) {
    Ranges ranges;
    for (const auto& [machine_value, count] : counts)
        ranges[machine_value] = {count, count};
    return ranges;
}

/// The furthest that items could be from being spread as they must.
Tokens worst_spread(const Spread& spread, Tokens takers, Tokens items, const Ranges& ranges) {
    Tokens values = 0;
    for (const auto& [machine_value, range] : ranges)
        if (machine_value != no_value && range.least > 0) ++values;
    const Tokens needed = std::min(items, spread.least > 0 ? Tokens{spread.least} : takers);
    Tokens worst = std::max<Tokens>(needed - values, 0);
    if (spread.least > 0 || takers == 0) return worst;
    for (const auto& [machine_value, range] : ranges)
        if (machine_value != no_value)
            worst += std::max<Tokens>(range.most - ceil_divide(items, takers), 0);
    return worst;
}

/// On how many values of machines the service could be without the other one.
Tokens worst_near(const Ranges& service, const Ranges& other) {
    Tokens worst = 0;
    for (const auto& [machine_value, range] : service) {
        if (range.most == 0) continue;
        const auto there = other.find(machine_value);
        if (machine_value == no_value || there == other.end() || there->second.least == 0) ++worst;
    }
    return worst;
}

}  // namespace

CountedRules::CountedRules(const Problem& problem, std::span<const Move> moves)
    : problem_(problem) {
    std::size_t number = problem.least_items.empty() ? 0 : problem.machine_count();
    for (const Spread& rule : problem.spread) {
        spread_begins_.push_back(number);
        number += problem.item_labels[rule.label].values.size();
    }
    for (const Near& rule : problem.near) {
        near_begins_.push_back(number);
        number += rule.depends.size();
    }
    could_break_.assign(number, false);
    if (!problem.least_items.empty()) judge_least_items(moves);
    for (std::size_t rule = 0; rule < problem.spread.size(); ++rule)
        judge_spread(rule, moves);
    for (std::size_t rule = 0; rule < problem.near.size(); ++rule)
        judge_near(rule, moves);
    for (std::size_t rule = 0; rule < problem.apart.size(); ++rule)
        judge_apart(rule, moves);
}

void CountedRules::judge_least_items(std::span<const Move> moves) {
    std::vector<Tokens> first(problem_.machine_count(), 0);
    for (const MachineId place : problem_.places)
        ++first[place];
    std::vector<Tokens> stay = first;
    for (const Move& move : moves)
        --stay[move.from];
    for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
        could_break_[machine] =
            stay[machine] < std::min(problem_.least_items_of(machine), first[machine]);
}

void CountedRules::judge_spread(std::size_t rule, std::span<const Move> moves) {
    const Spread& spread = problem_.spread[rule];
    SpreadCounts counts(problem_, rule);
    counts.counts().add_all(problem_.places);
    for (const auto& [value, ranges] :
         ranges_of(problem_, moves, problem_.item_labels[spread.label],
                   problem_.machine_labels[spread.machine_label])) {
        Tokens items = 0;
        for (const auto& [machine_value, count] : counts.counts().of(value))
            items += count;
        could_break_[spread_begins_[rule] + value] =
            worst_spread(spread, counts.takers(), items, ranges) > broken_by(counts, value);
    }
}

void CountedRules::judge_near(std::size_t rule, std::span<const Move> moves) {
    const Near& near = problem_.near[rule];
    const Label& label = problem_.item_labels[near.label];
    NearCounts counts(problem_, rule);
    counts.counts().add_all(problem_.places);
    const std::map<ValueId, Ranges> moving =
        ranges_of(problem_, moves, label, problem_.machine_labels[near.machine_label]);
    const auto ranges = [&](ValueId value) {
        const auto found = moving.find(value);
        return found == moving.end() ? at_rest(counts.counts().of(value)) : found->second;
    };
    auto& pairs = pairs_of_.emplace_back(label.values.size());
    for (std::size_t pair = 0; pair < near.depends.size(); ++pair) {
        const auto& [service, other] = near.depends[pair];
        pairs[service].push_back(pair);
        if (other != service) pairs[other].push_back(pair);
        could_break_[near_begins_[rule] + pair] =
            worst_near(ranges(service), ranges(other)) > broken_by(counts, pair);
    }
}

void CountedRules::judge_apart(std::size_t rule, std::span<const Move> moves) {
    auto& numbers = apart_numbers_.emplace_back();
    if (problem_.apart[rule].on_the_way) return;
    const std::vector<ValueId>& values = problem_.item_labels[problem_.apart[rule].label].of;
    std::unordered_map<std::uint64_t, Tokens> most;  // first what arrives
    for (const Move& move : moves)
        if (values[move.item] != no_value) ++most[key_of(move.to, values[move.item])];
    for (ItemId item = 0; item < problem_.item_count(); ++item)
        if (const auto at = most.find(key_of(problem_.places[item], values[item]));
            values[item] != no_value && at != most.end())
            ++at->second;
    // In the order of moves, so that numbers are the same everywhere.
    for (const Move& move : moves) {
        const ValueId value = values[move.item];
        if (value == no_value || most[key_of(move.to, value)] < 2) continue;
        if (!numbers.try_emplace(key_of(move.to, value), could_break_.size()).second) continue;
        could_break_.push_back(true);
        apart_places_.push_back({RuleKind::apart, rule, value, move.to});
    }
}

CountedRules::Place CountedRules::place(std::size_t number) const {
    const std::size_t first_apart = could_break_.size() - apart_places_.size();
    if (number >= first_apart) return apart_places_[number - first_apart];
    const auto rule_of = [number](const std::vector<std::size_t>& begins) {
        const auto after = std::upper_bound(begins.begin(), begins.end(), number);
        return static_cast<std::size_t>(std::distance(begins.begin(), after)) - 1;
    };
    if (!near_begins_.empty() && number >= near_begins_.front()) {
        const std::size_t rule = rule_of(near_begins_);
        return {RuleKind::near, rule, number - near_begins_[rule]};
    }
    if (!spread_begins_.empty() && number >= spread_begins_.front()) {
        const std::size_t rule = rule_of(spread_begins_);
        return {RuleKind::spread, rule, number - spread_begins_[rule]};
    }
    return {RuleKind::least_items, 0, number};
}

void CountedRules::append_places(const Move& move, std::vector<std::size_t>& numbers) const {
    const auto append = [&](std::size_t number) {
        if (could_break_[number]) numbers.push_back(number);
    };
    if (!problem_.least_items.empty()) {
        append(move.from);
        append(move.to);
    }
    const auto crosses = [&](std::size_t machine_label) {
        const std::vector<ValueId>& of = problem_.machine_labels[machine_label].of;
        return of[move.from] != of[move.to];
    };
    for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule) {
        const Spread& spread = problem_.spread[rule];
        const ValueId value = problem_.item_labels[spread.label].of[move.item];
        if (value != no_value && crosses(spread.machine_label))
            append(spread_begins_[rule] + value);
    }
    for (std::size_t rule = 0; rule < problem_.near.size(); ++rule) {
        const Near& near = problem_.near[rule];
        const ValueId value = problem_.item_labels[near.label].of[move.item];
        if (value == no_value || !crosses(near.machine_label)) continue;
        for (const std::size_t pair : pairs_of_[rule][value])
            append(near_begins_[rule] + pair);
    }
    for (std::size_t rule = 0; rule < apart_numbers_.size(); ++rule) {
        const ValueId value = problem_.item_labels[problem_.apart[rule].label].of[move.item];
        if (value == no_value || apart_numbers_[rule].empty()) continue;
        for (const MachineId machine : {move.from, move.to})
            if (const auto at = apart_numbers_[rule].find(key_of(machine, value));
                at != apart_numbers_[rule].end())
                append(at->second);
    }
}

}  // namespace equipoise::reassign
