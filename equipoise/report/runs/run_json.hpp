#pragma once
// Runs as JSON objects for scripts: a few figures, whereas a record holds everything.

#include <span>
#include <string>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/runs/best_possible.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::report {

/// One run: algorithm, network, tokens, seed, discrepancies, costs, guarantee (a key is absent if
/// nothing is promised), reached, stopped_because, seconds; with `with_loads` also the final loads
/// by node name (by number if names repeat); and the cost of a reordering, if one is given. Ends
/// with a newline.
[[nodiscard]] std::string run_json(const model::Record& record, bool with_loads = false,
                                   const Reordering* reordering = nullptr);

/// Several runs on one network: network, tokens, optimum if one is given, results. Ends with a
/// newline.
[[nodiscard]] std::string compare_json(std::span<const model::Record> records,
                                       bool with_loads = false, const Optimum* optimum = nullptr);

}  // namespace equipoise::report
