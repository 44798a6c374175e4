#include "equipoise/catalogue/runner/run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/counts.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/catalogue/runner/preparation.hpp"
#include "equipoise/catalogue/runner/same_run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/same_on_ranks.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/model/run/progress.hpp"
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
    const auto odd_speed = std::find_if(
        speeds.begin(), speeds.end(), [](Tokens speed) { return speed < 0 || speed > speed_max; });
    if (odd_speed != speeds.end())
        throw InputError("node " + network.name(static_cast<NodeId>(odd_speed - speeds.begin())) +
                         " has speed " + std::to_string(*odd_speed) + ": expected 0 to " +
                         std::to_string(speed_max));
    if (!speeds.empty() && *std::max_element(speeds.begin(), speeds.end()) == 0)
        throw InputError("expected a speed above 0 for at least one node, found none");
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
    if (algorithm.program) {
        if (!options.arrivals.empty() && !algorithm.bears_arrivals())
            throw UnsuitableError(
                algorithm.name +
                " does not support tokens that arrive and are consumed: expected no --arrivals");
        if (!options.churn.empty() && !algorithm.bears_churn())
            throw UnsuitableError(
                algorithm.name +
                " does not support nodes that leave and join: expected no --churn");
        return;
    }
    if (!algorithm.anytime)
        throw UnsuitableError(
            algorithm.name +
            " cannot run while tokens, nodes or links come and go: its steps depend on earlier "
            "ones; expected an anytime algorithm (see equipoise algorithms)");
}

std::unique_ptr<model::World> make_world(const network::AnyNetwork& network,
                                         const RunOptions& options, std::uint64_t load_scale) {
    if (!world_changes(options)) return nullptr;
    return std::make_unique<model::World>(
        options.arrivals.empty() ? nullptr
                                 : model::make_arrivals(options.arrivals, network, options.seed),
        options.churn.empty() ? nullptr : model::make_churn(options.churn, network, options.seed),
        load_scale);
}

/// Refuses options that the algorithm cannot use.
void expect_served(const Algorithm& algorithm, const NetworkFacts& facts,
                   const RunOptions& options) {
    const auto refuse = [&](const std::string& what) {
        throw UnsuitableError(algorithm.name + ' ' + what);
    };
    if (!effective_speeds(options.speeds).empty() && !algorithm.serves_speeds)
        refuse("works with equal speeds only: expected no --speeds");
    // Node programs level by shares, which may be 0; rules compare loads per unit of speed.
    const auto idle = std::find(options.speeds.begin(), options.speeds.end(), 0);
    if (idle != options.speeds.end() && !algorithm.program)
        refuse("cannot empty nodes: expected a speed of 1 or more for node " +
               facts.network().name(static_cast<NodeId>(idle - options.speeds.begin())) +
               ", found 0 (minimum-exchange-tree and plan --target speeds: take it)");
    if (!options.matchings.empty() && !algorithm.takes_matchings)
        refuse("has a schedule of its own: expected no --matchings");
    if (!options.weights.empty() && !algorithm.takes_weights)
        refuse("has no round matrix: expected no --matrix");
    if (options.with_deviation && !algorithm.measures_deviation)
        refuse("has no idealised process beside it: expected no --deviation");
    if (facts.given().tree != SpanningTree::breadth_first && !algorithm.takes_tree)
        refuse("does not run on a spanning tree: expected no --tree");
    if (!facts.given().colouring.empty() && !algorithm.takes_colouring)
        refuse("does not take its steps from an edge colouring: expected no --colouring");
    if (!options.weights.empty() && options.weights.size() != facts.network().link_count())
        throw InputError("expected one weight for each of " +
                         std::to_string(facts.network().link_count()) + " links, found " +
                         std::to_string(options.weights.size()));
}

/// The rule that was asked for, in units of the loads.
model::StopRule asked_stop(const Task& task, const RunOptions& options) {
    model::StopRule rule = *options.stop;
    if (rule.discrepancy && !options.stop_in_units)
        rule.discrepancy =
            checked_multiply(*rule.discrepancy, static_cast<Tokens>(task.load_scale));
    return rule;
}

/// Whether this many stable steps prove that no link becomes steep again: only if the algorithm's
/// own window proves it and is no longer.
bool proves_stability(Step steps, const DefaultStop& own) {
    return own.window_is_proof && own.rule.stable_steps && steps >= *own.rule.stable_steps;
}

