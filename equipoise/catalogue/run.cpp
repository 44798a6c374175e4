#include "equipoise/catalogue/run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/build_info.hpp"
#include "equipoise/catalogue/progress.hpp"
#include "equipoise/catalogue/stop.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/model/run/recorder.hpp"
#include "equipoise/model/run/world.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {

namespace {

void expect_loads(const network::AnyNetwork& network, const load::Loads& loads,
                  const load::Loads& speeds) {
    const auto expect_one_a_node = [&](const load::Loads& values, const char* what) {
        if (values.size() != network.node_count())
            throw InputError("expected one " + std::string(what) + " for each of " +
                             std::to_string(network.node_count()) + " nodes, found " +
                             std::to_string(values.size()));
    };
    if (network.node_count() == 0) throw InputError("the network has no nodes");
    expect_one_a_node(loads, "load");
    if (!speeds.empty()) expect_one_a_node(speeds, "speed");
    const auto negative =
        std::find_if(loads.begin(), loads.end(), [](Tokens load) { return load < 0; });
    if (negative != loads.end())
        throw InputError("node " + network.name(static_cast<NodeId>(negative - loads.begin())) +
                         " has " + std::to_string(*negative) + " tokens: expected 0 or more");
    static_cast<void>(load::total(loads));
}

/// Whether tokens, nodes or links come and go.
bool world_changes(const RunOptions& options) {
    return !options.arrivals.empty() || !options.churn.empty();
}

void expect_anytime(const Algorithm& algorithm, const RunOptions& options) {
    if (!world_changes(options)) return;
    if (!algorithm.anytime)
        throw UnsuitableError(
            algorithm.name +
            " cannot run while tokens, nodes or links come and go: its steps depend on what has "
            "been; expected an anytime algorithm (see equipoise algorithms)");
    if (!options.churn.empty() && options.record_level == model::RecordLevel::full)
        throw InputError(
            "a full record cannot hold what leaving nodes hand over: expected summary "
            "or sampled with churn");
}

std::unique_ptr<model::World> make_world(const network::AnyNetwork& network,
                                         const RunOptions& options) {
    if (!world_changes(options)) return nullptr;
    return std::make_unique<model::World>(
        options.arrivals.empty() ? nullptr
                                 : model::make_arrivals(options.arrivals, network, options.seed),
        options.churn.empty() ? nullptr : model::make_churn(options.churn, network, options.seed));
}

/// The rule that will end the run, and whether it is the algorithm's own.
DefaultStop choose_stop(const Algorithm& algorithm, const Task& task, const RunOptions& options) {
    DefaultStop stop;
    if (options.stop) {
        stop.rule = *options.stop;
    } else if (world_changes(options)) {
        // A level network is no end where tokens may arrive in the next round.
        stop.rule.own_termination = false;
    } else {
        stop = algorithm.default_stop(task);
    }
    if (world_changes(options) && !options.steps_max) stop.rule.steps_max = world_steps_default;
    if (options.steps_max) stop.rule.steps_max = std::min(stop.rule.steps_max, *options.steps_max);
    return stop;
}

/// Whether the run came to the end that was asked for: a cap or an interrupt is none, and neither
/// is the algorithm's own end short of its goal.
bool reached_end(const Algorithm& algorithm, const RunOptions& options, model::StopReason reason,
                 Tokens discrepancy) {
    // A changing world has no end but the one that was asked for.
    if (reason == model::StopReason::steps_max && world_changes(options) && !options.stop)
        return true;
    if (reason == model::StopReason::steps_max || reason == model::StopReason::interrupted)
        return false;
    return options.stop || !algorithm.goal_discrepancy ||
           discrepancy <= *algorithm.goal_discrepancy;
}

void describe_network(const network::AnyNetwork& network, model::Record& record) {
    record.labels = network.labels();
    record.node_count = network.node_count();
    record.link_count = network.link_count();
    record.network_digest = network.visit([](const auto& graph) { return network::digest(graph); });
    record.generated = network::names_generator(network.labels().origin);
    if (record.generated) return;
    record.links.reserve(network.link_count());
    for (LinkId link = 0; link < network.link_count(); ++link)
        record.links.push_back(network.ends(link));
}

void describe_outcome(const model::Record& record, Outcome& outcome) {
    outcome.loads = record.final_loads;
    outcome.steps = record.costs.steps;
    outcome.rounds = record.costs.rounds;
    outcome.exchanges = record.costs.exchanges;
    outcome.messages = record.costs.messages;
    outcome.initial_discrepancy = record.initial_discrepancy;
    outcome.discrepancy = record.final_discrepancy;
    outcome.local_imbalance = record.local_imbalance;
    outcome.guarantee = record.guarantee;
    outcome.reached = record.reached;
    outcome.stopped_because = record.stopped_because;
    outcome.seconds = record.seconds;
}

}  // namespace

