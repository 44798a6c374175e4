#pragma once
// The rows of a sweep's CSV file.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/tables/json_path.hpp"

namespace equipoise::report {

/// The fields that name a row of a sweep.
struct SweepRun {
    std::string network;  ///< without networks: the file of items
    std::string loads;
    std::uint64_t seed = 0;
    std::string algorithm;
    std::map<std::string, std::string> parameters;
    std::vector<std::string> settings = {};  ///< values and options, as `SweepShape` names them
    bool given_rule = false;                 ///< whether the caller gave the algorithm
};

/// Which fields the rows of a sweep have.
struct SweepShape {
    bool networks = true;               ///< whether they name a network and loads, or items
    bool algorithms = true;             ///< whether rows name an algorithm and its parameters
    bool given_rules = false;           ///< whether rows say who gave their algorithm
    std::vector<std::string> settings;  ///< names of values and options
    std::vector<JsonPath> columns;      ///< empty: the usual figures of a run
    /// Whether the field before the last one says why a run was cut short.
    bool tells_cut_short = false;
};

/// The names of the fields.
[[nodiscard]] std::vector<std::string> sweep_fields(const SweepShape& shape);
/// The names of the fields as a line.
[[nodiscard]] std::string sweep_header(const SweepShape& shape = {});
/// The fields that name a run, each followed by a comma.
[[nodiscard]] std::string sweep_name(const SweepRun& run, const SweepShape& shape = {});
/// The other fields of a run's row, with the end of the line.
[[nodiscard]] std::string sweep_figures(const model::Record& record);
/// The same, from the object that a verb prints with --json; `cut_short_because` is empty unless a
/// run was cut short.
[[nodiscard]] std::string sweep_columns(const std::string& json, const SweepShape& shape,
                                        std::string_view cut_short_because = "");
/// The same for a row that cannot be played on the instance: the figures are empty, the reason
/// comes last.
[[nodiscard]] std::string sweep_refusal(const std::string& reason, const SweepShape& shape = {});

}  // namespace equipoise::report
