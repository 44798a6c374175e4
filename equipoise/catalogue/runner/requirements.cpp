#include "equipoise/catalogue/runner/requirements.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/asynchrony.hpp"
#include "equipoise/catalogue/runner/playing.hpp"

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

void expect_anytime(const Algorithm& algorithm, const RunOptions& options) {
    const bool arrivals = !options.arrivals.empty();
    const bool churn = !options.churn.empty();
    const auto supports = [&](const Algorithm& one) {
        return (!arrivals || one.supports_arrivals()) && (!churn || one.supports_churn());
    };
    if (!options.world_changes() || supports(algorithm)) return;
    std::vector<std::string> others;
    for (const Algorithm& other : algorithms())
        if (supports(other)) others.push_back(other.name);
    throw UnsuitableError(algorithm.name + " does not support " +
                          (arrivals && !algorithm.supports_arrivals() ? "--arrivals" : "--churn") +
                          "; these algorithms do: " + listed(others, ", "));
}

/// Refuses options that the algorithm cannot use.
void expect_served(const Algorithm& algorithm, const NetworkFacts& facts,
                   const RunOptions& options) {
    const auto refuse = [&](const std::string& what) {
        throw UnsuitableError(algorithm.name + ' ' + what);
    };
    if (!effective_speeds(options.speeds).empty() && !algorithm.serves_speeds)
        refuse("works with equal speeds only: --speeds cannot be used with it");
    // Node programs level by shares, which may be 0; rules compare loads per unit of speed.
    const auto idle = std::find(options.speeds.begin(), options.speeds.end(), 0);
    if (idle != options.speeds.end() && !algorithm.program)
        refuse("cannot empty nodes: expected a speed of 1 or more for node " +
               facts.network().name(static_cast<NodeId>(idle - options.speeds.begin())) +
               ", found 0 (minimum-exchange-tree accepts 0, as does plan --target "
               "speeds:FILE)");
    if (!options.matchings.empty() && !algorithm.takes_matchings)
        refuse("has a schedule of its own: --matchings cannot be used with it");
    if (!options.weights.empty() && !algorithm.takes_weights)
        refuse("has no round matrix: --matrix cannot be used with it");
    if (options.reorder != network::NodeOrder::natural) {
        if (!algorithm.plays_rounds())
            refuse("does not play synchronous rounds: --reorder cannot be used with it");
        if (!options.churn.empty())
            refuse(
                "cannot hold a changing network in another order: --reorder cannot be used "
                "with --churn");
    }
    if (options.with_deviation && !algorithm.measures_deviation) {
        std::vector<std::string> others;
        for (const Algorithm& other : algorithms())
            if (other.measures_deviation) others.push_back(other.name);
        refuse(
            "is not compared with an idealised process: --deviation cannot be used with it; it "
            "can with " +
            listed(others, ", "));
    }
    if (facts.given().tree != network::SpanningTree::breadth_first) expect_takes_tree(algorithm);
    if (!facts.given().colouring.empty() && !algorithm.takes_colouring)
        refuse(
            "does not take its steps from an edge colouring: --colouring cannot be used with it");
    const LinkId links = facts.network().link_count();
    if (!options.weights.empty() && options.weights.size() != links &&
        options.weights.size() != 2 * links)
        throw InputError("expected one weight, or two, for each of " + std::to_string(links) +
                         " links, found " + std::to_string(options.weights.size()));
}

}  // namespace

void expect_takes_tree(const Algorithm& algorithm) {
    if (!algorithm.takes_tree)
        throw UnsuitableError(algorithm.name +
                              " does not run on a spanning tree: --tree cannot be used with it");
}

Preparation prepare(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
                    const RunOptions& options) {
    expect_loads(facts.network(), loads, options.speeds);
    expect_anytime(algorithm, options);
    expect_served(algorithm, facts, options);
    const engine::SimulationOptions asynchrony =
        simulation_options(algorithm, facts, options.asynchrony);
    if (options.replayed_ranks > 0 && options.deliveries == nullptr)
        throw InputError("a run whose nodes were on " + counted(options.replayed_ranks, "rank") +
                         " is replayed from its order of deliveries: expected a record that holds "
                         "this order (runs of at most " +
                         std::to_string(deliveries_recorded_max) + " events have one), found none");
    Preparation prepared(algorithm, facts, loads, options);
    if (asynchrony.faults.any())
        algorithm.program->expect_supported(prepared.task(), asynchrony.faults);
    if (options.world_changes() && options.with_deviation)
        throw UnsuitableError(algorithm.name +
                              ": the idealised process has no arrivals and no churn: --deviation "
                              "cannot be used with --arrivals or --churn");
    return prepared;
}

}  // namespace equipoise::catalogue
