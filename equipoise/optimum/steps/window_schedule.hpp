#pragma once
// Turns flows over time into schedules of whole tokens.

#include <cstdint>
#include <optional>
#include <stop_token>

#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/flow_budget.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

struct WindowScheduleOptions {
    std::uint64_t moves_max = moves_written_max;
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early, without a schedule.
    std::stop_token stop = {};
    /// The same after this many looks at arcs of a flow network.
    std::uint64_t looks_max = FlowBudget::unlimited;
};

/// A schedule of at most `flow.steps` steps. `flow` must pass check_flow; the schedule has been
/// checked by check_schedule. Nothing if none of halving the windows (halved_schedule.hpp), halving
/// phases (phased_schedule.hpp) and expanding the windows finds one within memory and time. Throws
/// InputError when the flow has more exchanges than `moves_max`, or than half of the memory holds
/// as moves.
[[nodiscard]] std::optional<Schedule> window_schedule(const Problem& problem,
                                                      const FlowOverTime& flow,
                                                      const WindowScheduleOptions& options = {});

/// The memory with which a schedule is found if there is time: that of all steps of all windows and
/// of the moves. Nothing if the steps are too many to be expanded.
[[nodiscard]] std::optional<std::uint64_t> window_schedule_bytes(const Problem& problem,
                                                                 const FlowOverTime& flow);

}  // namespace equipoise::optimum
