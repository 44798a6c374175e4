// Perfect token distribution on trees, on the reference host.

#include "equipoise/programs/perfect_tree.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/network.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/reference_host.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::programs {
namespace {

using Host = test::ReferenceHost<PerfectTree>;
using At = PerfectTree::At;

constexpr std::uint64_t choices_max = 100'000;

/// Theorems 1 and 3, termination and conservation for one finished run.
void expect_perfect(const Host& host, const network::Network& tree,
                    const std::vector<Tokens>& loads) {
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    const auto nodes = static_cast<Tokens>(tree.node_count());
    const std::vector<Tokens> ended = host.loads();
    EXPECT_TRUE(host.all_done());
    EXPECT_EQ(std::accumulate(ended.begin(), ended.end(), Tokens{0}), total);
    EXPECT_EQ(host.held_and_on_the_way(), total);
    NodeId roots = 0;
    for (NodeId v = 0; v < tree.node_count(); ++v) {
        EXPECT_GE(ended[v], total / nodes);
        EXPECT_LE(ended[v], (total + nodes - 1) / nodes);
        EXPECT_EQ(host.state(v).at, At::final);
        EXPECT_EQ(host.state(v).T, total);
        EXPECT_EQ(host.state(v).N, nodes);
        if (host.state(v).former == PerfectTree::no_port) ++roots;
    }
    EXPECT_EQ(roots, 1U);
}

TEST(PerfectTree, LevelsAllTreesUpToFiveNodesWithUpToSixTokensUnderRandomSchedules) {
    for (const auto choice :
         {PerfectTree::RootChoice::reserve, PerfectTree::RootChoice::link_end}) {
        const PerfectTree program(choice);
        for (NodeId nodes = 1; nodes <= 5; ++nodes) {
            for (const network::Network& tree : test::all_trees(nodes)) {
                for (Tokens tokens = 0; tokens <= 6; ++tokens) {
                    test::for_all_loads(nodes, tokens, [&](const std::vector<Tokens>& loads) {
                        for (std::uint64_t seed = 0; seed < 3; ++seed) {
                            Host host(program, tree, loads);
                            ASSERT_TRUE(host.run_randomly(seed, choices_max));
                            expect_perfect(host, tree, loads);
                        }
                    });
                }
            }
        }
    }
}

TEST(PerfectTree, LosesNoTokenOnThePathsWherePhasesMixInThePrintedProgram) {
    const PerfectTree program;
    struct Case {
        network::Network tree;
        std::vector<Tokens> loads;
    };
    const std::vector<Case> cases = {{network::Network(3, {{1, 0}, {0, 2}}), {0, 3, 2}},
                                     {network::Network(4, {{0, 3}, {3, 1}, {1, 2}}), {0, 1, 2, 3}},
                                     {network::Network(3, {{0, 1}, {1, 2}}), {0, 1, 2}},
                                     {network::Network(3, {{0, 1}, {1, 2}}), {0, 1, 0}}};
    for (const auto& [tree, loads] : cases) {
        for (std::uint64_t seed = 0; seed < 500; ++seed) {
            Host host(program, tree, loads);
            ASSERT_TRUE(host.run_randomly(seed, choices_max));
            expect_perfect(host, tree, loads);
        }
    }
}

TEST(PerfectTree, SpreadsASpikeOfManyTokensOverABroadTree) {
    const PerfectTree program;
    RandomStream random(3, Purpose::sampling);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const network::Network tree = test::random_tree(60, random);
        std::vector<Tokens> loads(60, 0);
        loads[random.below(60)] = 1000;
        Host host(program, tree, loads);
        ASSERT_TRUE(host.run_randomly(seed, 1'000'000));
        expect_perfect(host, tree, loads);
    }
}

TEST(PerfectTree, RemembersAFewWordsANodeAndTwoAPort) {
    EXPECT_LE(sizeof(PerfectTree::State), 7 * sizeof(std::int64_t));
    EXPECT_LE(sizeof(PerfectTree::PortState), 2 * sizeof(std::int64_t));
}

}  // namespace
}  // namespace equipoise::programs
