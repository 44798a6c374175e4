#pragma once
// What a balancer would have made of the run that a trace of vt recorded.

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
    double cost = 0;                   ///< seconds of a balance, for `advise`
    std::string output;                ///< the folder to write; empty: none
    std::function<void()> check = {};  ///< called often; may throw to end the work

    /// Throws InputError unless the words are known and the tolerance is a number, 0 or more.
    void verify() const;
};

/// A trace, and the ranks on which its tasks would have run.
struct LevelledTrace {
    report::LoadTrace levels;
    trace::Placement placement;
};

/// Levels every phase of a trace. Tasks start where the plan left them in the phase before; those
/// of the first phase, and new ones, start where they ran. Recorded moves are ignored: only the
/// plan moves tasks. Tasks that may not migrate stay. Every phase is planned from its own times or,
/// as a balancer must do at run time, from those of the phase before; with `advise` only if
/// placement::Advisor, which learns the loads of every phase, finds it worthwhile. Deterministic.
/// Throws InputError if a sum of times or bytes is not finite.
[[nodiscard]] LevelledTrace level_trace(const trace::Trace& trace, const TraceRequest& request);

/// Reads a trace, levels it and writes it if asked. Throws InputError as readers and writers do.
[[nodiscard]] report::LoadTrace study_trace(const TraceRequest& request);

}  // namespace equipoise::catalogue
