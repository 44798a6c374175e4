#include "equipoise/optimum/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "equipoise/optimum/exchanges/exchanges_bound.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/throttled_schedule.hpp"

namespace equipoise::optimum {

namespace {

/// Networks small enough for a cheapest flow through all layers to take about a second.
constexpr std::uint64_t small_network_bytes = std::uint64_t{8} << 20U;

void take_schedule(const Problem& problem, std::vector<FatStep>& steps, const PlanOptions& options,
                   Plan& plan) {
    MinimumStepsOptions limits = options.limits;
    if (!options.fewest_exchanges)
        limits.memory_bytes_max = std::min(limits.memory_bytes_max, small_network_bytes);
    if (auto fewest = fewest_exchanges_within(problem, *plan.at_most, limits)) {
        steps = std::move(fewest->steps);
        plan.exchanges_fewest_in_these_steps = true;
    }
    plan.exchanges = exchanges_of(steps);
    if (static_cast<std::uint64_t>(plan.exchanges) > options.moves_max) return;
    plan.schedule = unit_steps(steps, problem.network->node_count(), options.moves_max);
    plan.schedule_written = true;
}

/// Throws InputError if tokens cross links more often than moves may be written out.
void expect_few_moves(std::span<const Tokens> flows, std::uint64_t moves_max) {
    Int128 moves = 0;
    for (const Tokens flow : flows)
        moves += flow < 0 ? -Int128{flow} : Int128{flow};
    if (moves > Int128{moves_max})
        throw InputError("the schedule has " + load::to_decimal(moves) + " moves, more than the " +
                         std::to_string(moves_max) + " that are written out one by one");
}

void throttle(const Problem& problem, Tokens in_flight_max, std::uint64_t moves_max, Plan& plan) {
    const MinimumExchanges occupancy = cheapest_exchanges(problem, ExchangeCost::delay);
    const auto by_flight = static_cast<Step>(ceil_divide(occupancy.exchanges, in_flight_max));
    if (by_flight > plan.at_least) {
        plan.at_least = by_flight;
        plan.limited_by_flight = true;
    }
    // The schedule of fewest steps may already have few enough tokens under way.
    if (plan.schedule_written) {
        const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
        if (verdict.in_flight_max <= in_flight_max) return;
    }
    expect_few_moves(occupancy.flows, moves_max);
    plan.schedule = throttled_schedule(problem, occupancy.flows, in_flight_max);
    plan.schedule_written = true;
    plan.exchanges = static_cast<Tokens>(plan.schedule.size());
    const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
    EQUIPOISE_ASSERT(verdict.holds && verdict.in_flight_max <= in_flight_max);
    plan.at_most = verdict.steps;
    plan.exchanges_fewest_in_these_steps = false;  // unless they are the fewest of all
}

Plan plan_at_scale(const Problem& problem, const PlanOptions& options) {
    ScaledStepsOptions limits = options.scaled;
    limits.memory_bytes_max = std::min(limits.memory_bytes_max, options.limits.memory_bytes_max);
    ScaledSteps fewest = scaled_steps(problem, limits);
    Plan plan;
    plan.bound = fewest.bound;
    plan.at_least = fewest.at_least;
    plan.at_most = fewest.at_most;
    plan.open = std::move(fewest.open);
    plan.moves = minimum_moves(problem.loads, problem.target);
    if (fewest.flow) {
        const FlowVerdict verdict = check_flow(problem, *fewest.flow);
        EQUIPOISE_ASSERT(verdict.holds && verdict.steps <= *plan.at_most);
        plan.exchanges = verdict.exchanges;
    }
    EQUIPOISE_ASSERT(!fewest.cut || (check_cut(problem, *fewest.cut).empty() &&
                                     fewest.cut->steps + 1 == plan.at_least));
    plan.flow = std::move(fewest.flow);
    plan.cut = std::move(fewest.cut);
    return plan;
}

}  // namespace

bool is_at_scale(const Problem& problem, const PlanOptions& options) {
    return problem.loads.size() >= options.scaled_from && problem.plain() && !options.in_flight_max;
}

Plan make_plan(const Problem& problem, const PlanOptions& options) {
    if (options.in_flight_max && *options.in_flight_max < 1)
        throw InputError("expected 1 or more tokens in flight, found " +
                         std::to_string(*options.in_flight_max));
    Problem clipped = problem;
    clipped.target = within_capacities(std::move(clipped.target), problem.capacities);
    clipped.check();
    expect_countable_exchanges(clipped);
    if (options.in_flight_max) expect_writable_moves(clipped, options.moves_max);
    if (is_at_scale(clipped, options)) return plan_at_scale(clipped, options);
    MinimumSteps fewest = minimum_steps(clipped, options.limits);
    Plan plan;
    plan.bound = fewest.bound;
    plan.at_least = fewest.at_least;
    plan.at_most = fewest.at_most;
    plan.certificate = std::move(fewest.certificate);
    plan.cut = std::move(fewest.cut);
    plan.exchanges_fewest = cheapest_exchanges(clipped).exchanges;
    plan.moves = minimum_moves(clipped.loads, clipped.target);
    if (plan.at_most) take_schedule(clipped, fewest.steps, options, plan);
    if (options.in_flight_max) throttle(clipped, *options.in_flight_max, options.moves_max, plan);
    // The fewest in any number of steps are also the fewest in this number.
    if (plan.at_most && plan.exchanges == plan.exchanges_fewest)
        plan.exchanges_fewest_in_these_steps = true;

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
