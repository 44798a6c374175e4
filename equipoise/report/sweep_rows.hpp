#pragma once
// The rows of a sweep's CSV file.

#include <cstdint>
#include <map>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// What names a run of a sweep.
struct SweepRun {
    std::string network;
    std::string loads;
    std::uint64_t seed = 0;
    std::string algorithm;
    std::map<std::string, std::string> parameters;
};

/// The names of the fields, with the line's end.
[[nodiscard]] std::string sweep_header();
/// The fields that name a run, each with a comma behind it.
[[nodiscard]] std::string sweep_name(const SweepRun& run);
/// The other fields of a run's row, with the line's end.
[[nodiscard]] std::string sweep_figures(const model::Record& record);
/// The same for an algorithm that cannot run on the instance: figures empty, the reason last.
[[nodiscard]] std::string sweep_refusal(const std::string& reason);

}  // namespace equipoise::report
