#pragma once
// Fewest steps of flows that lead away from where too many tokens are.

#include <cstdint>
#include <stop_token>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/enclosed_steps.hpp"

namespace equipoise::optimum {

struct PhasedStepsOptions {
    /// The most bytes that a flow may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early.
    std::stop_token stop = {};
};

// Problem: a smaller number of steps that is enough, and its proof.
// Model: off-line, plain problems, both port models.
// Source: own.
// Method: the root is the node with too many tokens that is furthest from nodes with room: the
//   corner of a full corner, the middle of a full block. Numbers of steps are tried from the lower
//   end of the interval upwards in growing strides, with ever shorter phases (phased_flow.hpp);
//   with the shortest, bisection follows.
// Guarantee: none: the flow that is sought may not exist. What is found is a proof.

/// Lowers the upper end of what is known, if it can. The network must be connected, or nothing is
/// tried.
void lower_by_phases(const Problem& problem, const PhasedStepsOptions& options,
                     EnclosedSteps& known);

}  // namespace equipoise::optimum
