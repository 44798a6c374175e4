// How far T_off(0) can be above Theorem 1's bound B (docs/results/meyer-1996.md).
//
// Theorem. Let w be the sum of max(0, l(v) - r) over all nodes v, r = ceil(N/p) the target. Then
// T_off(0) <= tau(B, w), where tau(B, w) is the number of times that U := U - ceil(U / B) takes U
// from w to 0. For every B >= 2 and every w = n_T of n_1 = 1, n_(i+1) = n_i + ceil(n_i / (B - 1))
// that is at least B, a problem with N = p attains it.
//
// So T_off(0) / B has no bound: with B = 2 and w = 2^h a complete binary tree takes h + 1 steps.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "equipoise/theory/token_distribution.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum::steps_over_bound {
namespace {

using network::Network;
using theory::most_steps;

struct Instance {
    Network network;
    load::Loads loads;
};

Problem problem_of(const Instance& instance) {
    const Tokens tokens = load::total(instance.loads);
    const NodeId nodes = instance.network.node_count();
    return {&instance.network,
            instance.loads,
            at_most(nodes, ceil_divide(tokens, Tokens{nodes})),
            {},
            {},
            {}};
}

Tokens surplus_of(const Problem& problem) {
    Tokens sum = 0;
    for (std::size_t node = 0; node < problem.loads.size(); ++node)
        sum += std::max<Tokens>(0, problem.loads[node] - problem.target.base[node]);
    return sum;
}

/// Solves a problem, replays the schedule and adds up the cut.
EnclosedSteps solved(const Problem& problem) {
    EnclosedSteps result = minimum_steps(problem);
    EXPECT_TRUE(result.exact());
    const ScheduleVerdict verdict =
        check_schedule(problem, unit_steps(result.steps, problem.network->node_count()));
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_LE(verdict.steps, *result.at_most);
    if (result.at_least > 0) {
        EXPECT_EQ(check_certificate(problem, result.certificate), "");
    }
    return result;
}

/// Layers of empty nodes: one, then in layer i as many as must send n_i tokens down, at most B - 1
/// each; every node is linked to those above it whose tokens it may need. The nodes of the layer on
/// top have tokens for all, at most B each besides the one they keep.
Instance layered(Tokens bound, std::size_t layers) {
    std::vector<Ends> links;
    load::Loads loads{0};
    std::vector<NodeId> below{0};
    Tokens needed = 1;  ///< of all nodes so far: what the next layer must send
    for (std::size_t layer = 1; layer <= layers; ++layer) {
        const bool top = layer == layers;
        const Tokens capacity = top ? bound : bound - 1;
        std::vector<NodeId> here;
        const Tokens count = ceil_divide(needed, capacity);
        // Token t of the layer's needs is sent by node t / capacity, and received by the node below
        // whose turn it is: that one needs what it sends on and one for itself.
        std::vector<Tokens> sends(static_cast<std::size_t>(count), 0);
        for (Tokens token = 0; token < needed; ++token)
            ++sends[static_cast<std::size_t>(token / capacity)];
        for (Tokens node = 0; node < count; ++node) {
            here.push_back(static_cast<NodeId>(loads.size()));
            loads.push_back(top ? sends[static_cast<std::size_t>(node)] + 1 : 0);
        }
        // Nodes below share what arrives in their order, each at most `bound`.
        Tokens token = 0;
        for (const NodeId lower : below) {
            const Tokens left = needed - token;
            const Tokens takes = std::min(bound, left);
            NodeId last = no_node;
            for (Tokens k = 0; k < takes; ++k, ++token) {
                const NodeId from = here[static_cast<std::size_t>(token / capacity)];
                if (from != last) links.push_back({lower, from});
                last = from;
            }
        }
        below = here;
        needed += top ? 0 : count;
    }
    return {Network(static_cast<NodeId>(loads.size()), links), loads};
}

TEST(StepsOverBound, AreAtMostTauForAllLoadsOnAllGraphsUpToFiveNodes) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            for (Tokens tokens = 1; tokens <= Tokens{nodes} + 3; ++tokens)
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    const Instance instance{network, loads};
                    const Problem problem = problem_of(instance);
                    const EnclosedSteps result = minimum_steps(problem);
                    ASSERT_TRUE(result.exact());
                    EXPECT_LE(result.at_least, most_steps(result.bound, surplus_of(problem)));
                });
}

TEST(StepsOverBound, AreAtMostTauOnRandomNetworks) {
    RandomStream random(44, Purpose::sampling);
    for (int i = 0; i < 150; ++i) {
        auto [network, loads] = test::random_distribution(24, random);
        if (load::total(loads) == 0) continue;
        const Instance instance{network, loads};
        const Problem problem = problem_of(instance);
        const EnclosedSteps result = solved(problem);
        EXPECT_LE(result.at_least, most_steps(result.bound, surplus_of(problem)));
    }
}

TEST(StepsOverBound, AreTauOnLayersForEveryBound) {
    for (const auto& [bound, layers_most] : {std::pair<Tokens, std::size_t>{2, 8},
                                             {3, 10},
                                             {4, 12},
                                             {5, 14},
                                             {6, 15},
                                             {7, 16},
                                             {8, 18}})
        for (auto layers = static_cast<std::size_t>(bound); layers <= layers_most; ++layers) {
            SCOPED_TRACE(std::to_string(bound) + ' ' + std::to_string(layers));
            const Instance instance = layered(bound, layers);
            const Problem problem = problem_of(instance);
            ASSERT_EQ(load::total(instance.loads), Tokens{instance.network.node_count()});
            const EnclosedSteps result = solved(problem);
            EXPECT_EQ(result.bound, static_cast<Step>(bound));
            EXPECT_EQ(result.at_least, layers);
            EXPECT_EQ(most_steps(result.bound, surplus_of(problem)), layers);
        }
}

