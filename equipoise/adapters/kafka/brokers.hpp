#pragma once
// Brokers and their racks as Kafka's tools print them.

#include <string>
#include <string_view>
#include <vector>

#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::kafka {

/// Whether kafka-broker-api-versions prints such a line: `host:9092 (id: 1 rack: r1) -> (`.
[[nodiscard]] bool is_broker_line(std::string_view line);

/// The brokers that kafka-broker-api-versions printed, with their racks, or kcat -L -J, which knows
/// none, as a table of machines. Throws InputError naming line or place, also for labels that
/// `columns` name and brokers do not have, and as `expect_racks_of_all`. `silent` gets the names of
/// brokers that are fenced or did not answer.
[[nodiscard]] reassign::MachineTable read_brokers(std::string_view text, const std::string& name,
                                                  const reassign::Columns& columns,
                                                  std::vector<std::string>& silent);

/// Adds to `silent` the brokers of the problem that such a table lacks: it has all that answer.
void add_unlisted_brokers(const reassign::MachineTable& table, const reassign::Problem& problem,
                          std::vector<std::string>& silent);

/// Pins brokers that are fenced or did not answer and are not drained: they could not take
/// replicas, and what they hold stays until it is known whether they come back. With a target they
/// do what it says. Notes say which. `file` names the file of brokers.
void pin_silent_brokers(const std::vector<std::string>& silent, const std::string& file,
                        bool has_target, reassign::Problem& problem,
                        std::vector<std::string>& notes);

/// Throws InputError if some brokers of a table have racks and others none, as
/// kafka-reassign-partitions --generate refuses it.
void expect_racks_of_all(const reassign::MachineTable& table);

}  // namespace equipoise::kafka
