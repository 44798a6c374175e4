#pragma once
// Schedules by flows in phases.

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

struct PhasedScheduleOptions {
    /// The most bytes that a flow, and the schedule, may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early, without a schedule.
    std::stop_token stop = {};
    /// The most moves.
    std::uint64_t moves_max = moves_written_max;
    /// The most pairs of a node and a phase.
    std::uint64_t units_max = std::numeric_limits<std::uint64_t>::max();
};

// Problem: a schedule of `steps` steps whose tokens go from each place to the next one.
// Model: off-line, plain problems, both port models.
// Source: own, on flows in phases (refined_flow.hpp) and halving (halver.hpp).
// Method: in phases that each of their nodes spends as a whole, all rates are constant from the
//   beginning of the phase to its end, and nodes hold whole numbers of tokens at both. In the time
//   of places what a node receives may leave in the same moment: nobody needs tokens in store, and
//   halving the phase keeps to what nodes hold.
// Guarantee: finds one if there is one at these places (places.hpp) within memory and time.

/// Nothing if there is none, or within these limits.
[[nodiscard]] std::optional<Schedule> phased_schedule(const Problem& problem, Step steps,
                                                      const PhasedScheduleOptions& options = {});

}  // namespace equipoise::optimum
