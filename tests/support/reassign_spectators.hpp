#pragma once
// Problems made larger by items that have nothing to do with them, so that searches of everything
// do not begin.

#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// The problem with so many items more, which need no resource, on one more machine, which neither
/// gives nor takes. What can be reached, and at which cost, stays the same.
inline reassign::Problem with_spectators(reassign::Problem problem, reassign::ItemId count) {
    const auto stand = static_cast<reassign::MachineId>(problem.machines.number_of("stand"));
    const std::size_t kinds = problem.resource_count();
    problem.capacities.insert(problem.capacities.end(), kinds, tokens_max);
    problem.thresholds.insert(problem.thresholds.end(), kinds, tokens_max);
    problem.drained.push_back(false);
    problem.pinned.push_back(true);
    problem.speeds.push_back(1);
    if (!problem.least_items.empty()) problem.least_items.push_back(0);
    for (auto* rates : {&problem.gives, &problem.takes})
        if (!rates->empty()) rates->push_back(tokens_max);
    for (reassign::Label& label : problem.machine_labels)
        label.of.push_back(reassign::no_value);
    for (std::vector<bool>& set : problem.sets)
        set.push_back(false);
    for (reassign::ItemId number = 0; number < count; ++number) {
        const std::string name = "spectator" + std::to_string(number);
        problem.thing.push_back(problem.things.number_of(name));
        problem.places.push_back(stand);
        problem.amounts.push_back(1);
        problem.amounts.insert(problem.amounts.end(), kinds - 1, 0);
        if (!problem.leads.empty()) problem.leads.push_back(false);
        if (!problem.stays.empty()) problem.stays.push_back(true);
        if (!problem.allowed_set.empty()) problem.allowed_set.push_back(reassign::any_machine);
        if (!problem.objective.move_costs.empty()) problem.objective.move_costs.push_back(0);
        for (std::size_t label = 0; label < problem.item_labels.size(); ++label)
            problem.item_labels[label].of.push_back(
                label == 0 ? problem.item_labels[0].values.number_of(name) : reassign::no_value);
    }
    return problem;
}

}  // namespace equipoise::test
