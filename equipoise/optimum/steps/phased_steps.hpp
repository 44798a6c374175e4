#pragma once
// Fewest steps by flows in phases.

#include <cstdint>
#include <limits>
#include <stop_token>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/enclosed_steps.hpp"

namespace equipoise::optimum {

struct PhasedStepsOptions {
    /// The most bytes that a flow may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early.
    std::stop_token stop = {};
    /// Only the lower end of the interval is tried, with few phases.
    bool briefly = false;
};

// Problem: a smaller number of steps that is enough, and its proof.
// Model: off-line, plain problems, both port models.
// Source: own.
// Method: nodes have places by their distance from a root (not on trees) or along a flow
//   (places.hpp). For each number of steps, phases (phased_flow.hpp) become ever finer, each flow
//   beginning with the last. Numbers are tried from the lower end of the interval upwards in
//   growing strides, first with few phases, then with more; with the finest, bisection follows.
// Guarantee: none: the flow that is sought may not exist. What is found is a proof.

/// Lowers the upper end at once, if all tokens can go from each place to the next within as many
/// steps as its lower end has: to those steps and, at most, the longest way (delayed_flow.hpp),
/// which is as short as it can be.
void lower_by_short_ways(const Problem& problem, const PhasedStepsOptions& options,
                         EnclosedSteps& known);

/// Lowers the upper end by such flows in which no node has more to do than its delays leave time
/// for: briefly by one that takes as many steps as the lower end has, otherwise by three that take
/// some number in between.
void lower_by_delayed_ways(const Problem& problem, const PhasedStepsOptions& options,
                           EnclosedSteps& known);

/// Lowers the upper end of what is known, if it can.
void lower_by_phases(const Problem& problem, const PhasedStepsOptions& options,
                     EnclosedSteps& known);

}  // namespace equipoise::optimum
