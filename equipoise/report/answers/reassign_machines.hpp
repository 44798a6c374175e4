#pragma once
// What the machines of a plan hold before, on the way and after, as figures of tables.

#include <cstddef>
#include <string>
#include <vector>

#include "equipoise/reassign/problem.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

/// Whether any machine has a capacity (or a threshold) of the resource.
[[nodiscard]] bool has_capacities(const reassign::Problem& problem, std::size_t resource);
[[nodiscard]] bool has_thresholds(const reassign::Problem& problem, std::size_t resource);

/// All machines, those of a group together; groups and names in the order in which people count:
/// broker-2 before broker-10. Machines without a value of the label come last.
[[nodiscard]] std::vector<reassign::MachineId> machines_in_order(const reassign::Problem& problem);

/// The machines of a table, in the same order: all of them or, if they are more than `most`, those
/// that stand out: above a limit, drained, fullest, emptiest or changed most.
[[nodiscard]] std::vector<reassign::MachineId> machines_shown(const ReassignAnswer& answer,
                                                              std::size_t most);

/// The tables of machines, one for each resource; ends with a newline.
[[nodiscard]] std::string machine_tables(const ReassignAnswer& answer, bool plain,
                                         std::size_t most);

}  // namespace equipoise::report