// Leaves of depth h + 1 hold two tokens, all other nodes none; the root is the extra node, whose
// only neighbour is the root of the binary tree.
TEST(StepsOverBound, AreMoreThanTwiceTheBoundOnABinaryTree) {
    for (std::size_t height = 1; height <= 9; ++height) {
        std::vector<Ends> links;
        const NodeId nodes = NodeId{2} << height;
        load::Loads loads(nodes, 0);
        for (NodeId node = 1; node < nodes; ++node) {
            links.push_back({node / 2, node});
            if (node >= nodes / 2) loads[node] = 2;
        }
        const Instance tree{Network(nodes, links), loads};
        const EnclosedSteps result = solved(problem_of(tree));
        EXPECT_EQ(result.bound, 2U);
        EXPECT_EQ(result.at_least, height + 1);
        if (height >= 4) {
            EXPECT_GT(result.at_least, 2 * result.bound);
        }
    }
}

// With N = p the ratio is above 2 from 24 nodes on: fewer have at most w surplus tokens with w +
// ceil(w / B) <= p, and so no tau(B, w) above 2 B.
TEST(StepsOverBound, AreMoreThanTwiceTheBoundFrom24NodesOnAndOnNoFewerWithAsManyTokens) {
    for (Tokens nodes = 2; nodes <= 24; ++nodes) {
        bool above = false;
        for (Tokens bound = 1; bound < nodes; ++bound)
            for (Tokens surplus = 1; surplus + ceil_divide(surplus, bound) <= nodes; ++surplus)
                above = above || most_steps(static_cast<Step>(bound), surplus) >
                                     2 * static_cast<Step>(bound);
        EXPECT_EQ(above, nodes == 24) << nodes;
    }
    Instance instance = layered(2, 5);
    ASSERT_EQ(instance.network.node_count(), 24U);
    EXPECT_EQ(surplus_of(problem_of(instance)), 16);
    // More nodes with a token each, hung on a full one, change nothing.
    for (NodeId more = 0; more <= 3; ++more) {
        const EnclosedSteps result = solved(problem_of(instance));
        EXPECT_EQ(result.bound, 2U);
        EXPECT_EQ(result.at_least, 5U);
        const NodeId next = instance.network.node_count();
        std::vector<Ends> links;
        for (LinkId link = 0; link < instance.network.link_count(); ++link)
            links.push_back(instance.network.ends(link));
        links.push_back({23, next});
        instance.loads.push_back(1);
        instance.network = Network(next + 1, links);
    }
}

// With N = p the excess T_off(0) - B is at most the largest tau(B, w) - B with w + ceil(w / B) <=
// p, and some network attains it.
TEST(StepsOverBound, LayersHaveALargerExcessThanAQuarterOfTheNodes) {
    bool larger = false;
    for (Tokens bound = 2; bound <= 12; ++bound) {
        const Instance instance = layered(bound, static_cast<std::size_t>(bound) * 11 / 6);
        const EnclosedSteps result = solved(problem_of(instance));
        const NodeId nodes = instance.network.node_count();
        larger = larger || 4 * (result.at_least - result.bound) > nodes - 2;
        EXPECT_LE(result.at_least - result.bound, theory::largest_excess(nodes));
    }
    EXPECT_TRUE(larger);
    const Instance smallest = layered(6, 11);
    ASSERT_EQ(smallest.network.node_count(), 21U);
    EXPECT_EQ(solved(problem_of(smallest)).at_least, 11U);
    EXPECT_EQ(theory::largest_excess(21), 5U);
    for (std::uint64_t nodes = 3; nodes <= 20; ++nodes)
        EXPECT_LE(4 * theory::largest_excess(nodes), nodes - 2);
}

/// The largest difference and the largest ratio of T_off(0) and B.
struct Extremes {
    Step difference = 0;
    double ratio = 1;
};

// All loads of up to p + 2 tokens.
TEST(StepsOverBoundLong, AreAtMostOneMoreUpToSixNodesAndExactOnCycles) {
    Extremes trees;
    Extremes cycles;
    Extremes all;
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            for (Tokens tokens = 1; tokens <= Tokens{nodes} + 2; ++tokens)
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    const Instance instance{network, loads};
                    const EnclosedSteps result = minimum_steps(problem_of(instance));
                    if (result.at_least == 0) return;
                    const auto note = [&](Extremes& extremes) {
                        extremes.difference =
                            std::max(extremes.difference, result.at_least - result.bound);
                        extremes.ratio =
                            std::max(extremes.ratio, static_cast<double>(result.at_least) /
                                                         static_cast<double>(result.bound));
                    };
                    note(all);
                    if (network.link_count() + 1 == nodes) note(trees);
                    if (network.degree_min() == 2 && network.degree_max() == 2) note(cycles);
                });
    EXPECT_EQ(trees.difference, 1U);
    EXPECT_EQ(trees.ratio, 1.5);
    EXPECT_EQ(cycles.difference, 0U);
    EXPECT_EQ(all.difference, 1U);
    EXPECT_EQ(all.ratio, 1.5);
}

}  // namespace
}  // namespace equipoise::optimum::steps_over_bound
