#include "equipoise/reassign/checks/words.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/checks/standing.hpp"

namespace equipoise::reassign {

namespace {

std::string value_words(const Label& label, ValueId value) {
    return label.name + " " + std::string(label.values.name(value));
}

/// Items with a value: "t-0" for the thing itself, "group web" for other labels.
std::string of_words(const Problem& problem, std::size_t label, ValueId value) {
    const Label& of_items = problem.item_labels[label];
    return label == 0 ? std::string(of_items.values.name(value)) : value_words(of_items, value);
}

std::string at_most(Tokens limit) {
    return ", at most " + grouped(limit) + " allowed";
}

std::string at_least(Tokens limit) {
    return ", at least " + grouped(limit) + " needed";
}

std::string capacity_words(const Problem& problem, const BrokenRule& broken) {
    const std::string machine = machine_words(problem, broken.machine);
    if (broken.resource == items_resource)
        return machine + " has " + counted(broken.limit + broken.by, "item") +
               at_most(broken.limit);
    const Resource& resource = problem.resources[broken.resource];
    return machine + ": " + resource.name + " is " + amount_text(resource, broken.by) +
           " above its capacity of " + amount_text(resource, broken.limit);
}

std::string not_allowed_words(const Problem& problem, const BrokenRule& broken) {
    const MachineId home = problem.places[broken.item];
    const std::string item =
        problem.item_name(broken.item) + " is on " + machine_words(problem, broken.machine);
    if (home == broken.machine) return item + ", where it is not allowed";
    if (problem.must_stay(broken.item))
        return item + ", but must stay on " + machine_words(problem, home);
    if (problem.pinned[broken.machine]) return item + ", which must not take items";
    return item + ", where it is not allowed";
}

std::string spread_words(const Problem& problem, const BrokenRule& broken) {
    const Spread& rule = problem.spread[broken.rule];
    const Label& places = problem.machine_labels[rule.machine_label];
    if (broken.machine_value == no_value)
        return of_words(problem, rule.label, broken.value) + " is on " +
               counted(broken.limit - broken.by, places.name) + at_least(broken.limit);
    return value_words(places, broken.machine_value) + " has " +
           items_words(problem, rule.label, broken.value, broken.limit + broken.by) +
           at_most(broken.limit);
}

/// By rule and value of items, what holds of the items that are not outside.
class WithoutOutside {
  public:
    explicit WithoutOutside(const Problem& problem)
        : problem_(problem), items_(problem.spread.size()), strays_(problem.near.size()) {}

    /// Whether a rule of spread would hold if items outside did not count.
    [[nodiscard]] bool is_spread(const BrokenRule& broken) {
        std::vector<Tokens>& items = items_[broken.rule];
        if (items.empty()) {
            const Label& label = problem_.item_labels[problem_.spread[broken.rule].label];
            items.assign(label.values.size(), 0);
            for_inside(label, [&](ValueId value, MachineId) { ++items[value]; });
        }
        return broken.limit - broken.by >= std::min(broken.limit, items[broken.value]);
    }

    /// Whether some item of the service is on a machine without a value.
    [[nodiscard]] bool is_astray(const BrokenRule& broken) {
        std::vector<bool>& strays = strays_[broken.rule];
        if (strays.empty()) {
            const Near& rule = problem_.near[broken.rule];
            const Label& label = problem_.item_labels[rule.label];
            strays.assign(label.values.size(), false);
            for_inside(label, [&](ValueId value, MachineId place) {
                if (problem_.machine_labels[rule.machine_label].of[place] == no_value)
                    strays[value] = true;
            });
        }
        return strays[broken.value];
    }

  private:
    template <class Visit>
    void for_inside(const Label& label, const Visit& visit) const {
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (label.of[item] != no_value && problem_.places[item] != problem_.outside)
                visit(label.of[item], problem_.places[item]);
    }

