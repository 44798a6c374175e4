// Margara, Pistocchi, Vassura 2004, open question 2: a decentralised algorithm that is perfect with
// the fewest exchanges, under all interleavings of small trees and every adversary on larger ones.

#include "equipoise/programs/minimum_exchange_tree.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"
#include "equipoise/theory/tree_distribution.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/trees.hpp"
#include "tests/theorem/margara/schedules.hpp"

namespace equipoise::programs {
namespace {

using engine::SimulationOptions;
using network::Network;
using ExchangeRun = engine::Simulation<MinimumExchangeTree>;
using ExchangeKind = MinimumExchangeTree::Kind;

void expect_perfect(const load::Loads& loads, const std::vector<Tokens>& speeds) {
    Int128 speed_total = 0;
    for (const Tokens speed : speeds)
        speed_total += speed;
    for (std::size_t v = 0; v < loads.size(); ++v) {
        const Int128 share = static_cast<Int128>(load::total(loads)) * speeds[v];
        EXPECT_GE(loads[v], static_cast<Tokens>(share / speed_total));
        EXPECT_LE(loads[v], static_cast<Tokens>((share + speed_total - 1) / speed_total));
    }
}

/// In every configuration no token is lost; every end is perfect, by the fewest exchanges, and
/// every node knows it.
std::uint64_t expect_fewest_in_all_interleavings(const MinimumExchangeTree& program,
                                                 const Network& tree, const load::Loads& loads,
                                                 const std::vector<Tokens>& speeds) {
    const Tokens total = load::total(loads);
    const Tokens fewest = optimum::minimum_exchanges(tree, loads, speeds).exchanges;
    engine::Explorer<MinimumExchangeTree> explorer(program, tree, loads, speeds);
    explorer.tell_exchanges_apart();
    const engine::Exploration explored =
        explorer.explore([&](const auto& world) { EXPECT_EQ(world.tokens(), total); },
                         [&](const auto& world) {
                             EXPECT_TRUE(world.all_done());
                             EXPECT_EQ(world.exchanges, fewest);
                             load::Loads ended;
                             for (const auto& node : world.nodes)
                                 ended.push_back(node.tokens);
                             expect_perfect(ended, speeds);
                         });
    EXPECT_TRUE(explored.complete);
    EXPECT_TRUE(explored.acyclic);
    EXPECT_GE(explored.ends, 1U);
    return explored.configurations;
}

TEST(OpenQuestion2Margara, FewestExchangesUnderAllInterleavingsOnAllTreesUpToFourNodes) {
    std::uint64_t configurations = 0;
    for (const bool bundles : {false, true}) {
        const MinimumExchangeTree program(bundles);
        for (NodeId nodes = 1; nodes <= 4; ++nodes) {
            const std::vector<Tokens> unit(nodes, 1);
            for (const Network& tree : test::all_trees(nodes))
                for (Tokens tokens = 0; tokens <= 6; ++tokens)
                    test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                        configurations +=
                            expect_fewest_in_all_interleavings(program, tree, loads, unit);
                    });
        }
    }
    RecordProperty("configurations", std::to_string(configurations));
    EXPECT_GT(configurations, 10'000U);
}

TEST(OpenQuestion2MargaraLong, FewestExchangesUnderAllInterleavingsOnAllTreesOfFiveNodes) {
    const MinimumExchangeTree program;
    for (const Network& tree : test::all_trees(5))
        for (Tokens tokens = 0; tokens <= 6; ++tokens)
            test::for_all_loads(5, tokens, [&](const load::Loads& loads) {
                expect_fewest_in_all_interleavings(program, tree, loads, {1, 1, 1, 1, 1});
            });
}

TEST(OpenQuestion2Margara, FewestExchangesToSharesBySpeedUnderAllInterleavings) {
    RandomStream random(1, Purpose::sampling);
    const MinimumExchangeTree program;
    for (int round = 0; round < 60; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(3));
        const Network tree = test::random_tree(nodes, random);
        load::Loads loads(nodes);
        std::vector<Tokens> speeds(nodes);
        for (NodeId v = 0; v < nodes; ++v) {
            loads[v] = static_cast<Tokens>(random.below(4));
            speeds[v] = static_cast<Tokens>(random.below(4));
        }
        ++speeds[random.below(nodes)];
        expect_fewest_in_all_interleavings(program, tree, loads, speeds);
    }
}

std::vector<SimulationOptions> exchange_schedules(const Network& tree) {
    return test::schedules(
        tree, {ExchangeKind::local, ExchangeKind::global, ExchangeKind::surplus,
               ExchangeKind::offer, ExchangeKind::next, ExchangeKind::keep, ExchangeKind::token});
}

