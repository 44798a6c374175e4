#pragma once
// The off-line complexity of token distribution: the fewest steps, with a schedule and a proof.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

struct MinimumStepsOptions {
    /// The most bytes that networks and flows may take; if more are needed, the answer is an
    /// interval.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
};

/// An enclosure of T_off, with the schedule that proves the upper bound and the cut that proves the
/// lower one.
struct MinimumSteps {
    Step bound = 0;  ///< Theorem 1
    Step at_least = 0;
    std::optional<Step> at_most;  ///< nothing if no schedule fitted into memory
    /// Why at_least - 1 steps are too few; empty when at_least is 0 or the problem is multi-port.
    Certificate certificate;
    std::optional<CutOverTime> cut;  ///< the same for multi-port problems
    /// A schedule of *at_most steps, without swaps and cycles inside a step.
    std::vector<FatStep> steps;

    [[nodiscard]] bool exact() const { return at_most && *at_most == at_least; }
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
// Guarantee: exact for every plain problem, up to the limit on memory. With capacities or delays
//   the network is expanded in full. Cost: a few maximum flows on a few times p log T nodes each;
//   at worst 3 p T nodes.

/// Throws UnsuitableError when no number of steps reaches the target, InputError as Problem::check.
[[nodiscard]] MinimumSteps minimum_steps(const Problem& problem,
                                         const MinimumStepsOptions& options = {});

/// A schedule of at most `steps` steps that has the fewest exchanges of all such schedules.
struct FewestExchangesWithin {
    Tokens exchanges = 0;
    std::vector<FatStep> steps;
};

/// Fewest exchanges subject to at most `steps` steps, as a cheapest flow through the full layered
/// network. Nothing if the target cannot be reached in that many steps or the network would take
/// more than the memory allowed.
[[nodiscard]] std::optional<FewestExchangesWithin> fewest_exchanges_within(
    const Problem& problem, Step steps, const MinimumStepsOptions& options = {});

}  // namespace equipoise::optimum
