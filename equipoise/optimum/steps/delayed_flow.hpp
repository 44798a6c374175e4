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
// Method: each node v sends at a constant rate in the steps s_v, ..., e_v - 1. It begins one step
//   after the last of its inflow, or d steps before that if what it holds at first covers d + 1
//   steps of its outflow. It ends with the nodes that it sends to: at T if these pass nothing on,
//   or a step before one that keeps less than may reach it in a step. So rates grow along a way as
//   its time gets shorter, which is paid for by what stays. T is bisected, from the steps W on in
//   which every gate lets everything through.
// Guarantee: the flow holds. Once all inflow of v has begun, what v holds is concave in time, so
//   that it is at least 0 if it is so at both ends: in the beginning its load covers its outflow,
//   or what has come does; in the end what stays is no less than what comes in the last step.
//   T <= W + the links of the longest way. Cost O(links log(longest way)), and 32 bytes a link
//   that is used.

/// `flow` leads to an allowed target and has no circles.
[[nodiscard]] FlowOverTime delayed_flow(const Problem& problem, std::span<const Tokens> flow);

}  // namespace equipoise::optimum
