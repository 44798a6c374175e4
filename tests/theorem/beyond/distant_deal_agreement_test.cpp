// Dinitz, Dolev, Kumar 2020, Section 6: "our scheme and concept can be easily extended e.g., to
// transfer loads directly up to a certain distance". docs/results/rings-and-distances.md proves for
// the extension of Algorithm 2 to distance k: rounds are monotone, every round with a deal lowers
// the potential sum (x - mean)^2 by at least 2 and makes the largest deal that any node proposed;
// after a round without one, nodes within distance k differ by at most 1, so the discrepancy is at
// most ceil(D / k).

#include "equipoise/protocols/distant_deal_agreement.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/deal_play.hpp"

namespace equipoise::test::distant_deal_agreement {
namespace {

using protocols::DistantDealAgreement;

/// The loads after a number of rounds.
load::Loads after_rounds(const network::Network& graph, const load::Loads& loads,
                         std::size_t distance, Step rounds) {
    const DistantDealAgreement rule(distance);
    model::AllLinks schedule(graph);
    engine::RoundOptions options;
    options.stop.own_termination = false;
    options.stop.steps_max = rounds * rule.phases();
    return engine::run_rounds(rule, schedule, loads, graph, options).loads;
}

/// The largest deal that is possible between two nodes within the distance.
Tokens largest_deal(const std::vector<std::vector<std::uint32_t>>& apart, const load::Loads& loads,
                    std::size_t distance) {
    Tokens largest = 0;
    for (NodeId u = 0; u < loads.size(); ++u)
        for (NodeId v = 0; v < loads.size(); ++v)
            if (apart[u][v] <= distance) largest = std::max(largest, (loads[u] - loads[v]) / 2);
    return largest;
}

void check_run(const network::Network& graph, load::Loads loads, std::size_t distance) {
    std::vector<std::vector<std::uint32_t>> apart;
    std::uint64_t diameter = 0;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        apart.push_back(network::distances_from(graph, node));
        diameter = std::max<std::uint64_t>(
            diameter, *std::max_element(apart.back().begin(), apart.back().end()));
    }
    const std::uint64_t rounds_most =
        theory::deal_rounds_by_potential(load::potential(loads), graph.node_count());
    std::uint64_t rounds = 0;
    for (Tokens deal = largest_deal(apart, loads, distance); deal > 0;
         deal = largest_deal(apart, loads, distance)) {
        const load::Loads after = after_rounds(graph, loads, distance, 1);
        ASSERT_EQ(load::total(after), load::total(loads));
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        for (const Tokens load : after) {
            ASSERT_GE(load, *least);
            ASSERT_LE(load, *most);
        }
        ASSERT_GE(load::potential(loads) - load::potential(after),
                  Int128{2} * deal * deal * graph.node_count());
        loads = after;
        ++rounds;
    }
    ASSERT_LE(rounds, rounds_most);
    ASSERT_EQ(after_rounds(graph, loads, distance, 1), loads);
    ASSERT_LE(load::discrepancy(loads), theory::balanced_within_distance(diameter, distance));
}

TEST(DistantDeals, EndLevelWithinTheDistanceOnAllGraphsUpToFiveNodes) {
    RandomStream random(36, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (std::size_t distance = 1; distance <= DistantDealAgreement::distance_max;
                 ++distance) {
                for_each_loads(
                    nodes,
                    nodes <= 3   ? 5
                    : nodes == 4 ? 3
                                 : 2,
                    [&](const load::Loads& loads) { check_run(graph, loads, distance); });
                for (const load::Loads& loads : uneven_loads(nodes, 60, 4, random))
                    check_run(graph, loads, distance);
            }
}

TEST(DistantDeals, EndLevelWithinTheDistanceOnLargerGraphs) {
    RandomStream random(37, Purpose::sampling);
    for (int i = 0; i < 30; ++i) {
        const auto nodes = static_cast<NodeId>(7 + random.below(24));
        const network::Network graph = random_connected_graph(nodes, random.below(12), random);
        for (std::size_t distance = 1; distance <= DistantDealAgreement::distance_max; ++distance)
            check_run(graph, random_loads(nodes, 200, random), distance);
    }
}

TEST(DistantDeals, AreThoseOfAlgorithm2WithDistanceOne) {
    RandomStream random(38, Purpose::sampling);
    for (int i = 0; i < 40; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(20));
        const network::Network graph = random_connected_graph(nodes, random.below(20), random);
        const load::Loads loads = random_loads(nodes, 90, random);
        DealPlay<protocols::DealAgreement2> play({}, graph, loads);
        for (Step round = 1; round <= 12; ++round) {
            static_cast<void>(play.round());
            ASSERT_EQ(after_rounds(graph, loads, 1, round), play.loads());
        }
    }
}

/// The bound is attained: steps of height 1, each k nodes wide, along a path.
TEST(DistantDeals, LeaveStairsOfWidthKAlone) {
    for (std::size_t distance = 1; distance <= DistantDealAgreement::distance_max; ++distance) {
        const NodeId nodes = 4 * static_cast<NodeId>(distance) + 1;
        std::vector<Ends> links;
        load::Loads loads;
        for (NodeId node = 0; node < nodes; ++node) {
            if (node + 1 < nodes) links.push_back({node, node + 1});
            loads.push_back(static_cast<Tokens>((node + distance - 1) / distance));
        }
        const network::Network path(nodes, std::move(links));
        EXPECT_EQ(after_rounds(path, loads, distance, 3), loads);
        EXPECT_EQ(load::discrepancy(loads), theory::balanced_within_distance(nodes - 1, distance));
    }
}

}  // namespace
}  // namespace equipoise::test::distant_deal_agreement
