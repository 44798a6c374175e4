#pragma once
// Kafka's own rule of racks as a rule of a problem.

#include <string>
#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::kafka {

/// Adds the rule by which Kafka assigns replicas to brokers with racks: those of a partition are on
/// every rack or, if they are fewer, each on another one. Racks are those of brokers that may take
/// replicas. Nothing is added if no broker has a rack, if there are fewer than two racks, or if a
/// rule speaks of racks already. A note says what was added. Throws InputError naming `machines`,
/// the file of brokers, if some have racks and one that is not drained has none.
void add_rack_rule(reassign::Problem& problem, const std::string& machines,
                   std::vector<std::string>& notes);

/// Where a target says where everything ends, the rule could make that unreachable: nothing is
/// added, and a note says so where it would have been.
void note_target_without_rack_rule(const reassign::Problem& problem,
                                   std::vector<std::string>& notes);

}  // namespace equipoise::kafka
