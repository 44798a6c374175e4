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

namespace equipoise {
class TimedStop;
}  // namespace equipoise

namespace equipoise::optimum {

/// What is asked of a plan.
struct PlanOptions {
    /// The most bytes that flows and layers may take; if they need more, the answer is an interval.
    std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
    /// When the search ends, with an interval if necessary; null: when it has found the answer.
    const TimedStop* end = nullptr;
    /// As in FewestStepsOptions.
    std::uint64_t small_arcs_max = std::uint64_t{1} << 20U;
    /// At most this many tokens are under way at any time; nothing: as many as ports allow.
    std::optional<Tokens> in_flight_max = {};
    /// Whether to look for the fewest exchanges in the fewest steps even if that takes long.
    bool fewest_exchanges = false;
    /// Schedules with more moves than this, or than half of the memory holds, are not written out.
    std::uint64_t moves_max = moves_written_max;
    /// Only on networks of fewer nodes are the fewest exchanges in any number of steps sought, and
    /// flows over time turned into schedules.
    NodeId large_from = 10'000;
};

/// Why a limit on tokens under way makes a plan long.
struct FlightLimit {
    Tokens steps_under_way = 0;  ///< delays of the links crossed, summed over all tokens: at least
    Tokens in_flight_max = 0;
};

/// A plan, and what is proved about it.
struct Plan {
    Step bound = 0;     ///< the lower bound of Theorem 1, in steps
    Step at_least = 0;  ///< no schedule has fewer steps
    std::optional<Step> at_most;
    /// Why at_least - 1 steps are too few, unless in_flight_max is why: one of the two.
    Certificate certificate;
    std::optional<CutOverTime> cut;
    /// Why *at_most steps are enough, if no schedule was written.
    std::optional<FlowOverTime> flow;
    /// Why the bounds do not meet; empty if they do, or if `in_flight_max` asks for no proof.
    std::string open;
    /// If `at_least` follows from the number of tokens that may be under way: how.
    std::optional<FlightLimit> limited_by_flight;
    bool schedule_written = false;  ///< not if none was found or it has too many moves
    Schedule schedule;              ///< of at most *at_most steps
    Tokens exchanges = 0;           ///< of the schedule, or of the flow
    /// Whether no schedule of the same number of steps has fewer exchanges.
    bool exchanges_fewest_in_these_steps = false;
    /// Why that is not known although it was asked for, as in "to find them takes 9 MiB".
    std::string exchanges_open;
    /// In any number of steps; not on large networks, nor if that takes more memory than allowed.
    std::optional<Tokens> exchanges_fewest;
    Tokens moves = 0;  ///< tokens that must change place at all

    [[nodiscard]] bool exact() const { return at_most && *at_most == at_least; }
};

/// The fewest steps (fewest_steps.hpp) and a schedule of that length or, if it has too many moves
/// or the network is large, a flow over time; on small networks, or if requested and memory allows,
/// with the fewest exchanges of all schedules of that length. The schedule and the certificate have
/// been checked by `check_schedule` and `check_certificate`, a flow and a cut over time by
/// `check_flow` and `check_cut`. With `in_flight_max`, a lower bound and a schedule that need not
/// meet it, or why there is none. Throws UnsuitableError when no number of steps reaches the
/// target; InputError when in_flight_max is below 1, and before any search if there are more
/// exchanges than can be counted or, with `in_flight_max`, more than are written out, or too little
/// memory for a cheapest flow.
[[nodiscard]] Plan make_plan(const Problem& problem, const PlanOptions& options = {});

}  // namespace equipoise::optimum