TEST(OpenQuestion2Margara, FewestExchangesOnRandomTreesUnderEveryAdversary) {
    RandomStream random(2, Purpose::sampling);
    for (std::uint64_t round = 0; round < 24; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(40));
        const Network tree = test::random_tree(nodes, random, round % 2 == 0 ? 3 : no_node);
        load::Loads loads(nodes, 0);
        if (round % 3 == 0)
            loads[random.below(nodes)] = 500;
        else
            for (Tokens& load : loads)
                load = static_cast<Tokens>(random.below(30));
        std::vector<Tokens> speeds(nodes, 1);
        if (round % 4 == 0)
            for (Tokens& speed : speeds)
                speed = static_cast<Tokens>(1 + random.below(9));
        const auto fewest =
            static_cast<std::uint64_t>(optimum::minimum_exchanges(tree, loads, speeds).exchanges);
        for (const bool bundles : {false, true}) {
            const MinimumExchangeTree program(bundles);
            for (SimulationOptions& options : exchange_schedules(tree)) {
                options.seed = round;
                ExchangeRun run(program, tree, loads, options, speeds);
                const auto outcome = run.run();
                EXPECT_EQ(outcome.end, engine::SimulationEnd::all_done);
                EXPECT_EQ(outcome.exchanges, fewest);
                EXPECT_TRUE(run.recount());
                EXPECT_EQ(run.in_flight(), 0);
                expect_perfect(outcome.loads, speeds);
            }
        }
    }
}

/// The largest number of links between a node and a farthest leaf.
std::uint64_t height(const Network& tree, NodeId root) {
    std::vector<std::pair<NodeId, NodeId>> level = {{root, no_node}};
    for (std::uint64_t depth = 0;; ++depth) {
        std::vector<std::pair<NodeId, NodeId>> next;
        for (const auto& [node, parent] : level)
            for (const NodeId child : tree.neighbours(node))
                if (child != parent) next.emplace_back(child, node);
        if (next.empty()) return depth;
        level = std::move(next);
    }
}

TEST(OpenQuestion2Margara, FewMessagesAndTimeLinearInHeightAPairAndToken) {
    RandomStream random(3, Purpose::sampling);
    for (int round = 0; round < 40; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(200));
        const Network tree = test::random_tree(nodes, random, round % 2 == 0 ? 2 : no_node);
        load::Loads loads(nodes, 0);
        for (int i = 0; i < 20 * round; ++i)
            ++loads[random.below(nodes)];
        for (const bool bundles : {false, true}) {
            const MinimumExchangeTree program(bundles);
            ExchangeRun run(program, tree, loads);
            const auto outcome = run.run();
            NodeId root = 0;
            while (run.state(root).totals.parent != MinimumExchangeTree::no_port)
                ++root;
            const std::uint64_t high = height(tree, root);
            const Tokens total = load::total(loads);
            const auto extras = static_cast<std::uint64_t>(total % Tokens{nodes});
            const std::uint64_t with_tokens = bundles ? nodes - 1 : outcome.exchanges;
            EXPECT_LE(outcome.messages,
                      theory::minimum_exchange_messages(nodes, high, extras) + with_tokens);
            EXPECT_LE(outcome.time, theory::minimum_exchange_time(high, extras, total, bundles));
        }
    }
}

/// The most messages with tokens that are on their way on one directed link at once.
std::uint64_t most_tokens_on_a_link(const Network& tree, const load::Loads& loads,
                                    SimulationOptions options) {
    options.deliveries_max = 1'000'000;
    ExchangeRun run(MinimumExchangeTree(), tree, loads, options);
    EXPECT_EQ(run.run().end, engine::SimulationEnd::all_done);
    std::map<std::pair<NodeId, NodeId>, model::Ticks> free_from;
    std::uint64_t most = 0;
    for (const model::Delivery& delivery : run.take_deliveries()) {
        if (delivery.tokens == 0) continue;
        EXPECT_EQ(delivery.tokens, 1);
        model::Ticks& free = free_from[{delivery.from, delivery.to}];
        most = std::max<std::uint64_t>(most, delivery.sent >= free ? 1 : 2);
        free = delivery.arrived;
    }
    return most;
}

TEST(OpenQuestion2Margara, ATokenLeavesWhenTheOneBeforeItOnTheLinkHasBeenDelivered) {
    RandomStream random(5, Purpose::sampling);
    for (int round = 0; round < 8; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(12));
        const Network tree = test::random_tree(nodes, random);
        load::Loads loads(nodes, 0);
        loads[random.below(nodes)] = 400;
        for (const SimulationOptions& options : exchange_schedules(tree))
            EXPECT_EQ(most_tokens_on_a_link(tree, loads, options), 1U);
    }
}

TEST(OpenQuestion2Margara, ManyTokensTakeAsManyTimeUnitsToCrossALink) {
    // All tokens of an end must cross the first link one by one.
    const Network path(4, {{0, 1}, {1, 2}, {2, 3}});
    const load::Loads loads = {4000, 0, 0, 0};
    for (const bool single_port : {false, true}) {
        SimulationOptions options;
        options.single_port = single_port;
        ExchangeRun run(MinimumExchangeTree(), path, loads, options);
        const auto outcome = run.run();
        EXPECT_GE(outcome.time, 3000U);
        EXPECT_EQ(outcome.exchanges, 3000U + 2000U + 1000U);
    }
}

}  // namespace
}  // namespace equipoise::programs
