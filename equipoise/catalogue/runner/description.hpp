#pragma once
// The parts of a record that describe the run.

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/playing.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::catalogue {

/// Describes what was to be played, on which network, and what was to end it.
void describe_task(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                   const DefaultStop& stop, model::Record& record);

/// Describes the outcome, and what theory promised. The record must describe the task already.
void describe_end(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                  const DefaultStop& stop, engine::RoundOutcome played, const FinalFigures& figures,
                  model::Record& record);

}  // namespace equipoise::catalogue
