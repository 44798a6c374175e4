// Directed networks (docs/results/directed-networks.md).
//
// Theorem 1. With mass summation on a strongly connected directed network every node knows the
// exact average after finitely many rounds, and for ever.
//
// Theorem 2. A rule by which a node decides from its own load and out-degree alone, and that ever
// moves a token, raises the largest load of some level strongly connected network.
//
// Theorem 3. If deals over arcs were answered, they would end with load(u) <= load(v) + 1 for every
// arc u > v, so with at most the directed diameter; on a directed cycle n - 1 is kept.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/directed_rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/digraph.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/mass_summation.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/deal_play.hpp"

namespace equipoise::test::directed {
namespace {

using network::Digraph;
using protocols::Mass;
using protocols::MassSummation;
using Rounds = engine::DirectedRounds<MassSummation>;

/// Every strongly connected directed network on numbered nodes.
std::vector<Digraph> strongly_connected(NodeId nodes) {
    std::vector<Ends> pairs;
    for (NodeId tail = 0; tail < nodes; ++tail)
        for (NodeId head = 0; head < nodes; ++head)
            if (tail != head) pairs.push_back({tail, head});
    std::vector<Digraph> result;
    for (unsigned chosen = 0; chosen < 1U << pairs.size(); ++chosen) {
        std::vector<Ends> arcs;
        for (std::size_t pair = 0; pair < pairs.size(); ++pair)
            if ((chosen >> pair & 1U) != 0) arcs.push_back(pairs[pair]);
        Digraph digraph(nodes, std::move(arcs));
        if (network::is_strongly_connected(digraph)) result.push_back(std::move(digraph));
    }
    return result;
}

/// Whether every node's answer is the average, and every mass has it: then it stays so, since
/// masses only add up and answers are former masses.
bool settled(const Rounds& rounds, const Mass& all) {
    const auto is_average = [&](const Mass& mass) {
        return mass.tokens * all.nodes == all.tokens * mass.nodes;
    };
    return std::all_of(rounds.nodes().begin(), rounds.nodes().end(), [&](const auto& node) {
        return node.known().nodes > 0 && is_average(node.known()) && is_average(node.held());
    });
}

/// Plays until all is settled; checks in each round that no token is lost and that masses merge
/// only, and for `more` further rounds that all stays settled. Returns the rounds, 0 for too many.
std::uint64_t rounds_until_settled(const Digraph& digraph, const load::Loads& loads,
                                   std::uint64_t more) {
    constexpr std::uint64_t rounds_max = 100'000;
    const Mass all{static_cast<Tokens>(loads.size()),
                   std::accumulate(loads.begin(), loads.end(), Tokens{0})};
    Rounds play(digraph, loads);
    std::uint64_t settled_since = 0;
    std::ptrdiff_t masses = digraph.node_count();
    for (std::uint64_t round = 1; round <= rounds_max; ++round) {
        play.round();
        Mass sum;
        for (const MassSummation& node : play.nodes())
            sum += node.held();
        EXPECT_EQ(sum, all);
        const auto now =
            std::count_if(play.nodes().begin(), play.nodes().end(),
                          [](const MassSummation& node) { return node.held().nodes > 0; });
        EXPECT_LE(now, masses);
        masses = now;
        if (settled_since == 0 && settled(play, all)) settled_since = round;
        if (settled_since > 0) {
            EXPECT_TRUE(settled(play, all));
            if (round >= settled_since + more) return settled_since;
        }
    }
    return 0;
}

TEST(MassSummation, TellsEveryNodeTheAverageOnAllStronglyConnectedNetworksOfUpToFourNodes) {
    EXPECT_EQ(strongly_connected(3).size(), 18U);
    EXPECT_EQ(strongly_connected(4).size(), 1606U);
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Digraph& digraph : strongly_connected(nodes))
            for_each_loads(nodes, nodes <= 3 ? 4 : 2, [&](const load::Loads& loads) {
                if (HasFailure()) return;
                EXPECT_GT(rounds_until_settled(digraph, loads, 8), 0U);
            });
}

TEST(MassSummation, TellsEveryNodeTheAverageOnLargerNetworks) {
    RandomStream random(12, Purpose::sampling);
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
        const auto nodes = static_cast<NodeId>(5 + random.below(20));
        const Digraph digraph = network::make_random_strongly_connected(
            nodes, random.below(std::uint64_t{3} * nodes), random);
        ASSERT_TRUE(network::is_strongly_connected(digraph));
        EXPECT_GT(rounds_until_settled(digraph, random_loads(nodes, 100, random), 200), 0U);
    }
}

TEST(MassSummation, NeedsThatEveryNodeCanBeReached) {
    const Digraph one_way(2, {{0, 1}});
    EXPECT_FALSE(network::is_strongly_connected(one_way));
    EXPECT_EQ(rounds_until_settled(one_way, {4, 0}, 1), 0U);
}

/// Tokens that a node with `load` tokens sends through a port.
using BlindRule = std::function<Tokens(Tokens load, Port degree, Port port)>;