/// The rule that will end the run, and whether it is the algorithm's own.
DefaultStop choose_stop(const Algorithm& algorithm, const Task& task, const RunOptions& options) {
    DefaultStop stop;
    if (options.stop) {
        stop.rule = asked_stop(task, options);
        stop.window_is_proof = false;
        if (!world_changes(options)) {
            const DefaultStop own = algorithm.default_stop(task);
            if (!options.steps_max) {
                stop = with_own_ends(stop.rule, own);
            } else if (stop.rule.stable_steps) {
                stop.window_is_proof = proves_stability(*stop.rule.stable_steps, own);
            }
        }
    } else if (world_changes(options)) {
        // A level network is not an end if tokens may arrive in the next round.
        stop.rule.own_termination = false;
    } else {
        stop = algorithm.default_stop(task);
    }
    if (world_changes(options) && !options.steps_max) stop.rule.steps_max = world_steps_default;
    if (options.steps_max && *options.steps_max < stop.rule.steps_max) {
        stop.rule.steps_max = *options.steps_max;
        stop.cap_means.clear();
    }
    return stop;
}

/// Whether a run ended as its caller asked.
bool satisfies(const model::StopRule& asked, const Ending& ending) {
    using model::StopReason;
    const StopReason reason = ending.reason;
    const bool at_rest = reason == StopReason::quiet || reason == StopReason::own_termination ||
                         reason == StopReason::nothing_to_do;
    return reason == StopReason::discrepancy ||
           (asked.discrepancy && ending.discrepancy <= *asked.discrepancy) ||
           (asked.one_balanced &&
            (reason == StopReason::one_balanced || ending.local_imbalance <= 1)) ||
           (asked.own_termination && at_rest) || (asked.quiet_steps && at_rest) ||
           (asked.stable_steps && (at_rest || reason == StopReason::stable));
}

/// The same for a run in a changing world: its only end is the one that was asked for.
bool reached_end(const Algorithm& algorithm, const Task& task, const RunOptions& options,
                 const DefaultStop& stop, model::StopReason reason, const model::Record& record) {
    if (reason == model::StopReason::steps_max && world_changes(options) && !options.stop)
        return true;
    std::optional<model::StopRule> asked;
    if (options.stop) asked = asked_stop(task, options);
    return reached_end(
        algorithm, asked ? &*asked : nullptr, stop,
        {reason, record.final_discrepancy, record.local_imbalance, record.speeds.empty()});
}

/// What `play` does on rank 0, told to all.
template <class Play>
engine::RoundOutcome play_on_rank_0(engine::Fabric& fabric, const Play& play) {
    engine::RoundOutcome played;
    engine::on_first(fabric, [&] { played = play(); });
    broadcast_value(fabric, played.costs);
    broadcast_value(fabric, played.created);
    broadcast_value(fabric, played.destroyed);
    broadcast_value(fabric, played.stopped_because);
    broadcast_values(fabric, played.loads);
    return played;
}

/// The ranks that the nodes of an asynchronous run are on; null if the run needs what only a
/// simulated world has, and is simulated.
engine::Fabric* ranks_of(const Algorithm& algorithm, const RunOptions& options) {
    if (options.fabric == nullptr || options.fabric->ranks() == 1 || !options.nodes_on_ranks ||
        !algorithm.program || !options.world.empty() || world_changes(options) || options.stop ||
        options.steps_max || options.deliveries != nullptr)
        return nullptr;
    return options.fabric;
}

engine::RoundOutcome play_program(const Algorithm& algorithm, const Task& task,
                                  const engine::RoundOptions& round, const RunOptions& options,
                                  engine::Fabric* ranks, model::Record& record) {
    const WorldTexts& world = options.world;
    engine::SimulationOptions simulated = world_of(algorithm, task.facts, world);
    simulated.replays = options.deliveries;
    simulated.fabric = ranks;
    // Only with its order of events can a run on ranks be repeated.
    const bool needs_order = (ranks != nullptr || options.deliveries != nullptr) &&
                             options.record_level != model::RecordLevel::summary;
    if ((options.record_level == model::RecordLevel::full || needs_order) &&
        !simulated.faults.any() && !world_changes(options))
        simulated.deliveries_max = deliveries_recorded_max;
    std::string delays = world.delays.empty() ? "unit" : world.delays;
    if (ranks != nullptr)
        delays = std::string(model::delays_on_ranks) + std::to_string(round.fabric->ranks());
    engine::ProgramCosts costs;
    engine::RoundOutcome played = algorithm.program->play(task, round, simulated, costs);
    if (ranks != nullptr) {
        broadcast_value(*round.fabric, played.costs);
        broadcast_value(*round.fabric, played.stopped_because);
    }
    if (simulated.faults.any())
        record.constants["faults_met"] = std::to_string(costs.lost) + " messages lost, " +
                                         std::to_string(costs.duplicated) + " doubled, " +
                                         std::to_string(costs.crashes) + " crashes";
    record.loads_may_be_negative = simulated.faults.corrupt_start;
    if (&algorithm.program->channels(task.facts) != &task.facts.stored() && !task.facts.tree())
        record.constants["runs_on"] = "a spanning tree";
    record.asynchrony = {
        std::move(delays),           world.adversary,   world.faults, costs.time,
        costs.largest_message_bits,  costs.memory_bits, costs.digest, algorithm.program->kinds,
        std::move(costs.deliveries), world.ports};
    return played;
}

