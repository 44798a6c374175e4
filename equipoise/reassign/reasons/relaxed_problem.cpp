#include "equipoise/reassign/reasons/relaxed_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "equipoise/reassign/checks/givers.hpp"

namespace equipoise::reassign {

namespace {

class Relaxer {
  public:
    Relaxer(Problem rules, std::span<const BrokenRule> broken, std::span<const MachineId> places)
        : problem_(std::move(rules)), broken_(broken), places_(places) {}

    Problem relax() {
        for (const BrokenRule& broken : broken_)
            relax(broken);
        relax_spread();
        relax_near();
        relax_places();
        return std::move(problem_);
    }

  private:
    void relax(const BrokenRule& broken) {
        switch (broken.kind) {
            case RuleKind::capacity:
                problem_.capacities[broken.machine * problem_.resource_count() + broken.resource] =
                    broken.limit + broken.by;
                return;
            case RuleKind::least_items:
                problem_.least_items[broken.machine] = broken.limit - broken.by;
                return;
            case RuleKind::apart:
                relax_apart(broken);
                return;
            case RuleKind::drained:
            case RuleKind::not_allowed:
            case RuleKind::spread:
            case RuleKind::near:
                return;
        }
    }

    /// Items that stay on drained machines, or where they must not be. A machine that is not
    /// drained any more takes no others.
    void relax_places() {
        std::vector<bool> opened(problem_.machine_count(), false);
        std::vector<bool> may_stay(problem_.item_count(), false);
        bool any = false;
        for (const BrokenRule& broken : broken_) {
            if (broken.kind == RuleKind::drained) opened[broken.machine] = any = true;
            if (broken.kind == RuleKind::not_allowed) may_stay[broken.item] = any = true;
        }
        if (!any) return;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (opened[places_[item]]) may_stay[item] = true;
        if (problem_.allowed_set.empty())
            problem_.allowed_set.assign(problem_.item_count(), any_machine);
        std::map<std::pair<std::uint32_t, MachineId>, std::uint32_t> sets;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const MachineId stays = may_stay[item] ? problem_.places[item] : no_machine;
            const auto [at, is_new] =
                sets.try_emplace({problem_.allowed_set[item], stays}, problem_.sets.size());
            if (is_new) {
                std::vector<bool> set = problem_.allowed_set[item] == any_machine
                                            ? std::vector<bool>(problem_.machine_count(), true)
                                            : problem_.sets[problem_.allowed_set[item]];
                for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                    if (opened[machine]) set[machine] = false;
                if (stays != no_machine) set[stays] = true;
                problem_.sets.push_back(std::move(set));
            }
            problem_.allowed_set[item] = at->second;
        }
        for (std::size_t rule = 0, rules = problem_.spread.size(); rule < rules; ++rule)
            if (problem_.spread[rule].least == 0) keep_values(rule, opened);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (opened[machine]) problem_.drained[machine] = false;
    }

    /// Machines that are not drained any more are no values over which items must be spread. Items
    /// of values that stay there need as many values as before, but need not be even.
    void keep_values(std::size_t rule, const std::vector<bool>& opened) {
        const Spread spread = problem_.spread[rule];
        const std::vector<ValueId> racks = problem_.machine_labels[spread.machine_label].of;
        std::vector<bool> takes(problem_.machine_labels[spread.machine_label].values.size(), false);
        bool is_same = true;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (racks[machine] != no_value && problem_.may_take(machine))
                takes[racks[machine]] = true;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (opened[machine] && racks[machine] != no_value && !takes[racks[machine]])
                is_same = false;
        if (is_same) return;
        std::vector<bool> stays(problem_.item_labels[spread.label].values.size(), false);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (opened[places_[item]] && problem_.item_labels[spread.label].of[item] != no_value)
                stays[problem_.item_labels[spread.label].of[item]] = true;
        const auto values =
            static_cast<std::uint32_t>(std::count(takes.begin(), takes.end(), true));
        const std::size_t staying = own_label(spread.label);
        const std::size_t others = own_label(spread.label);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const ValueId value = problem_.item_labels[spread.label].of[item];
            if (value != no_value)
                problem_.item_labels[stays[value] ? others : staying].of[item] = no_value;
        }
        if (values > 0) problem_.spread.push_back({staying, spread.machine_label, values});
        problem_.machine_labels.push_back(
            problem_.machine_labels[problem_.spread[rule].machine_label]);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (opened[machine]) problem_.machine_labels.back().of[machine] = no_value;
        problem_.spread[rule].label = others;
        problem_.spread[rule].machine_label = problem_.machine_labels.size() - 1;
    }

