#pragma once
// The off-line complexity of token distribution: the fewest steps, with a schedule and a proof.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flows/flow_budget.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"
#include "equipoise/optimum/steps/enclosed_steps.hpp"

namespace equipoise::optimum {

struct MinimumStepsOptions {
    /// The most bytes that networks and flows may take; if more are needed, the answer is an
    /// interval.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// Ends the search early, with an interval.
    std::stop_token stop = {};
    /// The same after this many looks at arcs of flow networks.
    std::uint64_t looks_max = FlowBudget::unlimited;
};

// Problem: T_off, the fewest steps of any schedule that ends in the target.
// Model: off-line, single-port (or `ports`).
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 2: a flow of all tokens through
//   the network of T layers is a schedule.
// Method: on a line a timetable (line_schedule.hpp) may meet Theorem 1's bound. Otherwise, and on
//   all other networks, T is tried from Theorem 1's bound upwards, then found by bisection. The
//   layered network is never expanded further than the answer requires: steps are lumped into fat
//   ones of sizes 1, ..., 2^k, ..., 1. A flow of all tokens is a schedule (fat steps are split by
//   edge colouring). Where the flow falls short, the smallest cut decides: if it changes in single
//   steps only, its capacity is that of a cut of the full network, and T steps are too few;
//   otherwise the fat steps in which it changes are split and the flow is continued.
// Guarantee: exact for every plain problem, up to the limits on memory and work. With capacities or
//   delays the network is expanded in full. Cost: a few maximum flows on a few times p log T nodes
//   each; at worst 3 p T nodes.

/// Throws UnsuitableError when no number of steps reaches the target, InputError as Problem::check.
[[nodiscard]] EnclosedSteps minimum_steps(const Problem& problem,
                                          const MinimumStepsOptions& options = {});

/// Narrows what is known of the fewest steps; `known` must hold for the problem.
void narrow(const Problem& problem, const MinimumStepsOptions& options, EnclosedSteps& known);

/// Arcs of the network of lumped steps with which the search begins if `steps` are tried first.
[[nodiscard]] std::uint64_t lumped_arcs(const Problem& problem, Step steps);

/// A schedule of at most `steps` steps that has the fewest exchanges of all such schedules.
struct FewestExchangesWithin {
    Tokens exchanges = 0;
    std::vector<FatStep> steps;
};

/// The bytes that this takes.
[[nodiscard]] UInt128 fewest_exchanges_bytes(const Problem& problem, Step steps);

/// Fewest exchanges subject to at most `steps` steps, as a cheapest flow through the full layered
/// network. Nothing if the target cannot be reached in that many steps, the network would take more
/// than the memory allowed, or the search is stopped.
[[nodiscard]] std::optional<FewestExchangesWithin> fewest_exchanges_within(
    const Problem& problem, Step steps, const MinimumStepsOptions& options = {});

}  // namespace equipoise::optimum
