#pragma once
// The gains and costs of levelling a trace of vt, in words and as JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/advisor.hpp"
#include "equipoise/trace/trace.hpp"

namespace equipoise::report {

/// One phase of a trace. Loads are the seconds that a rank works.
struct PhaseLevels {
    std::int64_t id = 0;
    std::size_t tasks = 0;
    double average = 0;           ///< load of a rank
    double largest_before = 0;    ///< as recorded
    double largest_after = 0;     ///< as planned
    double largest_at_least = 0;  ///< no placement of these tasks has less
    Tokens moved = 0;             ///< tasks that run elsewhere than in the planned phase before
    double weight_moved = 0;      ///< their seconds
    double bytes_moved = 0;       ///< 0 if sizes are not known
    /// Every plan that starts from the same placement and levels equally well moves at least this
    /// many tasks and bytes.
    Tokens moved_at_least = 0;
    double bytes_at_least = 0;
    Tokens moved_recorded = 0;      ///< tasks that ran on another rank than in the phase before
    trace::Traffic traffic_before;  ///< as recorded
    trace::Traffic traffic_after;
    std::vector<double> before;  ///< loads by rank, as recorded
    std::vector<double> after;
    /// The advice at the end of the phase, if it was asked for.
    std::optional<placement::Advice> advice;
};

/// The result of balancing only when advised, beside that of other ways. Seconds are those of all
/// phases and balances.
struct AdvisedTrace {
    double cost = 0;                  ///< seconds of one balance
    std::vector<std::int64_t> after;  ///< ids of the phases after which it balances
    double recorded = 0;
    double advised = 0;
    double every_phase = 0;  ///< with a balance after each
    /// With the best choice of phases, computed in hindsight; unknown for long traces.
    std::optional<double> best;
};

/// The question about a trace, and the results.
struct LoadTrace {
    std::string name;  ///< that of the trace
    std::size_t ranks = 0;
    std::size_t objects = 0;
    std::size_t fixed = 0;  ///< of the objects, those that may not migrate
    std::string policy;
    double tolerance = 0;
    bool by_previous = false;  ///< each phase planned from the times of the one before
    bool has_sizes = false;    ///< whether all tasks that may migrate say their bytes
    bool has_traffic = false;
    std::string folder;  ///< where the planned trace was written; empty: nowhere
    double seconds = 0;  ///< the time that planning took
    std::optional<AdvisedTrace> advised;
    std::vector<PhaseLevels> phases;

    /// The imbalance of vt, largest load / average - 1, of all phases: their largest loads are
    /// added, and so are their averages, as the ranks wait for each other after every phase.
    [[nodiscard]] double imbalance_before() const;
    [[nodiscard]] double imbalance_after() const;
    [[nodiscard]] double imbalance_at_least() const;
    /// All phases together; loads by rank are left out.
    [[nodiscard]] PhaseLevels total() const;
};

/// largest / average - 1; 0 if nothing takes time.
[[nodiscard]] double imbalance(double largest, double average);

/// The figures of the whole trace: names and values in words. A name is empty where a value
/// continues.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> load_trace_figures(
    const LoadTrace& levels);

/// The figures and, if there are several phases, a row for each, at most `rows_max`. Ends with a
/// newline.
[[nodiscard]] std::string load_trace_text(const LoadTrace& levels, std::size_t rows_max = 40);

/// The same for scripts; keys in docs/how-to/trace.md. Ends with a newline.
[[nodiscard]] std::string load_trace_json(const LoadTrace& levels);

}  // namespace equipoise::report
