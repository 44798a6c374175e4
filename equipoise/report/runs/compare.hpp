#pragma once
// Runs on one instance side by side.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/runs/best_possible.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::report {

/// Heading, table, notes on models and guarantees, and which run was best in what. With an optimum,
/// also the ratios of a run's steps and exchanges to the fewest possible, if they are comparable.
/// With speeds the distance from shares replaces discrepancies, which would be meaningless. A brief
/// table holds results, steps and exchanges, and no sources.
[[nodiscard]] std::string compare_text(std::span<const model::Record> records,
                                       const TextStyle& style = {},
                                       const Optimum* optimum = nullptr);

/// The same figures as CSV with a header line; with an optimum two more columns hold its steps and
/// exchanges, for runs that are comparable with it; with speeds, two more hold the distance from
/// shares and the largest minus the smallest load per unit of speed.
[[nodiscard]] std::string compare_csv(std::span<const model::Record> records,
                                      bool with_optimum = false);

/// One line about a run that has ended: "threshold-2: discrepancy 7, 989 steps, 3,841 exchanges,
/// 0.3 ms".
[[nodiscard]] std::string outcome_line(const model::Record& record);

/// Which run was best in what, in one line: the least discrepancy (with speeds the least distance
/// from shares) and, among the runs that have it, the fewest steps in each model and the fewest
/// exchanges. Only runs that reached their end count; runs that move fractions of tokens do not
/// count if others move whole ones. Nothing for fewer than two runs.
[[nodiscard]] std::string best_line(std::span<const model::Record> records);

/// The keys of `sort_by`: "discrepancy", "local-imbalance", "steps", "rounds", "exchanges",
/// "messages", "time", "name".
[[nodiscard]] const std::vector<std::string>& sort_keys();

/// Sorts by one of `sort_keys`, smallest first; equal ones keep their order. With speeds
/// "discrepancy" is the distance from shares. Throws InputError for another key.
void sort_by(std::string_view key, std::vector<model::Record>& records);

}  // namespace equipoise::report
