#include "equipoise/optimum/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "equipoise/optimum/exchanges/exchanges_bound.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/fewest_steps.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/throttled_schedule.hpp"
#include "equipoise/optimum/steps/window_schedule.hpp"

namespace equipoise::optimum {

namespace {

/// Networks small enough for a cheapest flow through all layers to take about a second.
constexpr std::uint64_t small_network_bytes = std::uint64_t{8} << 20U;

const char* why_stopped(const PlanOptions& options) {
    return options.end->is_late() ? "the time allowed ran out" : "interrupted";
}

/// Whether it is time to end, for what takes less than a second on most networks: it may take that
/// after a search that has used up all of the time.
class SecondAtLeast {
  public:
    explicit SecondAtLeast(const PlanOptions& options) : end_(options.end) {}

    bool operator()() const {
        return end_ != nullptr && end_->token().stop_requested() &&
               TimedStop::Clock::now() > begun_ + std::chrono::seconds(1);
    }

  private:
    const TimedStop* end_;
    TimedStop::Clock::time_point begun_ = TimedStop::Clock::now();
};

void take_flow(const Problem& problem, FlowOverTime flow, Plan& plan) {
    const FlowVerdict verdict = check_flow(problem, flow);
    EQUIPOISE_ASSERT(verdict.holds && verdict.steps <= *plan.at_most);
    plan.exchanges = verdict.exchanges;
    plan.flow = std::move(flow);
}

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

/// Why the fewest exchanges in these steps were not found.
std::string why_not_fewest(const Problem& problem, const PlanOptions& options, Step steps) {
    const UInt128 needed = fewest_exchanges_bytes(problem, steps);
    if (needed <= options.memory_bytes_max && options.end != nullptr) return why_stopped(options);
    return "to find them takes " + load::to_decimal(static_cast<Int128>(needed / mib + 1)) + " MiB";
}

/// A schedule of the fewest exchanges in these steps in place of the one that was found, if asked
/// for or if that takes about a second.
void save_exchanges(const Problem& problem, const PlanOptions& options, EnclosedSteps& found,
                    Plan& plan) {
    MinimumStepsOptions limits;
    limits.memory_bytes_max = options.memory_bytes_max;
    if (!options.fewest_exchanges)
        limits.memory_bytes_max = std::min(limits.memory_bytes_max, small_network_bytes);
    if (options.end != nullptr) limits.stop = options.end->token();
    auto fewest = fewest_exchanges_within(problem, *found.at_most, limits);
    if (!fewest) {
        if (options.fewest_exchanges)
            plan.exchanges_open = why_not_fewest(problem, options, *found.at_most);
        return;
    }
    found.lower(*found.at_most, std::move(fewest->steps));
    plan.exchanges_fewest_in_these_steps = true;
}

MovesLimit moves_limit(const PlanOptions& options) {
    return {options.memory_bytes_max, options.moves_max};
}

void take_steps(const Problem& problem, const std::vector<FatStep>& steps,
                const PlanOptions& options, Plan& plan) {
    plan.exchanges = exchanges_of(steps);
    const MovesLimit limit = moves_limit(options);
    if (!limit.allows(plan.exchanges)) {
        take_flow(problem, flow_of(steps), plan);
        return;
    }
    plan.schedule = unit_steps(steps, problem.network->node_count(), limit.most());
    plan.schedule_written = true;
}

/// On networks that are not large, moves as well, if they are found in some seconds.
void take_moves_of_flow(const Problem& problem, const PlanOptions& options, Plan& plan) {
    if (problem.loads.size() >= options.large_from || !moves_limit(options).allows(plan.exchanges))
        return;
    constexpr std::uint64_t looks_max = std::uint64_t{1} << 29U;
    WindowScheduleOptions limits{.moves_max = options.moves_max,
                                 .memory_bytes_max = options.memory_bytes_max,
                                 .looks_max = looks_max};
    if (options.end != nullptr) limits.stop = options.end->token();
    auto schedule = window_schedule(problem, *plan.flow, limits);
    if (!schedule) return;
    plan.schedule = std::move(*schedule);
    plan.schedule_written = true;
    plan.exchanges = static_cast<Tokens>(plan.schedule.size());
    plan.flow.reset();
}

/// The memory of a cheapest flow.
std::uint64_t cheapest_flow_bytes(const Problem& problem) {
    constexpr std::uint64_t bytes_per_link = 320;  // measured, with the solver's lists
    return bytes_per_link * problem.network->link_count();
}

/// Whether a cheapest flow takes little enough memory and time.
bool finds_fewest_exchanges(const Problem& problem, const PlanOptions& options) {
    return problem.loads.size() < options.large_from &&
           cheapest_flow_bytes(problem) <= options.memory_bytes_max;
}

/// Throws InputError unless a plan with few tokens under way can be made.
void expect_throttle(const Problem& problem, const PlanOptions& options) {
    if (!options.in_flight_max) return;
    if (*options.in_flight_max < 1)
        throw InputError("expected 1 or more tokens in flight, found " +
                         std::to_string(*options.in_flight_max));
    expect_writable_moves(problem, moves_limit(options));
    const std::uint64_t needed = cheapest_flow_bytes(problem);
    if (needed > options.memory_bytes_max)
        throw InputError("few tokens in flight: expected at least " +
                         std::to_string(needed / mib + 1) +
                         " MiB of memory, for a cheapest flow over " +
                         std::to_string(problem.network->link_count()) + " links, found " +
                         std::to_string(options.memory_bytes_max / mib));
}

/// How often tokens cross links.
Int128 moves_of(std::span<const Tokens> flows) {
    Int128 moves = 0;
    for (const Tokens flow : flows)
        moves += flow < 0 ? -Int128{flow} : Int128{flow};
    return moves;
}

void throttle(const Problem& problem, const PlanOptions& options, Plan& plan) {
    const Tokens in_flight_max = *options.in_flight_max;
    const SecondAtLeast is_stopped(options);
    const auto occupancy = cheapest_exchanges_until(is_stopped, problem, ExchangeCost::delay);
    if (occupancy) {
        const auto by_flight = static_cast<Step>(ceil_divide(occupancy->exchanges, in_flight_max));
        if (by_flight > plan.at_least) {
            plan.at_least = by_flight;
            plan.limited_by_flight = {occupancy->exchanges, in_flight_max};
        }
    }
    // The schedule of fewest steps may already have few enough tokens under way.
    if (plan.schedule_written) {
        const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
        if (verdict.in_flight_max <= in_flight_max) return;
    }
    plan.schedule.clear();
    plan.schedule_written = false;
    plan.flow.reset();
    plan.exchanges_fewest_in_these_steps = false;  // unless they are the fewest of all
    plan.exchanges_open.clear();
    plan.at_most.reset();
    const Int128 moves = occupancy ? moves_of(occupancy->flows) : 0;
    if (!moves_limit(options).allows(moves)) {
        plan.open = "the schedule would have " + load::to_decimal(moves) + " moves, " +
                    moves_limit(options).exceeded_by(moves);
        return;
    }
    std::optional<Schedule> schedule;
    if (occupancy)
        schedule = throttled_schedule(problem, occupancy->flows, in_flight_max, is_stopped);
    if (!schedule) {
        plan.open = why_stopped(options);
        return;
    }
    plan.schedule = std::move(*schedule);
    plan.schedule_written = true;
    plan.exchanges = static_cast<Tokens>(plan.schedule.size());
    const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
    EQUIPOISE_ASSERT(verdict.holds && verdict.in_flight_max <= in_flight_max);
    plan.at_most = verdict.steps;
}

}  // namespace

Plan make_plan(const Problem& problem, const PlanOptions& options) {
    Problem clipped = problem;
    clipped.target = within_capacities(std::move(clipped.target), problem.capacities);
    clipped.check();
    expect_countable_exchanges(clipped);
    expect_throttle(clipped, options);
    FewestStepsOptions search{.memory_bytes_max = options.memory_bytes_max,
                              .small_arcs_max = options.small_arcs_max};
    if (options.end != nullptr) search.stop = options.end->token();
    EnclosedSteps fewest = fewest_steps(clipped, search);
    Plan plan;
    plan.bound = fewest.bound;
    plan.at_least = fewest.at_least;
    plan.at_most = fewest.at_most;
    plan.certificate = std::move(fewest.certificate);
    plan.cut = std::move(fewest.cut);
    plan.open = std::move(fewest.open);
    if (plan.open == asked_to_stop) plan.open = why_stopped(options);
    plan.moves = minimum_moves(clipped.loads, clipped.target);
    if (options.in_flight_max || finds_fewest_exchanges(clipped, options))
        if (const auto cheapest = cheapest_exchanges_until(SecondAtLeast(options), clipped))
            plan.exchanges_fewest = cheapest->exchanges;
    if (plan.at_most) save_exchanges(clipped, options, fewest, plan);
    if (fewest.flow) {
        take_flow(clipped, std::move(*fewest.flow), plan);
        take_moves_of_flow(clipped, options, plan);
    } else if (plan.at_most) {
        take_steps(clipped, fewest.steps, options, plan);
    }
    if (options.in_flight_max) throttle(clipped, options, plan);
    // The fewest in any number of steps are also the fewest in this number.
    if (plan.at_most && plan.exchanges == plan.exchanges_fewest)
        plan.exchanges_fewest_in_these_steps = true;
    if (plan.exchanges_fewest_in_these_steps) plan.exchanges_open.clear();

    if (plan.schedule_written) {
        const ScheduleVerdict verdict = check_schedule(clipped, plan.schedule);
        EQUIPOISE_ASSERT(verdict.holds && verdict.steps <= *plan.at_most);
    }
    EQUIPOISE_ASSERT(plan.certificate.empty() ||
                     check_certificate(clipped, plan.certificate).empty());
    EQUIPOISE_ASSERT(!plan.cut || check_cut(clipped, *plan.cut).empty());
    return plan;
}

}  // namespace equipoise::optimum
