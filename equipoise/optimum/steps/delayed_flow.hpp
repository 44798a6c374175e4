#pragma once
// Flows over time that always exist: each node sends a little later than those before it.

#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// Tokens by link, from its end with the smaller number to the other, less those that come back.
using LinkFlow = std::vector<Tokens>;

/// A flow without time to an allowed target, along a spanning forest; nothing if some part of the
/// network cannot reach one. Cost O(links + nodes).
[[nodiscard]] std::optional<LinkFlow> forest_flow(const Problem& problem);

// Problem: some number of steps that is enough, and its proof, at once.
// Model: off-line, plain problems, both port models.
// Source: own; flows that repeat themselves in time are due to Ford and Fulkerson 1958.
// Method: each node sends at a constant rate from step s_v to the end e_v, one step after the last
//   of its inflow begins, or d steps before that: d + 1 steps of its outflow are at most what it
//   holds at first. It ends with all it sends to, at the last step if these pass nothing on, or a
//   step before those that keep less than may reach them in a step. Rates grow along a way as the
//   time gets shorter, which is paid for by what stays. T is bisected from W on, the steps in which
//   every gate lets everything through.
// Guarantee: the flow holds. With one step more or less between windows, a node's inflow until
//   step t, less its outflow until t + 1, is at least 0 when all has begun and, by what stays, at
//   its last step; in between it is concave. T <= W + the links of the longest way. Cost
//   O(links log(longest way)), and 32 bytes a link that is used.

/// `flow` leads to an allowed target and has no circles.
[[nodiscard]] FlowOverTime delayed_flow(const Problem& problem, std::span<const Tokens> flow);

}  // namespace equipoise::optimum
