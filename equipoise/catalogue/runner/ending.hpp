#pragma once
// What ends a run, and what that end means.

#include <optional>
#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::catalogue {

/// The stop rule that was asked for, in units of the task's loads.
[[nodiscard]] std::optional<model::StopRule> asked_stop(const Task& task,
                                                        const RunOptions& options);

/// What ends a run with these options: the rule asked for, or the algorithm's default.
[[nodiscard]] DefaultStop planned_stop(const Algorithm& algorithm, const Task& task,
                                       const RunOptions& options);

/// A stop rule that was asked for, combined with the algorithm's own signs that waiting for it is
/// in vain: nothing moves, tokens only swap places, or the run has taken many times the steps that
/// the algorithm needs.
[[nodiscard]] DefaultStop with_own_ends(const model::StopRule& asked, const DefaultStop& own);

/// How a run ended.
struct Ending {
    model::StopReason reason = model::StopReason::steps_max;
    Tokens discrepancy = 0;
    Tokens local_imbalance = 0;
    bool equal_speeds = true;
};

/// Whether a run with the stop rule `stop` reached the end that was asked for or, if none was, the
/// algorithm's goal. A cap or an interrupt does not count, nor does an end of the algorithm's own
/// short of its goal.
[[nodiscard]] bool reached_end(const Algorithm& algorithm,
                               const std::optional<model::StopRule>& asked, const DefaultStop& stop,
                               const Ending& ending);

/// The reason under the name that records use.
[[nodiscard]] std::string reason_of(model::StopReason reason, const DefaultStop& stop);

}  // namespace equipoise::catalogue
