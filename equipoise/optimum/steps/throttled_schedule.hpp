#pragma once
// A schedule with few tokens under way at any time.

#include <functional>
#include <optional>
#include <span>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: carry out given flows with at most F tokens under way at any time.
// Model: off-line, `ports`, capacities and delays as the problem says.
// Source: list scheduling: at every step, the nodes with the most tokens still to send go first.
// Guarantee: every schedule found is valid and makes no exchange beyond the flows; its length is
//   not promised to be the fewest steps. It ends, because flows without cycles always leave a move
//   that can be made. Cost O(nodes log nodes) a step and O(degree) a move; steps in which nothing
//   can be sent before the next token arrives cost nothing.

/// `flows` by link, tokens from its tail to its head (negative: back), without cycles; they lead
/// from the problem's loads into its target. `in_flight_max` is at least 1. Nothing if `is_stopped`
/// returns true, which is asked at every step.
[[nodiscard]] std::optional<Schedule> throttled_schedule(
    const Problem& problem, std::span<const Tokens> flows, Tokens in_flight_max,
    const std::function<bool()>& is_stopped = {});

}  // namespace equipoise::optimum