    /// A label of its own for a rule, in which some items have no value.
    std::size_t own_label(std::size_t label) {
        problem_.item_labels.push_back(problem_.item_labels[label]);
        return problem_.item_labels.size() - 1;
    }

    /// All but one of the items that are together need not be apart from others.
    void relax_apart(const BrokenRule& broken) {
        Apart& rule = problem_.apart[broken.rule];
        rule.label = own_label(rule.label);
        std::vector<ValueId>& of = problem_.item_labels[rule.label].of;
        bool is_first = true;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (places_[item] != broken.machine || of[item] != broken.value) continue;
            if (!is_first) of[item] = no_value;
            is_first = false;
        }
    }

    /// Items of the values get rules of their own, with fewer values needed, and need not be even.
    void relax_spread() {
        std::map<std::pair<std::size_t, ValueId>, Tokens> needed;
        for (const BrokenRule& broken : broken_) {
            if (broken.kind != RuleKind::spread) continue;
            const auto [at, is_new] =
                needed.try_emplace({broken.rule, broken.value}, values_of(broken));
            if (broken.machine_value == no_value) at->second = broken.limit - broken.by;
        }
        for (const auto& [key, values] : needed) {
            const auto& [rule, value] = key;
            const std::size_t before = problem_.spread[rule].label;
            const std::size_t others = own_label(before);
            const std::size_t alone = own_label(before);
            for (ItemId item = 0; item < problem_.item_count(); ++item) {
                std::vector<ValueId>& of = problem_.item_labels[others].of;
                (of[item] == value ? of : problem_.item_labels[alone].of)[item] = no_value;
            }
            problem_.spread[rule].label = others;
            if (values > 0)
                problem_.spread.push_back({alone, problem_.spread[rule].machine_label,
                                           static_cast<std::uint32_t>(values)});
        }
    }

    /// On how many values of machines the items are now.
    [[nodiscard]] Tokens values_of(const BrokenRule& broken) const {
        const Spread& rule = problem_.spread[broken.rule];
        const std::vector<ValueId>& racks = problem_.machine_labels[rule.machine_label].of;
        std::vector<ValueId> found;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (problem_.item_labels[rule.label].of[item] == broken.value &&
                racks[places_[item]] != no_value)
                found.push_back(racks[places_[item]]);
        std::sort(found.begin(), found.end());
        return std::unique(found.begin(), found.end()) - found.begin();
    }

    /// Items of services that are not near what they need are free of that pair.
    void relax_near() {
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> labels;
        for (const BrokenRule& broken : broken_) {
            if (broken.kind != RuleKind::near) continue;
            const Near& rule = problem_.near[broken.rule];
            const auto [at, is_new] = labels.try_emplace({broken.rule, broken.pair}, rule.label);
            if (is_new) at->second = own_label(rule.label);
            const std::vector<ValueId>& zones = problem_.machine_labels[rule.machine_label].of;
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                if (problem_.item_labels[rule.label].of[item] == broken.value &&
                    zones[places_[item]] == broken.machine_value)
                    problem_.item_labels[at->second].of[item] = no_value;
        }
        // Later pairs first, so that the numbers of the others stay.
        for (auto at = labels.rbegin(); at != labels.rend(); ++at) {
            const auto [number, pair] = at->first;
            Near own{at->second,
                     problem_.near[number].machine_label,
                     {problem_.near[number].depends[pair]}};
            std::vector<std::pair<ValueId, ValueId>>& depends = problem_.near[number].depends;
            depends.erase(depends.begin() + static_cast<std::ptrdiff_t>(pair));
            problem_.near.push_back(std::move(own));
        }
    }

    Problem problem_;
    std::span<const BrokenRule> broken_;
    std::span<const MachineId> places_;
};

}  // namespace

Problem rules_only(const Problem& problem) {
    Problem rules = with_givers_only(problem);
    rules.level.clear();
    rules.thresholds.assign(rules.thresholds.size(), tokens_max);
    rules.objective = {};
    rules.fewest = items_resource;
    return rules;
}

Problem relaxed(Problem rules, std::span<const BrokenRule> broken,
                std::span<const MachineId> places) {
    return Relaxer(std::move(rules), broken, places).relax();
}

}  // namespace equipoise::reassign
