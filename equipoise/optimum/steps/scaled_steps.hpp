#pragma once
// Fewest steps on networks too large for layers.

#include <cstdint>
#include <stop_token>

#include "equipoise/base/ids.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/enclosed_steps.hpp"

namespace equipoise::optimum {

struct ScaledStepsOptions {
    /// Ends the search early, with an interval if necessary.
    std::stop_token stop = {};
    /// An interval that begins and ends below this many steps is decided layer by layer.
    Step layers_max = 24;
    /// The most bytes that these layers, or a flow in phases, may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
};

// Problem: T_off, the fewest steps of any schedule that ends in the target, for plain problems in
//          both port models.
// Model:   off-line.
// Source:  own; static cuts are Theorem 1 of Meyer auf der Heide, Oesterdiekhoff, Wanka 1996.
// Method:  from below: cuts (static_flow.hpp), with gates that open when the first token can be
//          there. From above: the flow that shows the bound, first with delays that always work
//          (delayed_flow.hpp), then in windows (flow_windows.hpp). Where more passes a gate than is
//          possible in time, the gate is narrowed and the rest looks for other ways; after some
//          rounds a flow along shortest ways, delayed, lowers the upper end (phased_steps.hpp). If
//          windows fail for the bound, a flow through all layers decides if steps are few
//          (layered_flow.hpp); otherwise short ways with few delays, then flows in a few phases
//          are tried (phased_steps.hpp). If they fail, T is bisected, at first with windows of the
//          same flow.
// Guarantee: both bounds are proved, and the upper one exists even if there is no time at
//          all; they need not meet, except for T up to `layers_max`. Memory:
//          about 100 bytes a link and 250 a node, and the layers or phases.

/// Only the bounds from below: for any problem without capacities; delays above 1 are ignored.
/// Throws UnsuitableError when no number of steps reaches the target.
[[nodiscard]] EnclosedSteps scaled_bound(const Problem& problem, const std::stop_token& stop = {});

/// Throws UnsuitableError when no number of steps reaches the target.
[[nodiscard]] EnclosedSteps scaled_steps(const Problem& problem,
                                         const ScaledStepsOptions& options = {});

}  // namespace equipoise::optimum
