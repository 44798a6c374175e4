// Theorem 5. Let G be a connected graph with diameter d. Given an arbitrary initial distribution of
// tokens on G, the THRESHOLD-2 protocol will determine a distribution on G with discrepancy at most
// d.
//
// Its proof also shows that the bound is attained: distances from the end of a longest shortest
// path are a stable distribution of discrepancy d.

#include <algorithm>

#include <gtest/gtest.h>

#include "equipoise/protocols/threshold.hpp"
#include "equipoise/theory/dimension_exchange.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/threshold_play.hpp"

namespace equipoise::test {
namespace {

/// Distances from a node, by relaxation.
load::Loads distances(const network::Network& graph, NodeId from) {
    load::Loads distance(graph.node_count(), graph.node_count());
    distance[from] = 0;
    for (NodeId pass = 0; pass < graph.node_count(); ++pass)
        for (const auto& [tail, head] : graph.links()) {
            distance[tail] = std::min(distance[tail], distance[head] + 1);
            distance[head] = std::min(distance[head], distance[tail] + 1);
        }
    return distance;
}

/// The distances from an end of a longest shortest path.
load::Loads longest_distances(const network::Network& graph) {
    load::Loads longest;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const load::Loads here = distances(graph, node);
        if (longest.empty() || load::discrepancy(here) > load::discrepancy(longest)) longest = here;
    }
    return longest;
}

void check(const network::Network& graph, const network::EdgeColouring& colouring,
           const load::Loads& loads, Tokens bound) {
    auto schedule = model::colour_schedule(graph, colouring);
    engine::RoundOptions options;
    options.stop.quiet_steps = schedule.period();
    const auto outcome =
        engine::run_rounds(protocols::Threshold2{}, schedule, loads, graph, options);
    ASSERT_EQ(outcome.stopped_because, model::StopReason::quiet);
    ASSERT_EQ(load::total(outcome.loads), load::total(loads));
    ASSERT_LE(load::discrepancy(outcome.loads), bound);
}

TEST(Theorem5Threshold2, EndsWithDiscrepancyAtMostTheDiameterOnAllGraphsUpToSixNodes) {
    RandomStream random(6, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes)) {
            const Tokens bound = theory::threshold_2_discrepancy_bound(
                static_cast<std::uint64_t>(load::discrepancy(longest_distances(graph))));
            const auto greedy = greedy_colouring(graph);
            const Tokens most = nodes <= 4 ? 4 : nodes == 5 ? 3 : 2;
            for_each_loads(nodes, most, [&](const load::Loads& loads) {
                if (!HasFatalFailure()) check(graph, greedy, loads, bound);
            });
            for (int i = 0; i < 3; ++i) {
                const auto colouring = random_colouring(graph, random);
                for (const load::Loads& loads : uneven_loads(nodes, 25, 10, random)) {
                    check(graph, colouring, loads, bound);
                    if (HasFatalFailure()) return;
                }
            }
        }
}

TEST(Theorem5Threshold2, TheBoundIsAttainedOnEveryGraph) {
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes)) {
            const load::Loads worst = longest_distances(graph);
            Play<protocols::Threshold2> play({}, graph, greedy_colouring(graph), worst);
            play.steps_of(play.chi());
            ASSERT_EQ(play.copy(), worst);
        }
}

TEST(Theorem5Threshold2, HoldsOnRandomGraphsOfAHundredNodes) {
    RandomStream random(7, Purpose::sampling);
    for (int i = 0; i < 10; ++i) {
        const auto graph = random_connected_graph(100, random.below(150), random);
        check(graph, random_colouring(graph, random), random_loads(100, 60, random),
              load::discrepancy(longest_distances(graph)));
    }
}

}  // namespace
}  // namespace equipoise::test
