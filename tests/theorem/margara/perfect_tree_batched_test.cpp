// Bundles of tokens: perfect under all interleavings; except for depth, the same as single tokens.

#include "equipoise/programs/perfect_tree_batched.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/theory/tree_distribution.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/trees.hpp"
#include "tests/theorem/margara/schedules.hpp"

namespace equipoise::programs {
namespace {

using engine::SimulationOptions;
using network::Network;
using BatchedKind = PerfectTreeBatched::Kind;

TEST(PerfectTreeBatched, PerfectUnderAllInterleavingsOnAllTreesUpToFiveNodes) {
    const PerfectTreeBatched program;
    for (NodeId nodes = 1; nodes <= 5; ++nodes) {
        for (const Network& tree : test::all_trees(nodes)) {
            for (Tokens tokens = 0; tokens <= (nodes < 5 ? 6 : 3); ++tokens) {
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    engine::Explorer<PerfectTreeBatched> explorer(program, tree, loads);
                    const engine::Exploration explored = explorer.explore(
                        [&](const auto& world) { EXPECT_EQ(world.tokens(), tokens); },
                        [&](const auto& world) {
                            EXPECT_TRUE(world.all_done());
                            load::Loads ended;
                            for (const auto& node : world.nodes)
                                ended.push_back(node.tokens);
                            EXPECT_LE(load::discrepancy(ended), 1);
                        });
                    EXPECT_TRUE(explored.complete);
                    EXPECT_TRUE(explored.acyclic);
                });
            }
        }
    }
}

TEST(PerfectTreeBatched, SameRootSameLoadsSameExchangesAsSingleTokensUnderEveryAdversary) {
    RandomStream random(1, Purpose::sampling);
    const PerfectTree single(PerfectTree::RootChoice::link_end);
    const PerfectTreeBatched batched;
    for (std::uint64_t round = 0; round < 24; ++round) {
        const auto nodes = static_cast<NodeId>(1 + random.below(40));
        const Network tree = test::random_tree(nodes, random, round % 2 == 0 ? 3 : no_node);
        load::Loads loads(nodes, 0);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(round % 3 == 0 ? 4 : 60));
        // Kinds of message differ in number and meaning: none is held back.
        for (SimulationOptions& options : test::schedules<BatchedKind>(tree, {})) {
            options.seed = round;
            engine::Simulation<PerfectTree> one(single, tree, loads, options);
            engine::Simulation<PerfectTreeBatched> all(batched, tree, loads, options);
            const auto with_single = one.run();
            const auto with_bundles = all.run();
            EXPECT_EQ(with_bundles.end, engine::SimulationEnd::all_done);
            EXPECT_EQ(with_bundles.loads, with_single.loads);
            EXPECT_EQ(with_bundles.exchanges, with_single.exchanges);
            EXPECT_LE(load::discrepancy(with_bundles.loads), 1);
            EXPECT_TRUE(all.recount());
        }
    }
}

TEST(PerfectTreeBatched, PerfectWhenAnyKindOfMessageIsHeldBack) {
    RandomStream random(2, Purpose::sampling);
    const PerfectTreeBatched program;
    for (int round = 0; round < 20; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(40));
        const Network tree = test::random_tree(nodes, random);
        load::Loads loads(nodes);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(60));
        for (const SimulationOptions& options :
             test::schedules(tree, {BatchedKind::local, BatchedKind::global, BatchedKind::bundle_2,
                                    BatchedKind::bundle_3})) {
            engine::Simulation<PerfectTreeBatched> run(program, tree, loads, options);
            const auto outcome = run.run();
            EXPECT_EQ(outcome.end, engine::SimulationEnd::all_done);
            EXPECT_LE(load::discrepancy(outcome.loads), 1);
        }
    }
}

TEST(PerfectTreeBatched, FourMessagesALinkAndFiveDiametersOfTimeHoweverManyTokens) {
    RandomStream random(3, Purpose::sampling);
    const PerfectTreeBatched program;
    for (int round = 0; round < 40; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(200));
        const Network tree = test::random_tree(nodes, random, round % 2 == 0 ? 2 : no_node);
        load::Loads loads(nodes, 0);
        loads[random.below(nodes)] = 1'000'000'007;
        engine::Simulation<PerfectTreeBatched> run(program, tree, loads);
        const auto outcome = run.run();
        const auto diameter = network::diameter(network::AnyNetwork(tree)).upper;
        EXPECT_LE(outcome.messages, theory::tree_distribution_batched_messages(nodes));
        EXPECT_LE(outcome.time, theory::tree_distribution_batched_time(diameter));
    }
}

}  // namespace
}  // namespace equipoise::programs
