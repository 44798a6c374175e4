#pragma once
// Schedules from the totals of links alone, found by halving time.

#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: send given totals over links within T steps.
// Model: plain problems, both port models.
// Source: own, with integrality of flows. Totals at constant rates are a fractional schedule if
//   every node that receives and sends holds ceil(max(received, sent) / T) tokens in the beginning
//   and in the end. The tokens that are sent in half of the time, and those that nodes then hold,
//   are rounded as a circulation (circulation_rounding.hpp), so that both halves are problems of
//   the same kind; a single step is a step of the schedule.
// Method: steps at the beginning and at the end, in which some nodes hold too few tokens, are
//   played forward and backward, one by one, near the rates of given windows; nodes without a step
//   to spare come first, by alternating paths if necessary.
// Guarantee: a schedule of T steps whenever all nodes hold enough from the beginning to the end;
//   otherwise it may fail, and then says so. Cost O(moves log T), and O(links that carry tokens)
//   for each step played.

/// The moves of a schedule of `steps` steps; `totals`, one a link, without cycles, lead from the
/// problem's loads into its target. `windows`: rates to follow while steps are played one by one;
/// if there are none, totals are spread from the first step to the last. Nothing if a step could
/// not be played, or if asked to stop. Memory: that of the moves, and of those that were played
/// backward again.
[[nodiscard]] std::optional<Schedule> halved_schedule(const Problem& problem,
                                                      const std::vector<FatMove>& totals,
                                                      Step steps, std::vector<Window> windows = {},
                                                      const std::stop_token& stop = {});

}  // namespace equipoise::optimum
