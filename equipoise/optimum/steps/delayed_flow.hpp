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
// Method: let W steps be enough for every gate. Each node sends everything at constant rates in W
//   steps. Those of node v begin at s_v: one step after the last of its inflow begins, or d steps
//   before that, where d is at most W times the tokens it holds at first, as a share of what it
//   sends, and W times those that stay, as a share of what it receives.
// Guarantee: the flow holds. At step t, v has sent out (t + 1 - s_v) / W tokens and had at least
//   load + in (t - s_v - d + 1) / W. Both grow linearly, so that the least that it holds is at one
//   of the ends: when all inflow has begun, load - out d / W, or at its own last step,
//   load + in - out - in d / W; neither is below 0. The steps are W plus the largest s_v, at most
//   W plus the links of the longest way. Cost O(links), and 32 bytes a link that is used.

/// `flow` leads to an allowed target and has no circles.
[[nodiscard]] FlowOverTime delayed_flow(const Problem& problem, std::span<const Tokens> flow);

}  // namespace equipoise::optimum
