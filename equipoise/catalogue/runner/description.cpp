#include "equipoise/catalogue/runner/description.hpp"

#include <string>
#include <utility>

#include "equipoise/base/counts.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/catalogue/runner/ending.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {

namespace {

void describe_network(const network::AnyNetwork& network, model::Record& record) {
    record.labels = network.labels();
    record.node_count = network.node_count();
    record.link_count = network.link_count();
    record.network_digest = network.visit([](const auto& graph) { return network::digest(graph); });
    record.generated = network::names_generator(network.labels().origin);
    if (record.generated) return;
    record.links = network::all_links(network);
}

/// The promise of the algorithm, without a bound on steps beyond 64 bits.
model::Guarantee promise_of(const Algorithm& algorithm, const Task& task) {
    model::Guarantee promise = algorithm.promise(task);
    if (promise.steps && *promise.steps > count_max) promise.steps.reset();
    return promise;
}

/// Whether the promise about steps applies. Time is bounded in units of the longest delay, and only
/// with unit delays do steps count it.
bool bounds_steps(const Algorithm& algorithm, const model::Asynchrony& asynchrony) {
    return asynchrony.delays == "unit" && asynchrony.adversary.empty() &&
           (asynchrony.ports != "1" || algorithm.program->steps_hold_single_port);
}

/// The promise of the theorem for this particular run: none if the caller's rule may end it before
/// the theorem applies, or if the world changes; with speeds, only theorems about node programs
/// promise anything.
model::Guarantee guarantee_of(const Algorithm& algorithm, const Task& task,
                              const RunOptions& options, const model::Record& record) {
    model::Guarantee guarantee;
    if (!options.stop && !options.world_changes() && (task.speeds.empty() || algorithm.program))
        guarantee = promise_of(algorithm, task);
    if (record.asynchrony && !bounds_steps(algorithm, *record.asynchrony)) guarantee.steps.reset();
    return guarantee;
}

}  // namespace

void describe_task(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                   const DefaultStop& stop, model::Record& record) {
    describe_network(task.facts.network(), record);
    record.program_version = build_info().version;
    record.algorithm = algorithm.name;
    record.given_rule = algorithm.is_given;
    record.model = to_string(algorithm.model);
    record.parameters = task.parameters.texts();
    record.initial_loads = task.loads;
    record.speeds.assign(task.speeds.begin(), task.speeds.end());
    record.load_scale = task.load_scale;
    record.loads_may_be_negative = record.loads_may_be_negative || algorithm.loads_may_be_negative;
    record.one_token_a_link = algorithm.one_token_a_link;
    if (task.matchings != nullptr) record.matchings = *task.matchings;
    record.given = task.facts.given();
    if (task.weights != nullptr) record.matrix = *task.weights;
    record.seed = options.seed;
    record.arrivals = options.arrivals;
    record.churn = options.churn;
    record.stop = to_text(stop.rule);
    record.asked_stop = options.stop ? to_text(*asked_stop(task, options)) : "";
    record.steps_max = stop.rule.steps_max;
}

void describe_end(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                  const DefaultStop& stop, engine::RoundOutcome played, const FinalFigures& figures,
                  model::Record& record) {
    if (played.final_loads != model::FinalLoads::apart)
        record.final_loads = std::move(played.loads);
    record.costs = played.costs;
    record.initial_discrepancy = load::discrepancy(record.initial_loads);
    record.final_discrepancy = figures.discrepancy;
    record.level_since = played.level_since;
    record.local_imbalance = figures.local_imbalance;
    record.guarantee = guarantee_of(algorithm, task, options, record);
    const bool only_cap = options.world_changes() && !options.stop;
    record.reached = (only_cap && played.stopped_because == model::StopReason::steps_max) ||
                     reached_end(algorithm, asked_stop(task, options), stop,
                                 {played.stopped_because, record.final_discrepancy,
                                  record.local_imbalance, record.speeds.empty()});
    record.stopped_because = reason_of(played.stopped_because, stop);
}

}  // namespace equipoise::catalogue
