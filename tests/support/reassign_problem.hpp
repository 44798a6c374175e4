#pragma once
// Problems of items on machines, written down briefly.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// Machines "a", "b", ... (at most 26); item i, named "i0", "i1", ..., is on `places[i]` and has
/// `bytes[i]` of the resource "bytes", the second one. No rules but that copies are apart, no aims.
inline reassign::Problem reassign_problem(const std::vector<reassign::MachineId>& places,
                                          const std::vector<Tokens>& bytes,
                                          reassign::MachineId machines) {
    reassign::Problem problem;
    problem.resources = {{"items"}, {"bytes"}};
    for (reassign::MachineId machine = 0; machine < machines; ++machine)
        problem.machines.number_of(std::string(1, static_cast<char>('a' + machine)));
    problem.places = places;
    problem.item_labels.push_back({"item", {}, {}});
    for (std::size_t item = 0; item < places.size(); ++item) {
        const std::string name = "i" + std::to_string(item);
        problem.thing.push_back(problem.things.number_of(name));
        problem.item_labels[0].of.push_back(problem.item_labels[0].values.number_of(name));
        problem.amounts.push_back(1);
        problem.amounts.push_back(bytes[item]);
    }
    problem.capacities.assign(std::size_t{machines} * 2, tokens_max);
    problem.thresholds = problem.capacities;
    problem.drained.assign(machines, false);
    problem.pinned.assign(machines, false);
    problem.speeds.assign(machines, 1);
    problem.apart.push_back({0});
    return problem;
}

/// Adds a copy of every thing, one on each of these places, which need as much as the items.
inline void add_copies(reassign::Problem& problem, const std::vector<reassign::MachineId>& places) {
    for (std::uint32_t thing = 0; thing < places.size(); ++thing) {
        problem.thing.push_back(thing);
        problem.item_labels[0].of.push_back(thing);
        problem.places.push_back(places[thing]);
        problem.amounts.push_back(1);
        problem.amounts.push_back(problem.amount(thing, 1));
    }
}

}  // namespace equipoise::test
