#include "equipoise/catalogue/studies/best_possible.hpp"

#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/timed_stop.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "equipoise/optimum/exchanges/exchanges_bound.hpp"
#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/fewest_steps.hpp"

namespace equipoise::catalogue {

BestPossible::BestPossible(const network::AnyNetwork& network, const load::Loads& loads,
                           std::span<const Tokens> speeds) {
    const network::Network stored(network.node_count(), network::all_links(network));
    const std::vector<std::uint64_t> own_speeds(speeds.begin(), speeds.end());
    target_ = optimum::floor_or_ceiling(loads, own_speeds);
    const optimum::Problem problem = {&stored, loads, target_, {}, {}, {}};
    optimum::expect_countable_exchanges(problem);
    // A run is shown beside what is soon found; `plan` has all the time that it is given.
    constexpr double seconds_max = 60;
    const TimedStop end({}, TimeLimit(seconds_max).after(1));
    const optimum::EnclosedSteps steps = optimum::fewest_steps(problem, {.stop = end.token()});
    figures_.steps_at_least = steps.at_least;
    figures_.steps_at_most = steps.at_most;
    figures_.exchanges = optimum::minimum_exchanges(stored, loads, speeds).exchanges;
    figures_.moves = optimum::minimum_moves(loads, target_);
}

void BestPossible::note_in(model::Record& record, const Algorithm& algorithm) const {
    if (record.load_scale != 1 || !record.arrivals.empty() || !record.churn.empty()) return;
    if (!target_.allows(record.final_loads)) return;
    record.optimum = {figures_.exchanges, std::nullopt};
    if (moves_single_tokens(algorithm) && figures_.exact())
        record.optimum->steps = figures_.steps_at_least;
}

}  // namespace equipoise::catalogue
