#pragma once
// What it costs to move an item.

#include <cstddef>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// What the objective asks for an item by itself that goes from one machine to another: 0 if they
/// are the same.
[[nodiscard]] inline Int128 move_cost(const Problem& problem, ItemId item, MachineId from,
                                      MachineId to) {
    if (from == to) return 0;
    const Objective& objective = problem.objective;
    Int128 cost = objective.move_costs.empty() ? 0 : objective.move_costs[item];
    if (!objective.pair_costs.empty())
        cost += Int128{objective.pair_weight} *
                objective.pair_costs[std::size_t{from} * problem.machine_count() + to];
    return cost;
}

}  // namespace equipoise::reassign
