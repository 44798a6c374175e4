#include "equipoise/replication/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/replication/search/pools.hpp"

namespace equipoise::replication {

namespace {

/// floor(bound * level), at least `level`.
Tokens times(double bound, Tokens level) {
    const double limit = std::floor(bound * static_cast<double>(level));
    if (limit >= static_cast<double>(tokens_max)) return tokens_max;
    return std::max(level, static_cast<Tokens>(limit));
}

/// Whether all placements are soon searched: there are few slots, and few ways to fill them.
bool is_tiny(const Problem& problem) {
    constexpr std::uint32_t most_slots = 1'000;  // the search goes a call deeper for each
    constexpr double most = 50'000;
    if (problem.all_slots() > most_slots) return false;
    double contents = 1;
    for (std::uint32_t slot = 0; slot < problem.slots; ++slot)
        contents *= static_cast<double>(problem.items() - slot) / (slot + 1);
    return std::pow(contents, problem.machines) <= most;
}

/// Sets the placement, the limit and both bounds, by search of all placements. False, with nothing
/// set, if that takes too long.
bool take_best(const Problem& problem, double bound, Plan& plan) {
    constexpr std::uint64_t effort = 1'000'000;
    const std::optional<BestPlacement> lowest = best_placement(problem, std::nullopt, effort);
    if (!lowest) return false;
    const Tokens limit = times(bound, lowest->largest);
    // Where nothing is there yet, every placement copies the same, and a lower level costs nothing.
    const std::optional<BestPlacement> best =
        problem.placement.empty() ? lowest : best_placement(problem, limit, effort);
    if (!best) return false;
    const char* reason = "all placements were searched";
    plan.largest = {lowest->largest, reason};
    plan.limit = limit;
    plan.placement = in_former_slots(problem, best->placement);
    plan.copied = {static_cast<Tokens>(best->copied), reason};
    return true;
}

}  // namespace

Plan make_plan(const Problem& problem, const Options& options) {
    problem.check();
    if (!(options.bound >= 1))
        throw InputError("expected a bound of 1 or more, found " + std::to_string(options.bound));
    if (options.at_once < 1)
        throw InputError("expected at least 1 copy at once, found " +
                         std::to_string(options.at_once));
    refuse_unsuitable(problem);
    Plan plan;
    if (options.most_copied || !is_tiny(problem) || !take_best(problem, options.bound, plan)) {
        plan.largest = largest_at_least(problem);
        plan.limit = times(options.bound, plan.largest.at_least);
        plan.placement = search_placement(problem, {.limit = plan.limit,
                                                    .most_copied = options.most_copied,
                                                    .effort = options.effort,
                                                    .seed = options.seed,
                                                    .stop = options.stop});
    }
    if (!problem.placement.empty()) plan.before = stand(problem, problem.placement);
    plan.after = stand(problem, plan.placement);
    if (plan.copied.reason.empty())
        plan.copied = copied_at_least(problem, std::max(plan.limit, plan.after.largest));
    plan.transfers = plan_transfers(problem, plan.placement, options.at_once);
    EQUIPOISE_ASSERT(plan.after.allowed);
    EQUIPOISE_ASSERT(fault_of(problem, plan.placement, plan.transfers, options.at_once).empty());
    return plan;
}

}  // namespace equipoise::replication