    const Problem& problem_;
    std::vector<std::vector<Tokens>> items_;  ///< by rule of spread; empty: not counted yet
    std::vector<std::vector<bool>> strays_;   ///< by rule of nearness; the same
};

std::string near_words(const Problem& problem, const BrokenRule& broken) {
    const Near& rule = problem.near[broken.rule];
    const Label& zones = problem.machine_labels[rule.machine_label];
    const std::string service = of_words(problem, rule.label, broken.value);
    const std::string other = of_words(problem, rule.label, rule.depends[broken.pair].second);
    if (broken.machine_value == no_value)
        return service + " is on a machine without " + zones.name + ", and must be near " + other;
    return value_words(zones, broken.machine_value) + " has " + service + ", but not " + other +
           ", which it needs there";
}

}  // namespace

std::string exact_amount(const Resource& resource, Int128 amount) {
    return grouped_decimal(exact_text(resource, amount));
}

AmountWords amounts_words(const Resource& resource, Tokens amount, Tokens limit) {
    AmountWords words = {amount_text(resource, amount), amount_text(resource, limit)};
    if (words.amount == words.limit && amount != limit)
        words = {exact_amount(resource, amount), exact_amount(resource, limit)};
    return words;
}

std::string machine_words(const Problem& problem, MachineId machine) {
    if (machine == problem.outside) return "outside";
    return "machine " + problem.machine_name(machine);
}

std::string items_words(const Problem& problem, std::size_t label, ValueId value, Tokens count) {
    const bool is_one = count == 1;
    const char* noun = label == 0 ? (is_one ? "copy" : "copies") : (is_one ? "item" : "items");
    return grouped(count) + " " + noun + " of " + of_words(problem, label, value);
}

const char* to_string(RuleKind kind) {
    switch (kind) {
        case RuleKind::capacity:
            return "capacity";
        case RuleKind::least_items:
            return "least-items";
        case RuleKind::drained:
            return "drain";
        case RuleKind::not_allowed:
            return "allowed";
        case RuleKind::apart:
            return "apart";
        case RuleKind::spread:
            return "spread";
        case RuleKind::near:
            return "near";
    }
    return "";
}

std::string words(const Problem& problem, const BrokenRule& broken) {
    switch (broken.kind) {
        case RuleKind::capacity:
            return capacity_words(problem, broken);
        case RuleKind::least_items:
            return machine_words(problem, broken.machine) + " has " +
                   counted(broken.limit - broken.by, "item") + at_least(broken.limit);
        case RuleKind::drained:
            if (broken.machine == problem.outside)
                return grouped(broken.by) + (broken.by == 1 ? " copy is" : " copies are") +
                       " still to be made";
            return machine_words(problem, broken.machine) + " has " + counted(broken.by, "item") +
                   ", but is to be drained";
        case RuleKind::not_allowed:
            return not_allowed_words(problem, broken);
        case RuleKind::apart:
            return machine_words(problem, broken.machine) + " has " +
                   items_words(problem, problem.apart[broken.rule].label, broken.value,
                               broken.by + 1) +
                   at_most(1);
        case RuleKind::spread:
            return spread_words(problem, broken);
        case RuleKind::near:
            return near_words(problem, broken);
    }
    return {};
}

std::vector<BrokenRule> told_once(const Problem& problem, const std::vector<BrokenRule>& broken) {
    std::set<std::pair<std::size_t, ValueId>> crowded;
    for (const BrokenRule& each : broken)
        if (each.kind == RuleKind::spread && each.machine_value != no_value)
            crowded.emplace(each.rule, each.value);
    std::vector<BrokenRule> told;
    std::copy_if(broken.begin(), broken.end(), std::back_inserter(told),
                 [&](const BrokenRule& each) {
                     if (each.kind == RuleKind::apart && each.machine == problem.outside)
                         return false;
                     return each.kind != RuleKind::spread || each.machine_value != no_value ||
                            !crowded.contains({each.rule, each.value});
                 });
    return told;
}

std::vector<BrokenRule> told_before(const Problem& problem, const std::vector<BrokenRule>& broken) {
    std::vector<BrokenRule> told = told_once(problem, broken);
    if (problem.outside == no_machine) return told;
    WithoutOutside inside(problem);
    std::erase_if(told, [&](const BrokenRule& each) {
        if (each.machine == problem.outside) return true;
        if (each.machine_value != no_value) return false;
        return (each.kind == RuleKind::spread && inside.is_spread(each)) ||
               (each.kind == RuleKind::near && !inside.is_astray(each));
    });
    return told;
}

}  // namespace equipoise::reassign
