#pragma once
// Running a scenario: a grid of runs on all cores into one CSV file, which can be resumed after a
// kill.

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/catalogue/studies/scenario.hpp"

namespace equipoise::catalogue {

struct SweepOptions {
    std::string csv;  ///< the file to write (`csv_of`, unless the caller says otherwise)
    int threads = 1;  ///< runs at the same time; 0: as many as the machine has
    std::stop_token interrupt;
    /// Called after every run with the number of rows so far and in all; by one thread at a time.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
    /// Called on every thread that plays, with what it plays; for rules that need threads to be
    /// prepared.
    std::function<void(const std::function<void()>& play)> on_thread;
    /// Called with the name of the row in which a given rule threw something else than an
    /// InputError, before that exception ends the sweep; by several threads at the same time.
    std::function<void(const std::string& row, const std::exception_ptr& thrown)> failed;
};

struct SweepOutcome {
    std::uint64_t rows = 0;       ///< rows of the whole grid
    std::uint64_t resumed = 0;    ///< of these, found from an earlier start
    std::uint64_t ran = 0;        ///< of these, run now
    std::uint64_t dropped = 0;    ///< rows of an earlier start that do not belong to this grid
    bool complete = false;        ///< whether the CSV file is written
    std::uint64_t cut_short = 0;  ///< rows of runs that were stopped before their end
    std::vector<std::string> empty_columns;  ///< columns without a value in any row that was played
    /// For each file that was read as a network: remarks on how it was read.
    std::map<std::string, std::string> readings;
};

/// The file for a scenario's rows: its name with .csv, in the working folder.
[[nodiscard]] std::string csv_of(const std::string& scenario_path);

/// The columns that the CSV file has in any case. Throws InputError as `sweep` does before it plays
/// anything.
[[nodiscard]] std::vector<std::string> csv_columns(const Scenario& scenario);

/// Runs the rows that are missing. Every finished run becomes a line of `CSV.partial` at once; when
/// all are there, they are written to the CSV file in the order of the grid (networks, sizes,
/// loads, seeds, algorithms) and the partial file is removed. After a kill or Ctrl-C a second start
/// keeps those rows of the partial file that it would write again unchanged: those of the same
/// program version, `max_steps`, treatment of networks and contents of files. Rows of given rules,
/// which the column `given_rule` tells apart, are among them only if `Given::version` says so.
/// Except for their seconds, rows do not depend on threads. An algorithm that cannot run on an
/// instance, or whose counts would leave their range, has a row that says why. If runs were cut
/// short and the columns of the scenario do not tell which, `cut_short_because` does, before the
/// last column. Throws InputError, with the run's name, when a spec or file or what a given rule
/// returns is wrong, and when the CSV file cannot be written; and what given rules throw.
[[nodiscard]] SweepOutcome sweep(const Scenario& scenario, const SweepOptions& options);

}  // namespace equipoise::catalogue
