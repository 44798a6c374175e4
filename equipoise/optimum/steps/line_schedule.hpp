#pragma once
// Schedules on lines, without a flow through layers.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: a schedule of at most a given number of steps on a linear array, if a timetable gives
//   one.
// Model: off-line, one port a node, no capacities, no delays.
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, Step 1, made exact
//   (load::make_timetable).
// Method: on a line the flow over each link decides everything: between two links a node keeps what
//   the target allows, and sends or receives at most one token a step. The possible flows over a
//   link form an interval, found from left to right; from right to left the flow nearest to 0 is
//   taken. Its timetable is the schedule. If every node ends with a token or more and none sends
//   both ways, it takes no more steps than the static bound.
// Guarantee: what is found is a schedule; finding none proves nothing. Cost O(nodes + moves).

/// A schedule of at most `steps` steps, in steps of size 1; nothing if the problem is of another
/// kind, if none is found this way, or if it has more than `moves_max` steps and moves.
[[nodiscard]] std::optional<std::vector<FatStep>> line_schedule(const Problem& problem, Step steps,
                                                                std::uint64_t moves_max);

}  // namespace equipoise::optimum
