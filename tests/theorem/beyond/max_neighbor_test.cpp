// Max neighbor, after Dinitz, Fineman, Gilbert, Newport 2017 (rule reconstructed, proofs in
// docs/results/changing-networks.md).
//
// Lemma 1. The largest load never rises and the smallest never falls. If D >= 2 is the largest
// difference over a link, a round lowers the sum of squares by floor(D^2 / 2) or more with
// probability at least 1/4.
//
// Theorem 2. On a connected network that stays as it is, the discrepancy is at most 1 in the end
// with probability 1.

#include "equipoise/protocols/max_neighbor.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise::test::max_neighbor {
namespace {

using load::Loads;

Tokens squares(const Loads& loads) {
    Tokens sum = 0;
    for (const Tokens load : loads)
        sum += load * load;
    return sum;
}

Tokens difference(const Loads& loads, NodeId a, NodeId b) {
    return std::max(loads[a], loads[b]) - std::min(loads[a], loads[b]);
}

Tokens steepest(const network::Network& graph, const Loads& loads) {
    Tokens most = 0;
    for (const auto& [tail, head] : graph.links())
        most = std::max(most, difference(loads, tail, head));
    return most;
}

/// The neighbour among `candidates` whose load differs most from that of `node`, the first of them
/// in the order of ports; `node` itself if all have its load.
NodeId most_different(const network::Network& graph, const Loads& loads, NodeId node,
                      const std::vector<bool>& candidates) {
    NodeId most = node;
    for (Port port = 0; port < graph.degree(node); ++port) {
        const NodeId other = graph.neighbour(node, port);
        if (candidates[other] && difference(loads, node, other) > difference(loads, node, most))
            most = other;
    }
    return most;
}

/// The rule written down once more: the pairs that share evenly in a round in which the nodes of
/// `proposers` (bit by bit) propose.
std::vector<Ends> pairs(const network::Network& graph, const Loads& loads,
                        std::uint64_t proposers) {
    const NodeId nodes = graph.node_count();
    std::vector<NodeId> asked(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        asked[node] = (proposers >> node & 1U) != 0
                          ? most_different(graph, loads, node, std::vector<bool>(nodes, true))
                          : node;
    std::vector<Ends> matched;
    for (NodeId node = 0; node < nodes; ++node) {
        if ((proposers >> node & 1U) != 0) continue;
        std::vector<bool> asks(nodes, false);
        for (NodeId other = 0; other < nodes; ++other)
            asks[other] = other != node && asked[other] == node;
        const NodeId chosen = most_different(graph, loads, node, asks);
        if (chosen != node) matched.push_back({chosen, node});
    }
    return matched;
}

/// Calls `visit(loads)` with what may come out of a round with these pairs, one for each way in
/// which odd tokens may fall.
template <class Visit>
void for_each_outcome(const Loads& loads, const std::vector<Ends>& matched, const Visit& visit) {
    for (std::uint64_t odd = 0; odd < std::uint64_t{1} << matched.size(); ++odd) {
        Loads after = loads;
        for (std::size_t i = 0; i < matched.size(); ++i) {
            const auto& [a, b] = matched[i];
            const Tokens sum = loads[a] + loads[b];
            after[a] = sum / 2 + ((odd >> i & 1U) != 0 ? sum % 2 : 0);
            after[b] = sum - after[a];
        }
        visit(after);
    }
}

void check_round(const network::Network& graph, const Loads& loads) {
    const Tokens most = steepest(graph, loads);
    std::uint64_t falls = 0;
    const std::uint64_t choices = std::uint64_t{1} << graph.node_count();
    const Tokens low = *std::min_element(loads.begin(), loads.end());
    const Tokens high = *std::max_element(loads.begin(), loads.end());
    for (std::uint64_t proposers = 0; proposers < choices; ++proposers) {
        bool all_fall = true;
        for_each_outcome(loads, pairs(graph, loads, proposers), [&](const Loads& after) {
            ASSERT_GE(*std::min_element(after.begin(), after.end()), low);
            ASSERT_LE(*std::max_element(after.begin(), after.end()), high);
            ASSERT_LE(squares(after), squares(loads));
            all_fall = all_fall && squares(loads) - squares(after) >= most * most / 2;
        });
        falls += all_fall ? 1 : 0;
    }
    if (most >= 2) {
        ASSERT_GE(4 * falls, choices);
    }
}

TEST(Lemma1OfMaxNeighbor, HoldsOnAllSmallNetworksWithAllSmallLoads) {
    for (const NodeId nodes : {2, 3, 4})
        for_each_connected_graph(nodes, [&](const network::Network& graph) {
            for_each_loads(nodes, 4, [&](const Loads& loads) {
                if (!testing::Test::HasFatalFailure()) check_round(graph, loads);
            });
        });
}

/// Whether a state with a smaller sum of squares can be reached from every one with a discrepancy
/// above 1, so that with probability 1 the sum falls until the discrepancy is 1.
void check_end(const network::Network& graph, Tokens load_max) {
    std::set<Loads> falls;  ///< states from which the sum can fall
    std::map<Loads, std::set<Loads>> before;
    std::vector<Loads> states;
    for_each_loads(graph.node_count(), load_max,
                   [&](const Loads& loads) { states.push_back(loads); });
    std::vector<Loads> known;
    for (const Loads& loads : states)
        for (std::uint64_t proposers = 0; proposers < std::uint64_t{1} << graph.node_count();
             ++proposers)
            for_each_outcome(loads, pairs(graph, loads, proposers), [&](const Loads& after) {
                if (squares(after) == squares(loads))
                    before[after].insert(loads);
                else if (falls.insert(loads).second)
                    known.push_back(loads);
            });
    while (!known.empty()) {
        const Loads loads = known.back();
        known.pop_back();
        for (const Loads& earlier : before[loads])
            if (falls.insert(earlier).second) known.push_back(earlier);
    }
    for (const Loads& loads : states)
        ASSERT_EQ(falls.contains(loads), load::discrepancy(loads) > 1);
}

TEST(Theorem2OfMaxNeighbor, HoldsOnAllConnectedNetworksOfUpToFourNodesAndOnCyclesAndPathsOfFive) {
    for (const NodeId nodes : {2, 3, 4})
        for_each_connected_graph(nodes, [&](const network::Network& graph) {
            if (!testing::Test::HasFatalFailure()) check_end(graph, 2);
        });
    check_end(network::Network(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}), 3);
    check_end(network::Network(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}), 3);
}

TEST(TheRuleOfMaxNeighbor, HasExactlyTheOutcomesThatAreCountedHere) {
    RandomStream random(5, Purpose::sampling);
    for (int instance = 0; instance < 12; ++instance) {
        const network::Network graph = random_connected_graph(4, instance % 4, random);
        const Loads loads = random_loads(4, 5, random);
        std::set<Loads> possible;
        for (std::uint64_t proposers = 0; proposers < 16; ++proposers)
            for_each_outcome(loads, pairs(graph, loads, proposers),
                             [&](const Loads& after) { possible.insert(after); });
        std::set<Loads> met;
        for (std::uint64_t seed = 0; seed < 1000; ++seed)
            met.insert(
                engine::run_rounds(protocols::MaxNeighbor{}, loads, graph, steps(1, seed)).loads);
        EXPECT_EQ(met, possible);
    }
}

}  // namespace
}  // namespace equipoise::test::max_neighbor
