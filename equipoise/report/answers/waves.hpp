#pragma once
// Plans in waves in words, as CSV, as JSON and as Kafka's files.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/planner.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::report {

/// The instance for which a plan is made or judged.
struct ItemsInstance {
    std::string origin;  ///< the file of items
    load::Items items;
    optimum::ItemsProblem problem;    ///< after the moves that are done
    std::string target;               ///< as it was asked for
    std::optional<double> tolerance;  ///< where final loads have one
    std::vector<NodeId> drained;
    std::uint64_t resumed = 0;       ///< moves that are done
    std::string resumed_waves;       ///< the files of Kafka's waves that are done
    load::EndsByThing proposal;      ///< the order in which replicas are to end; empty: any
    kafka::LogDirs log_dirs;         ///< of Kafka's replicas, after the moves that are done
    std::vector<std::string> notes;  ///< on what was read, for people
};

/// A plan, and the instance that it is for.
struct PlannedItems {
    ItemsInstance instance;
    optimum::WavesPlan plan;
    std::optional<kafka::PartitionWaves> partitions;  ///< of Kafka's, if a plan was found
};

/// The plan's figures, one line each; with `explain` also why no plan has fewer waves. `schedule`:
/// the file that holds the schedule; empty: none. Ends with a newline.
[[nodiscard]] std::string waves_text(const PlannedItems& made, const std::string& schedule,
                                     bool explain);

/// Why no plan has fewer waves, in words. Ends with a newline.
[[nodiscard]] std::string explain_waves(const PlannedItems& made);

/// The plan for scripts (schemas/equipoise-plan-items.json). Ends with a newline.
[[nodiscard]] std::string waves_json(const PlannedItems& made);

/// Writes the schedule. Given moves.json, it writes Kafka's reassignment JSON, one file for each
/// wave: moves-0.json, moves-1.json, ..., each with the partitions that change in it. Any other
/// file gets lines `wave,item,from,to` (`wave,from,to` if items have no names), one for each move.
/// Throws InputError if there is no plan; for JSON also if the plan is not for Kafka's partitions,
/// or if there is a file of an earlier, longer plan that would look like the next wave.
void write_waves(const std::string& path, const PlannedItems& made);

/// What texts say about a judged schedule besides its verdict.
struct JudgedWords {
    std::string file;                      ///< the schedule, as asked for
    std::string files;                     ///< where it was found: the file, or those of its waves
    std::string fault;                     ///< names file and line; empty: the schedule is valid
    std::optional<std::uint64_t> leaders;  ///< of Kafka's partitions: how many change
    bool order_open = false;               ///< whether an order was asked for that it does not give
};

/// The effect of a judged schedule, or the first thing that is wrong with it. Ends with a newline.
[[nodiscard]] std::string judged_text(const JudgedWords& words,
                                      const optimum::WaveVerdict& verdict);

/// The same for scripts (schemas/equipoise-plan-check.json). Ends with a newline.
[[nodiscard]] std::string judged_json(const JudgedWords& words,
                                      const optimum::WaveVerdict& verdict);

/// The same for a schedule of tokens over links.
[[nodiscard]] std::string judged_text(const std::string& file,
                                      const optimum::ScheduleVerdict& verdict,
                                      const std::string& fault);
[[nodiscard]] std::string judged_json(const std::string& file,
                                      const optimum::ScheduleVerdict& verdict,
                                      const std::string& fault);

}  // namespace equipoise::report
