#pragma once
// A check of cuts over time that shares nothing with the search for them: plain sums.

#include <string>

#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// Whether a cut over time proves that `cut.steps` steps are not enough; returns what is wrong, or
/// an empty text if it does.
///
/// A token that leaves u at step t over a link of delay d passes the sending port of u at step t
/// and the receiving port of w at step t + d - 1. If u is inside at t and w not at t + d, one of
/// the two steps must lie in that port's interval; such a port lets as many tokens out a step as
/// the node has ports. With `all_ports` there are no intervals: every such step of a link lets one
/// token out. The tokens that the nodes inside hold in the beginning, less their room in the end,
/// must exceed what all steps let out. Cost O(nodes + links). Throws OverflowError when the sums
/// leave 64 bits.
[[nodiscard]] std::string check_cut(const Problem& problem, const CutOverTime& cut);

}  // namespace equipoise::optimum
