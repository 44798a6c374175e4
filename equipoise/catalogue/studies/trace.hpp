#pragma once
// What a balancer would have made of a trace of vt.

#include <functional>
#include <string>
#include <vector>

#include "equipoise/report/answers/load_trace.hpp"
#include "equipoise/trace/trace.hpp"

namespace equipoise::catalogue {

/// The words of `TraceRequest::policy` and `times`.
[[nodiscard]] const std::vector<std::string>& trace_policies();
[[nodiscard]] const std::vector<std::string>& trace_times();

/// The options, named as on the command line, where --help describes them.
struct TraceRequest {
    std::vector<std::string> paths;
    std::string policy = "weighted";
    double tolerance = 0;
    std::string times;                 ///< own or previous; empty: own, and previous with `advise`
    bool advise = false;               ///< balance only after the phases where it is worth it
    double cost = 0;                   ///< seconds that a balance takes, for `advise`
    std::string output;                ///< the folder to write; empty: none
    std::function<void()> check = {};  ///< called often; may throw to end the work

    /// Throws InputError unless the words are known and the tolerance is a number, 0 or more.
    void verify() const;
};

/// A trace and where its tasks would have run.
struct LevelledTrace {
    report::LoadTrace levels;
    trace::Placement placement;
};

/// Levels every phase of a trace, from where the tasks are in the phase before: those of the first
/// phase, and new ones, are where they ran. Moves that were recorded are made by the plan alone.
/// What may not migrate stays. Every phase is planned from its own times, or, as a balancer must at
/// run time, from those of the phase before; with `advise` only when placement::Advisor, told the
/// loads of every phase, calls it worth it. Deterministic. Throws InputError
/// if a sum of times or bytes is not finite.
[[nodiscard]] LevelledTrace level_trace(const trace::Trace& trace, const TraceRequest& request);

/// Reads a trace, levels it and writes it if asked. Throws InputError as readers and writers do.
[[nodiscard]] report::LoadTrace study_trace(const TraceRequest& request);

}  // namespace equipoise::catalogue
