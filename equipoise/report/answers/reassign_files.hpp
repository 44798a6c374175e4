#pragma once
// The files of a reassignment: its schedule, the way back, and for Kafka what carries it out.

#include <string>

#include "equipoise/adapters/kafka/reassignment.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

/// Throws InputError unless files can be of the form that their names ask for: JSON and scripts are
/// for Kafka's partitions.
void expect_suitable(const ReassignFiles& files, const ReassignInstance& instance);

/// The answer, whose items are Kafka's, in the form in which Kafka carries it out.
[[nodiscard]] kafka::Reassignment kafkas(const ReassignAnswer& answer);

/// Writes the schedule as lines `wave,item,from,to` or, given plan.json, as Kafka's reassignment
/// JSON: plan-0.json, plan-1.json, ..., one file for each wave. Throws InputError, also if there is
/// a file of an earlier, longer plan that would look like the next wave.
void write_schedule(const std::string& path, const ReassignAnswer& answer);

/// The same for the way back, which in Kafka's form also restores the order of replicas.
void write_rollback(const std::string& path, const ReassignAnswer& answer);

/// Writes the moves with those that each waits for and, where rates a second are known, when it
/// begins and ends: lines `wave,item,from,to,move,waits_for,starts,ends`. Throws InputError if what
/// the moves wait for is not known (`PartialOrder::waits_for`).
void write_moves(const std::string& path, const ReassignAnswer& answer);

/// Writes the leaders that change after the last wave as lines `item,from,to`.
void write_leaders(const std::string& path, const ReassignAnswer& answer);

/// Writes a script that carries the plan out with Kafka's tools, and the files beside it
/// (kafka::steps). Throws InputError.
void write_steps(const std::string& path, const ReassignAnswer& answer);

/// Where the schedule or the way back is: "written to plan-0.json to plan-3.json".
[[nodiscard]] std::string written_words(const std::string& path, const ReassignAnswer& answer);

}  // namespace equipoise::report
