#pragma once
// A plan: which node sends to which at each step, how good the plan is, and why.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"

namespace equipoise::optimum {

/// What is asked of a plan.
struct PlanOptions {
    MinimumStepsOptions limits;
    /// At most this many tokens are under way at any time; nothing: as many as ports allow.
    std::optional<Tokens> in_flight_max;
    /// Whether to look for the fewest exchanges in the fewest steps even if that takes long.
    bool fewest_exchanges = false;
    /// Schedules with more moves than this are not written out one by one.
    std::uint64_t moves_max = 20'000'000;
    /// Networks of this many nodes or more are planned without layers (scaled_steps.hpp), unless
    /// there are capacities, delays or `in_flight_max`.
    NodeId scaled_from = 10'000;
    ScaledStepsOptions scaled;
};

/// Whether the problem is planned without layers, so that the plan has windows instead of moves.
[[nodiscard]] bool is_at_scale(const Problem& problem, const PlanOptions& options);

/// A plan, and what is proved about it.
struct Plan {
    Step bound = 0;     ///< the lower bound of Theorem 1, in steps
    Step at_least = 0;  ///< no schedule has fewer steps
    std::optional<Step> at_most;
    Certificate certificate;  ///< why at_least - 1 are too few, unless in_flight_max is why
    /// On large networks, in place of `schedule`: why *at_most steps are enough.
    std::optional<FlowOverTime> flow;
    /// On large networks and with `all_ports`, instead of `certificate`.
    std::optional<CutOverTime> cut;
    std::string open;  ///< on large networks: why the bounds do not meet; empty if they do
    /// Whether `at_least` follows from the number of tokens that may be under way.
    bool limited_by_flight = false;
    bool schedule_written = false;  ///< not if none was found or it has too many moves
    Schedule schedule;              ///< of at most *at_most steps
    Tokens exchanges = 0;           ///< of the schedule
    /// Whether no schedule of the same number of steps has fewer exchanges.
    bool exchanges_fewest_in_these_steps = false;
    std::optional<Tokens> exchanges_fewest;  ///< in any number of steps; not on large networks
    Tokens moves = 0;                        ///< tokens that must change place at all

    [[nodiscard]] bool exact() const { return at_most && *at_most == at_least; }
};

/// The fewest steps and a schedule of that length, or on large networks a flow over time; on small
/// networks, or if requested and memory allows, with the fewest exchanges of all schedules of that
/// length. The schedule and the certificate have been checked by `check_schedule` and
/// `check_certificate`, a flow and a cut over time by `check_flow` and `check_cut`. With
/// `in_flight_max`, a lower bound and a schedule that need not meet it. Cost as minimum_steps.
/// Throws as it does; InputError when in_flight_max is below 1, and before any search if there are
/// more exchanges than can be counted or, with `in_flight_max`, more than `moves_max`.
[[nodiscard]] Plan make_plan(const Problem& problem, const PlanOptions& options = {});

}  // namespace equipoise::optimum
