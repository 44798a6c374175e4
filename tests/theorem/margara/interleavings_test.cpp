// Perfect token distribution under every order of starts and arrivals, on everything small.

#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::programs {
namespace {

using engine::Explorer;
using World = engine::Configuration<PerfectTree>;

/// Conservation in every configuration; in every end: all done, perfect, one root.
engine::Exploration expect_perfect_in_all_interleavings(const PerfectTree& program,
                                                        const network::Network& tree,
                                                        const std::vector<Tokens>& loads) {
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    const auto nodes = static_cast<Tokens>(loads.size());
    engine::Explorer<PerfectTree> explorer(program, tree, loads);
    const engine::Exploration explored =
        explorer.explore([&](const auto& world) { EXPECT_EQ(world.tokens(), total); },
                         [&](const auto& world) {
                             EXPECT_TRUE(world.all_done());
                             int roots = 0;
                             for (const auto& node : world.nodes) {
                                 EXPECT_GE(node.tokens, total / nodes);
                                 EXPECT_LE(node.tokens, (total + nodes - 1) / nodes);
                                 if (node.state.former == PerfectTree::no_port) ++roots;
                             }
                             EXPECT_EQ(roots, 1);
                         });
    EXPECT_TRUE(explored.complete);
    EXPECT_TRUE(explored.acyclic);
    EXPECT_GE(explored.ends, 1U);
    return explored;
}

TEST(Theorem3Margara,
     PerfectUnderAllInterleavingsOnAllTreesUpToFourNodesWithUpToSixTokensAndOnFiveWithTwo) {
    std::uint64_t configurations = 0;
    for (const auto choice :
         {PerfectTree::RootChoice::reserve, PerfectTree::RootChoice::link_end}) {
        const PerfectTree program(choice);
        for (NodeId nodes = 1; nodes <= 5; ++nodes) {
            for (const network::Network& tree : test::all_trees(nodes)) {
                for (Tokens tokens = 0; tokens <= (nodes < 5 ? 6 : 2); ++tokens) {
                    test::for_all_loads(nodes, tokens, [&](const std::vector<Tokens>& loads) {
                        configurations += expect_perfect_in_all_interleavings(program, tree, loads)
                                              .configurations;
                    });
                }
            }
        }
    }
    RecordProperty("configurations", std::to_string(configurations));
    EXPECT_GT(configurations, 10'000U);
}

TEST(Theorem3MargaraLong, PerfectUnderAllInterleavingsOnAllTreesOfFiveNodesWithUpToSixTokens) {
    for (const auto choice :
         {PerfectTree::RootChoice::reserve, PerfectTree::RootChoice::link_end}) {
        const PerfectTree program(choice);
        for (const network::Network& tree : test::all_trees(5))
            for (Tokens tokens = 0; tokens <= 6; ++tokens)
                test::for_all_loads(5, tokens, [&](const std::vector<Tokens>& loads) {
                    expect_perfect_in_all_interleavings(program, tree, loads);
                });
    }
}

TEST(Theorem1Margara, AnyNodeBecomesTheRootUnderSomeSchedule) {
    const PerfectTree program;
    for (NodeId nodes = 2; nodes <= 4; ++nodes) {
        for (const network::Network& tree : test::all_trees(nodes)) {
            std::vector<bool> elected(nodes, false);
            Explorer<PerfectTree> explorer(program, tree, std::vector<Tokens>(nodes, 0));
            explorer.explore([](const World&) {},
                             [&](const World& world) {
                                 for (NodeId v = 0; v < nodes; ++v)
                                     if (world.nodes[v].state.former == PerfectTree::no_port)
                                         elected[v] = true;
                             });
            for (NodeId v = 0; v < nodes; ++v)
                EXPECT_TRUE(elected[v]);
        }
    }
}

}  // namespace
}  // namespace equipoise::programs
