#include "equipoise/reassign/checks/givers.hpp"

#include <cstddef>
#include <utility>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"

namespace equipoise::reassign {

namespace {

/// Makes the machines give that could mend a broken rule by giving.
void add_menders(const Problem& problem, const BrokenRule& broken, const Standing& standing,
                 std::vector<bool>& gives) {
    const auto on_machines = [&](const Label& of_items, ValueId value, const Label& of_machines,
                                 ValueId machine_value) {
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (of_items.of[item] == value &&
                (machine_value == no_value ||
                 of_machines.of[problem.places[item]] == machine_value))
                gives[problem.places[item]] = true;
    };
    switch (broken.kind) {
        case RuleKind::least_items:
            for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
                if (standing.used[machine * problem.resource_count() + items_resource] >
                    problem.least_items_of(machine))
                    gives[machine] = true;
            return;
        case RuleKind::spread: {
            const Spread& rule = problem.spread[broken.rule];
            on_machines(problem.item_labels[rule.label], broken.value,
                        problem.machine_labels[rule.machine_label], broken.machine_value);
            return;
        }
        case RuleKind::near: {
            const Near& rule = problem.near[broken.rule];
            const Label& of_items = problem.item_labels[rule.label];
            const Label& of_machines = problem.machine_labels[rule.machine_label];
            on_machines(of_items, broken.value, of_machines, broken.machine_value);
            on_machines(of_items, rule.depends[broken.pair].second, of_machines, no_value);
            return;
        }
        case RuleKind::capacity:
        case RuleKind::drained:
        case RuleKind::not_allowed:
        case RuleKind::apart:
            gives[broken.machine] = true;
            return;
    }
}

}  // namespace

std::vector<bool> givers(const Problem& problem) {
    if (problem.only_if_above == 0) return std::vector<bool>(problem.machine_count(), true);
    constexpr Int128 million = 1'000'000;
    const std::size_t kinds = problem.resource_count();
    const Standing standing = stand(problem, problem.places);
    std::vector<bool> gives(problem.machine_count(), false);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        for (std::size_t resource = 0; resource < kinds; ++resource)
            if (standing.used[machine * kinds + resource] > problem.threshold(machine, resource))
                gives[machine] = true;
    for (const LevelAim& aim : problem.level) {
        const Problem::Shares shares = problem.shares(aim.resource);
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
            const Int128 used =
                Int128{standing.used[machine * kinds + aim.resource]} * shares.denominator;
            if (checked_multiply(used, million) >
                checked_multiply(shares.numerators[machine], Int128{problem.only_if_above}))
                gives[machine] = true;
        }
    }
    for (const BrokenRule& broken : standing.broken)
        add_menders(problem, broken, standing, gives);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (problem.pinned[machine]) gives[machine] = false;
    return gives;
}

Problem with_givers_only(Problem problem) {
    if (problem.only_if_above == 0) return problem;
    const std::vector<bool> gives = givers(problem);
    if (problem.stays.empty()) problem.stays.assign(problem.item_count(), false);
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (!gives[problem.places[item]]) problem.stays[item] = true;
    problem.only_if_above = 0;
    return problem;
}

}  // namespace equipoise::reassign
