#pragma once
// A check of flows over time that shares nothing with the search for them: plain sums of rates.

#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// The result of adding up a flow over time.
struct FlowVerdict {
    bool holds = false;
    std::string fault;     ///< the first thing that is wrong; empty when it holds
    Step steps = 0;        ///< until the last token has arrived
    Tokens exchanges = 0;  ///< tokens times links
    load::Loads loads;     ///< in the end
};

/// Whether a flow over time proves that a schedule of `flow.steps` steps exists. Windows are along
/// links, everything that they send arrives by then, and at every step: no node sends or receives
/// more than it has ports (with `all_ports` no link carries more than one token in either
/// direction), every node holds what it sends when the step begins, and at most its capacity after
/// the step; the final loads are in the target. Exact: rates are compared as fractions. Cost
/// O(windows log windows) time and about 80 bytes a window; more where sums of many different
/// fractions meet a limit exactly. Throws OverflowError when tokens or steps are too many to add
/// up.
[[nodiscard]] FlowVerdict check_flow(const Problem& problem, const FlowOverTime& flow);

}  // namespace equipoise::optimum
