// Section 5. Phase 1 runs in (worst case) Theta(Dd) in single-port model (Theta(D) in multi-port
// model). Phase 2 runs in (worst case) O(TD), while phase 3 runs in (worst case) O(D (T mod N)).
// Since phase 2 has the greatest complexity the overall complexity of the algorithm is O(TD).
//
// The last two are false: phase 3 must tell all nodes that it is over, and phase 1 may take longer
// than phase 2. What holds (docs/algorithms/perfect-tree.md): Phase 1 ends within 2 D d units with
// single ports and 2 D with all; Phase 2 within another 2 D T with single ports and D T with all;
// Phase 3 within another H (T mod N + d); in all at most 3 D (T + d).

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/trees.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/theory/tree_distribution.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::programs {
namespace {

using engine::SimulationOptions;
using network::Network;
using Simulation = engine::Simulation<PerfectTree>;
using Ticks = model::Ticks;

/// When the last node ends each phase.
struct Phases {
    Ticks first = 0;
    Ticks second = 0;
    Ticks third = 0;
};

Phases measure(const PerfectTree& program, const Network& tree, const std::vector<Tokens>& loads,
               bool single_port) {
    SimulationOptions options;
    options.single_port = single_port;
    Simulation run(program, tree, loads, options);
    static_cast<void>(run.run());
    EXPECT_TRUE(run.all_done());
    const std::vector<model::PhaseEnd>& ends = run.phases();
    return {ends.at(0).last.value(), ends.at(1).last.value(), ends.at(2).last.value()};
}

std::uint64_t diameter_of(const Network& tree) {
    return network::diameter(network::AnyNetwork(tree)).upper;
}

void expect_in_time(const PerfectTree& program, const Network& tree,
                    const std::vector<Tokens>& loads) {
    const Tokens tokens = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    const auto total = static_cast<std::uint64_t>(tokens);
    const std::uint64_t diameter = diameter_of(tree);
    const std::uint64_t degree = tree.degree_max();
    for (const bool single_port : {false, true}) {
        const Phases ends = measure(program, tree, loads, single_port);
        const std::uint64_t ports = single_port ? 2 : 1;
        EXPECT_LE(ends.first, theory::tree_totals_time(diameter, degree, single_port));
        EXPECT_LE(ends.second, theory::tree_totals_time(diameter, degree, single_port) +
                                   ports * diameter * total);
        EXPECT_LE(ends.third, std::max(ends.first, ends.second) +
                                  diameter * (total % loads.size() + (single_port ? degree : 1)));
        EXPECT_LE(ends.third, theory::tree_distribution_time(diameter, tokens, degree));
    }
}

constexpr auto choices = {PerfectTree::RootChoice::reserve, PerfectTree::RootChoice::link_end};

TEST(Section5Margara, EveryPhaseEndsInTimeOnAllTreesUpToSixNodesWithUpToFourTokens) {
    for (const auto choice : choices)
        for (NodeId nodes = 2; nodes <= 6; ++nodes)
            for (const Network& tree : test::all_trees(nodes))
                for (Tokens tokens = 0; tokens <= 4; ++tokens)
                    test::for_all_loads(nodes, tokens, [&](const std::vector<Tokens>& loads) {
                        expect_in_time(PerfectTree(choice), tree, loads);
                    });
}

TEST(Section5Margara, EveryPhaseEndsInTimeOnRandomTreesWithSinglePortsAndWithAll) {
    RandomStream random(5, Purpose::sampling);
    for (const auto choice : choices) {
        for (int round = 0; round < 60; ++round) {
            const auto nodes = static_cast<NodeId>(2 + random.below(60));
            const Network tree = test::random_tree(nodes, random, round % 3 == 0 ? 2 : no_node);
            std::vector<Tokens> loads(nodes, 0);
            if (round % 4 == 0)
                loads[random.below(nodes)] = 10 * round;
            else
                for (int i = 0; i < round; ++i)
                    ++loads[random.below(nodes)];
            expect_in_time(PerfectTree(choice), tree, loads);
        }
    }
}

TEST(Section5Margara, Phase1TakesDiameterTimesDegreeWithSinglePortsAndDiameterWithAll) {
    const PerfectTree program;
    for (const NodeId children : {2U, 5U, 9U}) {
        const Network tree = network::make_complete_tree(children, 3);
        const std::vector<Tokens> loads(tree.node_count(), 1);
        const std::uint64_t diameter = 6;
        const std::uint64_t degree = children + 1;
        EXPECT_GE(measure(program, tree, loads, true).first, diameter * (degree - 1));
        EXPECT_LE(measure(program, tree, loads, false).first, 2 * diameter);
    }
}

TEST(Section5Margara, AStarTakesAStepALeafEvenWithoutTokens) {
    // The printed O(TD) would be nothing at all; with a token it would be a constant.
    constexpr NodeId leaves = 50;
    std::vector<Ends> links;
    for (NodeId leaf = 1; leaf <= leaves; ++leaf)
        links.push_back({0, leaf});
    const Network star(leaves + 1, links);
    for (const Tokens tokens : {0, 1}) {
        std::vector<Tokens> loads(leaves + 1, 0);
        loads[0] = tokens;
        EXPECT_GE(measure(PerfectTree(), star, loads, true).third, leaves);
        EXPECT_LE(measure(PerfectTree(), star, loads, false).third, 10U);
    }
}

TEST(Section5Margara, Phase2CanTakeTokensTimesDiameter) {
    // A node sends up when its subtree is level: the tokens of an end stop at every node.
    constexpr NodeId nodes = 33;
    std::vector<Ends> links;
    for (NodeId v = 1; v < nodes; ++v)
        links.push_back({v - 1, v});
    const Network path(nodes, links);
    std::vector<Tokens> loads(nodes, 0);
    loads[0] = 33 * 20;
    for (const bool single_port : {false, true}) {
        const Phases ends = measure(PerfectTree(), path, loads, single_port);
        EXPECT_GE(ends.second - ends.first, 33U * 20U * 32U / 4);
    }
}

}  // namespace
}  // namespace equipoise::programs
