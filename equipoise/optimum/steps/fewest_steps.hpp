#pragma once
// One planner of fewest steps for networks of every size.

#include <cstdint>
#include <stop_token>

#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/enclosed_steps.hpp"

namespace equipoise::optimum {

struct FewestStepsOptions {
    /// The most bytes that bounds, networks of layers and flows may take.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early, with an interval.
    std::stop_token stop = {};
    /// Networks of lumped steps with at most this many arcs are tried before windows, ...
    std::uint64_t small_arcs_max = std::uint64_t{1} << 20U;
    /// ... until this many looks at arcs have been made.
    std::uint64_t small_looks_max = std::uint64_t{1} << 26U;
    /// The same where there are fewer links than nodes, as in trees: tokens have one way there, so
    /// that windows, found sooner, cost no more exchanges.
    std::uint64_t tree_looks_max = std::uint64_t{1} << 22U;
    /// The same before phases, which take longer to begin with.
    std::uint64_t medium_arcs_max = std::uint64_t{1} << 22U;
    std::uint64_t medium_looks_max = std::uint64_t{1} << 29U;
};

// Problem: T_off, as minimum_steps.hpp.
// Method: what is cheap comes first. Small networks of lumped steps decide most small problems at
//   once, with few exchanges. Otherwise cuts and flows in windows (scaled_steps.hpp) enclose T_off
//   in time near the number of links. What they leave open is narrowed by expansion again
//   (minimum_steps.hpp), by flows in phases (phased_steps.hpp), and by expansion until memory or
//   time runs out.
// Guarantee: both ends are proved; they meet unless memory or time runs out. With capacities or
//   delays the network is expanded in full.

/// What bounds and windows take, about. They are made in any case; networks of layers get the rest
/// of the memory. With capacities or delays: what the bound of Theorem 1 takes.
[[nodiscard]] std::uint64_t bounds_memory_bytes(const Problem& problem);

/// Throws UnsuitableError when no number of steps reaches the target, InputError as Problem::check.
[[nodiscard]] EnclosedSteps fewest_steps(const Problem& problem,
                                         const FewestStepsOptions& options = {});

}  // namespace equipoise::optimum