void Outcome::write(const std::string& path) const {
    model::write_record(record, path);
}

void expect_runnable(const Algorithm& algorithm, const NetworkFacts& facts,
                     const load::Loads& loads, const RunOptions& options) {
    expect_loads(facts.network(), loads, options.speeds);
    const Parameters parameters(algorithm.name, algorithm.parameters, options.parameters);
    algorithm.expect_suitable({facts, loads, parameters});
    expect_anytime(algorithm, options);
}

model::StopRule stop_rule_of(const Algorithm& algorithm, const NetworkFacts& facts,
                             const load::Loads& loads, const RunOptions& options) {
    const Parameters parameters(algorithm.name, algorithm.parameters, options.parameters);
    return choose_stop(algorithm, {facts, loads, parameters}, options).rule;
}

Outcome run(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
            const RunOptions& options) {
    expect_runnable(algorithm, facts, loads, options);
    const Parameters parameters(algorithm.name, algorithm.parameters, options.parameters);
    const Task task{facts, loads, parameters};
    const DefaultStop stop = choose_stop(algorithm, task, options);

    model::Recorder recorder(options.record_level, options.samples);
    ProgressObserver progress(options.progress, stop.rule.steps_max);
    std::vector<model::Observer*> observers = {&recorder};
    if (options.progress) observers.push_back(&progress);
    const std::unique_ptr<model::World> world = make_world(facts.network(), options);
    model::WorldObserver world_observer;
    if (world != nullptr) observers.push_back(&world_observer);

    Outcome outcome;
    model::Record& record = outcome.record;
    engine::RoundOptions round;
    round.seed = options.seed;
    round.threads = options.threads;
    round.stop = stop.rule;
    round.interrupt = options.interrupt;
    round.observers = observers;
    round.speeds = options.speeds;
    round.environment = world.get();
    const auto begin = std::chrono::steady_clock::now();
    engine::RoundOutcome played = algorithm.play(task, round, record.constants);
    record.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    record.program_version = build_info().version;
    record.algorithm = algorithm.name;
    record.model = to_string(algorithm.model);
    record.parameters = parameters.texts();
    record.seed = options.seed;
    record.stop = to_text(stop.rule);
    record.steps_max = stop.rule.steps_max;
    describe_network(facts.network(), record);
    record.initial_loads = loads;
    record.speeds = options.speeds;
    record.loads_may_be_negative = algorithm.loads_may_be_negative;
    recorder.move_into(record);
    record.arrivals = options.arrivals;
    record.churn = options.churn;
    if (world != nullptr) record.world = world_observer.figures();
    record.final_loads = std::move(played.loads);
    record.costs = played.costs;
    record.initial_discrepancy = load::discrepancy(loads);
    record.final_discrepancy = load::discrepancy(record.final_loads);
    record.local_imbalance = facts.network().visit([&](const auto& graph) {
        return load::local_imbalance(graph, std::span<const Tokens>(record.final_loads));
    });
    // A rule of the caller's may end the run before any theorem speaks.
    if (!options.stop && world == nullptr) record.guarantee = algorithm.promise(task);
    record.reached =
        reached_end(algorithm, options, played.stopped_because, record.final_discrepancy);
    record.stopped_because = model::to_string(played.stopped_because);
    if (played.stopped_because == model::StopReason::stable && !stop.window_is_proof)
        record.stopped_because = "no-progress";
    describe_outcome(record, outcome);
    return outcome;
}

Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
            const load::Loads& loads, const RunOptions& options) {
    return run(find_algorithm(algorithm), NetworkFacts(network), loads, options);
}

}  // namespace equipoise::catalogue
