#pragma once
// Fewest steps on networks too large for layers.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

struct ScaledStepsOptions {
    /// Seconds after which the search ends, with an interval if necessary. 0: no limit.
    double seconds_max = 0;
    /// An interval that begins and ends below this many steps is decided layer by layer.
    Step layers_max = 24;
    /// The most bytes that these layers may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
};

/// An enclosure of T_off.
struct ScaledSteps {
    Step bound = 0;  ///< Theorem 1
    Step at_least = 0;
    std::optional<Step> at_most;
    std::optional<CutOverTime> cut;    ///< why at_least - 1 steps are too few; none if that is 0
    std::optional<FlowOverTime> flow;  ///< why *at_most are enough
    std::string open;                  ///< why the interval is not closed; empty if it is

    [[nodiscard]] bool exact() const { return at_most && *at_most == at_least; }
};

// Problem: T_off, the fewest steps of any schedule that ends in the target, for plain problems in
//          both port models.
// Model:   off-line.
// Source:  own; static cuts are Theorem 1 of Meyer auf der Heide, Oesterdiekhoff, Wanka 1996.
// Method:  from below: cuts (static_flow.hpp), with gates that open when the first token can be
//          there. From above: the flow that shows the bound, in windows (flow_windows.hpp). Where
//          more passes a gate than is possible in time, the gate is narrowed and the rest looks for
//          other ways; if that fails, T is raised, in growing strides, then bisected. If few steps
//          remain open, a flow through all layers decides (layered_flow.hpp).
// Guarantee: both bounds are proved; they need not meet, except for T up to `layers_max`. Memory:
//          about 100 bytes a link and 150 a node, and the layers.

/// Only the bounds from below: for any problem without capacities; delays above 1 are ignored.
/// Throws UnsuitableError when no number of steps reaches the target.
[[nodiscard]] ScaledSteps scaled_bound(const Problem& problem);

/// Throws UnsuitableError when no number of steps reaches the target.
[[nodiscard]] ScaledSteps scaled_steps(const Problem& problem,
                                       const ScaledStepsOptions& options = {});

}  // namespace equipoise::optimum
