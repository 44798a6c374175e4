#pragma once
// What a record says about a run.

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::catalogue {

/// What was to be played, on which network, and what was to end it.
void describe_task(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                   const DefaultStop& stop, model::Record& record);

/// What came of it, and what theory promised. The record describes the task already.
void describe_end(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                  const DefaultStop& stop, engine::RoundOutcome played, model::Record& record);

}  // namespace equipoise::catalogue
