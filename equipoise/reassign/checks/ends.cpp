#include "equipoise/reassign/checks/ends.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace equipoise::reassign {

namespace {

/// What one rule is: the fields of a broken rule that say which, zeros elsewhere.
using RuleKey = std::tuple<RuleKind, std::size_t, std::size_t, std::size_t, std::size_t>;

RuleKey key_of(const BrokenRule& broken) {
    switch (broken.kind) {
        case RuleKind::capacity:
        case RuleKind::least_items:
        case RuleKind::drained:
            return {broken.kind, broken.machine, broken.resource, 0, 0};
        case RuleKind::not_allowed:
            return {broken.kind, broken.item, 0, 0, 0};
        case RuleKind::apart:
            return {broken.kind, broken.rule, broken.machine, broken.value, 0};
        case RuleKind::spread:
            return {broken.kind, broken.rule, broken.value, 0, 0};
        case RuleKind::near:
            return {broken.kind, broken.rule, broken.pair, 0, 0};
    }
    return {};
}

std::map<RuleKey, Tokens> added_up(const std::vector<BrokenRule>& broken) {
    std::map<RuleKey, Tokens> sums;
    for (const BrokenRule& each : broken)
        sums[key_of(each)] += each.by;
    return sums;
}

bool has_room(const Problem& problem, std::span<const MachineId> places, const Standing& standing,
              const Standing& before) {
    const std::size_t kinds = problem.resource_count();
    std::vector<Tokens> arriving(standing.used.size(), 0);
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (places[item] != problem.places[item])
            for (std::size_t resource = 0; resource < kinds; ++resource)
                arriving[places[item] * kinds + resource] += problem.amount(item, resource);
    for (std::size_t at = 0; at < arriving.size(); ++at) {
        if (arriving[at] == 0) continue;
        const bool never_leaves = problem.resources[at % kinds].release == Release::after_last;
        if ((never_leaves ? before.used[at] + arriving[at] : standing.used[at]) >
            problem.capacities[at])
            return false;
    }
    return true;
}

bool arrives_apart(const Problem& problem, std::span<const MachineId> places,
                   const std::vector<BrokenRule>& broken) {
    std::set<std::tuple<std::size_t, MachineId, ValueId>> together;
    for (const BrokenRule& each : broken)
        if (each.kind == RuleKind::apart) together.emplace(each.rule, each.machine, each.value);
    if (together.empty()) return true;
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (places[item] == problem.places[item]) continue;
        for (std::size_t rule = 0; rule < problem.apart.size(); ++rule)
            if (together.contains(
                    {rule, places[item], problem.item_labels[problem.apart[rule].label].of[item]}))
                return false;
    }
    return true;
}

}  // namespace

bool is_no_worse(const Standing& now, const Standing& before) {
    const std::map<RuleKey, Tokens> was = added_up(before.broken);
    for (const auto& [key, by] : added_up(now.broken)) {
        const auto at = was.find(key);
        if (at == was.end() || by > at->second) return false;
    }
    return true;
}

bool may_end(const Problem& problem, std::span<const MachineId> places, const Standing& standing,
             const Standing& before) {
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (places[item] != problem.places[item] && !problem.may_be_on(item, places[item]))
            return false;
    return has_room(problem, places, standing, before) &&
           arrives_apart(problem, places, standing.broken) && is_no_worse(standing, before);
}

}  // namespace equipoise::reassign