/// Whether the promised steps hold in this world. Time is bounded in units of the longest delay:
/// steps count it with unit delays only.
bool bounds_steps(const Algorithm& algorithm, const model::Asynchrony& world) {
    return world.delays == "unit" && world.adversary.empty() &&
           (world.ports != "1" || algorithm.program->steps_hold_single_port);
}

bool plays_better_alone(const network::AnyNetwork& network, const RunOptions& options) {
    return options.may_play_alone && options.partition == nullptr &&
           (!options.churn.empty() || few_for_ranks(network.node_count(), options.fabric->ranks()));
}

engine::RoundOutcome play(const Algorithm& algorithm, const Task& task,
                          const engine::RoundOptions& round, const RunOptions& options,
                          model::Record& record) {
    engine::Fabric* const ranks = ranks_of(algorithm, options);
    const bool shared = round.fabric != nullptr && ranks == nullptr;
    if (shared && (!algorithm.plays_rounds() || plays_better_alone(task.facts.network(), options)))
        return play_on_rank_0(*round.fabric, [&] {
            engine::RoundOptions alone = round;
            RunOptions alone_too = options;
            alone.fabric = nullptr;
            alone_too.fabric = nullptr;
            return play(algorithm, task, alone, alone_too, record);
        });
    if (algorithm.program) return play_program(algorithm, task, round, options, ranks, record);
    if (algorithm.rounds != nullptr) return play_rounds(algorithm, task, round, record.constants);
    return algorithm.moves(task, round, record.constants);
}

void describe_network(const network::AnyNetwork& network, model::Record& record) {
    record.labels = network.labels();
    record.node_count = network.node_count();
    record.link_count = network.link_count();
    record.network_digest = network.visit([](const auto& graph) { return network::digest(graph); });
    record.generated = network::names_generator(network.labels().origin);
    if (record.generated) return;
    record.links = network::all_links(network);
}

/// What was asked for, and of which algorithm.
void describe_task(const Algorithm& algorithm, const Task& task, model::Record& record) {
    record.program_version = build_info().version;
    record.algorithm = algorithm.name;
    record.model = to_string(algorithm.model);
    record.parameters = task.parameters.texts();
    record.initial_loads = task.loads;
    record.speeds.assign(task.speeds.begin(), task.speeds.end());
    record.load_scale = task.load_scale;
    record.loads_may_be_negative = record.loads_may_be_negative || algorithm.loads_may_be_negative;
    if (algorithm.one_token_a_link) record.constants["tokens_a_link_and_step"] = "1";
    if (task.matchings != nullptr)
        record.constants["matchings"] = network::to_text(*task.matchings);
    task.facts.given().note_in(record.constants);
    if (task.weights != nullptr) record.constants["matrix"] = network::to_text(*task.weights);
}

/// Bounds on steps stop growing at the end of 64 bits; from there on they promise nothing.
model::Guarantee promise_of(const Algorithm& algorithm, const Task& task) {
    model::Guarantee promise = algorithm.promise(task);
    if (promise.steps && *promise.steps > count_max) promise.steps.reset();
    return promise;
}

/// By which rules the run ends, and which of them was asked for.
void describe_ends(const Task& task, const RunOptions& options, const DefaultStop& stop,
                   model::Record& record) {
    record.stop = to_text(stop.rule);
    record.asked_stop = options.stop ? to_text(asked_stop(task, options)) : "";
    record.steps_max = stop.rule.steps_max;
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
    expect_anytime(algorithm, options);
    expect_served(algorithm, facts, options);
    const engine::SimulationOptions world = world_of(algorithm, facts, options.world);
    if (options.world.delays.starts_with(model::delays_on_ranks) && options.deliveries == nullptr)
        throw InputError("delays \"" + options.world.delays +
                         "\": expected the order of deliveries of that run, which records of at "
                         "most " +
                         std::to_string(deliveries_recorded_max) + " events hold, found none");
    const Preparation prepared(algorithm, facts, loads, options);
    if (world.faults.any()) algorithm.program->expect_borne(prepared.task(), world.faults);
    if (world_changes(options) && options.with_deviation)
        throw UnsuitableError(algorithm.name +
                              ": the idealised process has no arrivals and no churn; expected "
                              "--deviation without --arrivals and --churn");
}

