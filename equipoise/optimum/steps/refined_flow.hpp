#pragma once
// Flows in ever finer phases.

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

struct RefinedFlowOptions {
    /// The most bytes that a flow may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early, without a flow.
    std::stop_token stop = {};
    /// The most pieces of phases. `Phases::whole`: only a flow in such phases counts.
    std::uint32_t pieces_max = std::uint32_t{1} << 31U;
    /// The most pairs of a node and a phase.
    std::uint64_t units_max = std::numeric_limits<std::uint64_t>::max();
};

struct RefinedFlow {
    std::optional<FlowOverTime> flow;
    /// Even without the time that ways take there is none.
    bool hopeless = false;
};

// Problem: a flow over time of `steps` steps, if tokens only go from each place to the next one.
// Model: off-line, plain problems, both port models.
// Source: own.
// Method: phases (phases.hpp) have no pieces, then one, two, four, ...; each flow
//   (phased_flow.hpp) begins with the one before, and the last few tokens of a coarse one, which
//   take longest, are left to the next, where they have more ways.
// Guarantee: finds a flow if there is one in the last phases that fit into memory.

/// `places` by node, the least of them 0.
[[nodiscard]] RefinedFlow refined_flow(const Problem& problem, View<std::uint32_t> places,
                                       Step steps, const RefinedFlowOptions& options = {});

}  // namespace equipoise::optimum