/// Theorem 2's network: x + 1 or more nodes whose arcs through `port` all lead to the last node,
/// which has an arc to each of them. All hold x. Returns the last node's load after a round.
Tokens after_a_round(const BlindRule& rule, Tokens x, Port degree, Port port) {
    const auto others = static_cast<NodeId>(std::max<Tokens>(x, degree) + 1);
    std::vector<Ends> arcs;
    for (NodeId node = 0; node < others; ++node) {
        arcs.push_back({node, others});
        arcs.push_back({others, node});
        for (Port more = 1; more < degree; ++more)
            arcs.push_back({node, (node + more) % others});
    }
    const Digraph digraph(others + 1, std::move(arcs));
    EXPECT_TRUE(network::is_strongly_connected(digraph));
    Tokens sent = 0;
    for (Port out = 0; out < others; ++out)
        sent += rule(x, others, out);
    EXPECT_LE(sent, x);
    return x - sent + static_cast<Tokens>(others) * rule(x, degree, port);
}

TEST(BlindRules, RaiseTheLargestLoadOfALevelNetwork) {
    const std::vector<BlindRule> rules = {
        [](Tokens load, Port degree, Port) { return load / (static_cast<Tokens>(degree) + 1); },
        [](Tokens load, Port, Port port) { return port == 0 && load > 0 ? 1 : 0; },
        [](Tokens load, Port degree, Port port) { return port + 1 == degree ? load / 2 : 0; },
    };
    int moved = 0;
    for (const BlindRule& rule : rules)
        for (Tokens x = 1; x <= 12; ++x)
            for (Port degree = 1; degree <= 4; ++degree)
                for (Port port = 0; port < degree; ++port)
                    if (rule(x, degree, port) > 0) {
                        ++moved;
                        EXPECT_GT(after_a_round(rule, x, degree, port), x);
                    }
    EXPECT_GT(moved, 100);
}

/// A round of Algorithm 2 in which a node may propose to heads of its arcs only, though it would
/// have to know their loads and hear their answer. Returns whether a deal was made.
bool round_of_answered_deals(const Digraph& digraph, load::Loads& loads) {
    const NodeId nodes = digraph.node_count();
    std::vector<Tokens> best(nodes, 0);
    std::vector<NodeId> giver(nodes, 0);
    for (NodeId node = 0; node < nodes; ++node) {
        const auto heads = digraph.heads(node);
        const NodeId least = *std::min_element(
            heads.begin(), heads.end(), [&](NodeId a, NodeId b) { return loads[a] < loads[b]; });
        const Tokens offer = protocols::fair_deal(loads[node], 1, loads[least], 1);
        if (offer > best[least]) {
            best[least] = offer;
            giver[least] = node;
        }
    }
    bool dealt = false;
    for (NodeId node = 0; node < nodes; ++node) {
        if (best[node] == 0) continue;
        loads[node] += best[node];
        loads[giver[node]] -= best[node];
        dealt = true;
    }
    return dealt;
}

load::Loads after_answered_deals(const Digraph& digraph, load::Loads loads) {
    for (Int128 left = load::potential(loads); round_of_answered_deals(digraph, loads); --left)
        EXPECT_GT(left, 0) << "Phi falls in every round";
    return loads;
}

TEST(AnsweredDeals, EndWithinTheDirectedDiameterOnAllNetworksOfUpToFourNodes) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes) {
        Tokens most = 0;
        for (const Digraph& digraph : strongly_connected(nodes)) {
            const NodeId diameter = network::directed_diameter(digraph);
            for_each_loads(nodes, nodes <= 3 ? 5 : 3, [&](const load::Loads& loads) {
                const load::Loads end = after_answered_deals(digraph, loads);
                for (NodeId node = 0; node < nodes; ++node)
                    for (const NodeId head : digraph.heads(node))
                        ASSERT_LE(end[node], end[head] + 1);
                ASSERT_LE(load::discrepancy(end), static_cast<Tokens>(diameter));
                most = std::max(most, load::discrepancy(end));
            });
        }
        EXPECT_EQ(most, static_cast<Tokens>(nodes) - 1);
    }
}

TEST(AnsweredDeals, KeepNMinusOneOnADirectedCycleWhereLinksLeaveHalfAndMassesKnowTheAverage) {
    for (NodeId nodes = 3; nodes <= 40; ++nodes) {
        const Digraph cycle = network::make_directed_cycle(nodes);
        load::Loads falling(nodes);
        for (NodeId node = 0; node < nodes; ++node)
            falling[node] = static_cast<Tokens>(nodes - 1 - node);
        EXPECT_EQ(after_answered_deals(cycle, falling), falling);
        const network::Network links = network::symmetric_closure(cycle);
        DealPlay<protocols::DealAgreement2> deals({}, links, falling);
        deals.rounds_until_quiet(1'000'000);
        EXPECT_LE(load::discrepancy(deals.loads()), static_cast<Tokens>(nodes / 2));
        EXPECT_GT(rounds_until_settled(cycle, falling, 2 * std::uint64_t{nodes}), 0U);
    }
}

TEST(Digraphs, SayWhatIsWrongWithTheirArcs) {
    EXPECT_THROW(Digraph(2, {{0, 2}}), InputError);
    EXPECT_THROW(Digraph(2, {{1, 1}}), InputError);
    EXPECT_THROW(Digraph(2, {{0, 1}, {0, 1}}), InputError);
    EXPECT_THROW(static_cast<void>(network::make_directed_cycle(1)), InputError);
    const Digraph both(3, {{0, 1}, {1, 0}, {1, 2}, {2, 0}});
    EXPECT_EQ(network::symmetric_closure(both).link_count(), 3U);
    EXPECT_EQ(network::directed_diameter(both), 2U);
    EXPECT_EQ(network::directed_diameter(network::make_directed_cycle(9)), 8U);
}

}  // namespace
}  // namespace equipoise::test::directed