DefaultStop planned_stop(const Algorithm& algorithm, const NetworkFacts& facts,
                         const load::Loads& loads, const RunOptions& options) {
    const Preparation prepared(algorithm, facts, loads, options);
    return choose_stop(algorithm, prepared.task(), options);
}

DefaultStop with_own_ends(const model::StopRule& asked, const DefaultStop& own) {
    constexpr Step patience = 10;
    DefaultStop stop;
    stop.rule = asked;
    stop.rule.own_termination = asked.own_termination || own.rule.own_termination;
    stop.rule.one_balanced = asked.one_balanced || own.rule.one_balanced;
    if (!asked.quiet_steps) stop.rule.quiet_steps = own.rule.quiet_steps;
    if (!asked.stable_steps) stop.rule.stable_steps = own.rule.stable_steps;
    stop.window_is_proof = stop.rule.stable_steps && proves_stability(*stop.rule.stable_steps, own);
    if (own.rule.steps_max <= ~Step{0} / patience)
        stop.rule.steps_max = own.rule.steps_max * patience;
    return stop;
}

bool reached_end(const Algorithm& algorithm, const model::StopRule* asked, const DefaultStop& stop,
                 const Ending& ending) {
    using model::StopReason;
    if (ending.reason == StopReason::interrupted) return false;
    if (ending.reason == StopReason::steps_max && stop.cap_means.empty()) return false;
    if (asked != nullptr) return satisfies(*asked, ending);
    if (algorithm.goal_one_balanced && ending.equal_speeds && ending.local_imbalance > 1)
        return false;
    return !algorithm.goal_discrepancy || ending.discrepancy <= *algorithm.goal_discrepancy;
}

std::string reason_of(model::StopReason reason, const DefaultStop& stop) {
    if (reason == model::StopReason::stable && !stop.window_is_proof) return "no-progress";
    if (reason == model::StopReason::steps_max && !stop.cap_means.empty()) return stop.cap_means;
    return model::to_string(reason);
}

Outcome run(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
            const RunOptions& options) {
    expect_same_run(algorithm, facts, loads, options);
    std::optional<Preparation> prepared;
    DefaultStop stop;
    std::unique_ptr<model::World> world;
    engine::try_together(options.fabric, [&] {
        expect_runnable(algorithm, facts, loads, options);
        prepared.emplace(algorithm, facts, loads, options);
        stop = choose_stop(algorithm, prepared->task(), options);
        world = make_world(facts.network(), options, prepared->task().load_scale);
    });
    const Task task = prepared->task();
    // Bounds that are computed in floating point may differ from machine to machine.
    if (options.fabric != nullptr) broadcast_value(*options.fabric, stop.rule);

    model::Recorder recorder(options.record_level, options.samples);
    model::ProgressObserver progress(options.progress, stop.rule.steps_max, task.load_scale);
    std::vector<model::Observer*> observers = {&recorder};
    if (options.progress) observers.push_back(&progress);
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
    round.speeds = task.speeds;
    round.environment = world.get();
    round.fabric = options.fabric;
    round.partition = options.partition;
    const auto begin = std::chrono::steady_clock::now();
    engine::RoundOutcome played = play(algorithm, task, round, options, record);
    record.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    record.seed = options.seed;
    describe_ends(task, options, stop, record);
    describe_task(algorithm, task, record);
    describe_network(facts.network(), record);
    recorder.move_into(record);
    record.arrivals = options.arrivals;
    record.churn = options.churn;
    if (world != nullptr) record.world = world_observer.figures();
    record.final_loads = std::move(played.loads);
    record.costs = played.costs;
    record.initial_discrepancy = load::discrepancy(record.initial_loads);
    record.final_discrepancy = load::discrepancy(record.final_loads);
    record.local_imbalance = facts.network().visit([&](const auto& graph) {
        return load::local_imbalance(graph, std::span<const Tokens>(record.final_loads));
    });
    // A rule of the caller may end the run before any theorem applies, and only the theorems about
    // node programs cover speeds.
    if (!options.stop && world == nullptr && (record.speeds.empty() || algorithm.program))
        record.guarantee = promise_of(algorithm, task);
    if (record.asynchrony && !bounds_steps(algorithm, *record.asynchrony))
        record.guarantee.steps.reset();
    record.reached = reached_end(algorithm, task, options, stop, played.stopped_because, record);
    record.stopped_because = reason_of(played.stopped_because, stop);
    describe_outcome(record, outcome);
    return outcome;
}

Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
            const load::Loads& loads, const RunOptions& options) {
    return run(find_algorithm(algorithm), NetworkFacts(network), loads, options);
}

}  // namespace equipoise::catalogue
