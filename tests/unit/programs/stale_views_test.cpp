// Balancing on views: under all interleavings of tiny networks, and in every world on larger ones.

#include "equipoise/programs/stale_views.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/async_one_token_diffusion.hpp"
#include "equipoise/programs/partially_asynchronous.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/simulated_worlds.hpp"

namespace equipoise::programs {
namespace {

/// Checks conservation and the least load in every configuration, and that in every end neighbours
/// differ by at most `difference`.
template <class Program>
engine::Exploration expect_level_ends(const Program& program, const network::Network& network,
                                      const std::vector<Tokens>& loads, Tokens difference) {
    const Tokens least = *std::min_element(loads.begin(), loads.end());
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    engine::Explorer<Program> explorer(program, network, loads);
    return explorer.explore(
        [&](const auto& world) {
            EXPECT_EQ(world.tokens(), total);
            for (const auto& node : world.nodes)
                EXPECT_GE(node.tokens, least);
        },
        [&](const auto& world) {
            std::vector<Tokens> ended;
            ended.reserve(world.nodes.size());
            for (const auto& node : world.nodes)
                ended.push_back(node.tokens);
            EXPECT_LE(load::local_imbalance(network, ended), difference);
            EXPECT_EQ(std::accumulate(ended.begin(), ended.end(), Tokens{0}), total);
        },
        2'000'000);
}

const std::vector<network::Network>& tiny_networks() {
    static const std::vector<network::Network> networks = {
        network::Network(2, {{0, 1}}), network::Network(3, {{0, 1}, {1, 2}}),
        network::Network(3, {{0, 1}, {1, 2}, {0, 2}}),
        network::Network(4, {{0, 1}, {0, 2}, {0, 3}})};
    return networks;
}

TEST(PartiallyAsynchronous, EndsOneBalancedUnderAllInterleavingsOnUpToFourNodes) {
    std::uint64_t configurations = 0;
    for (const network::Network& network : tiny_networks()) {
        const Tokens most = network.node_count() == 2 ? 6 : network.node_count() == 3 ? 4 : 2;
        for (Tokens tokens = 0; tokens <= most; ++tokens) {
            test::for_all_loads(
                network.node_count(), tokens, [&](const std::vector<Tokens>& loads) {
                    const auto explored =
                        expect_level_ends(PartiallyAsynchronous(), network, loads, 1);
                    EXPECT_TRUE(explored.complete);
                    EXPECT_GE(explored.ends, 1U);
                    configurations += explored.configurations;
                });
        }
    }
    EXPECT_GT(configurations, 10'000U);
}

TEST(AsyncOneTokenDiffusion, EndsWithinTwiceTheLargestDegreeUnderAllInterleavings) {
    std::uint64_t configurations = 0;
    for (const network::Network& network : tiny_networks()) {
        if (network.node_count() == 4) continue;
        const AsyncOneTokenDiffusion program(network.degree_max());
        for (Tokens tokens = 0; tokens <= 7; ++tokens) {
            test::for_all_loads(network.node_count(), tokens,
                                [&](const std::vector<Tokens>& loads) {
                                    const auto explored = expect_level_ends(
                                        program, network, loads, 2 * Tokens{network.degree_max()});
                                    EXPECT_TRUE(explored.complete);
                                    EXPECT_GE(explored.ends, 1U);
                                    configurations += explored.configurations;
                                });
        }
    }
    EXPECT_GT(configurations, 10'000U);
}

network::Network random_network(RandomStream& random) {
    const auto nodes = static_cast<NodeId>(2 + random.below(25));
    std::vector<Ends> links;
    for (NodeId v = 1; v < nodes; ++v)
        links.push_back({static_cast<NodeId>(random.below(v)), v});
    for (NodeId v = 2; v < nodes; ++v) {
        const auto other = static_cast<NodeId>(random.below(v));
        if (std::find(links.begin(), links.end(), Ends{other, v}) == links.end())
            links.push_back({other, v});
    }
    return {nodes, links};
}

template <class Program>
void expect_rest(const Program& program, const network::Network& network,
                 const std::vector<Tokens>& loads, Tokens difference, std::uint64_t round) {
    const Tokens least = *std::min_element(loads.begin(), loads.end());
    for (engine::SimulationOptions options : test::simulated_worlds()) {
        options.seed = round;
        engine::Simulation run(program, network, loads, options);
        for (std::uint64_t event = 0; run.step(); ++event) {
            ASSERT_LT(event, 20'000U);
            if (event % 16 != 0) continue;
            const load::Loads now = run.loads();
            ASSERT_GE(*std::min_element(now.begin(), now.end()), least);
        }
        EXPECT_TRUE(run.recount());
        EXPECT_EQ(run.in_flight(), 0);
        EXPECT_LE(load::local_imbalance(network, run.loads()), difference);
    }
}

TEST(StaleViews, ComeToRestLevelInEveryWorldAndWithEveryWindow) {
    RandomStream random(3, Purpose::sampling);
    for (std::uint64_t round = 0; round < 12; ++round) {
        const network::Network network = random_network(random);
        std::vector<Tokens> loads(network.node_count());
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(60));
        const model::Ticks window = round % 3 == 0 ? 0 : std::uint64_t{1} << (2 * (round % 3));
        expect_rest(PartiallyAsynchronous(window), network, loads, 1, round);
        const Port degree = network.degree_max();
        expect_rest(AsyncOneTokenDiffusion(degree, window), network, loads, 2 * Tokens{degree},
                    round);
    }
}

TEST(PartiallyAsynchronous, LeavesAStaircaseAloneSoHalfTheDiameterIsNoBound) {
    std::vector<Ends> links;
    for (NodeId v = 1; v < 9; ++v)
        links.push_back({v - 1, v});
    const network::Network path(9, links);
    std::vector<Tokens> loads(9);
    std::iota(loads.begin(), loads.end(), Tokens{0});
    const PartiallyAsynchronous program(4);
    engine::Simulation run(program, path, loads);
    EXPECT_EQ(run.run().loads, loads);
    EXPECT_EQ(load::discrepancy(loads), 8);
}

TEST(AsyncOneTokenDiffusion, AGiverHearsOfItsGiftEvenIfTheReceiversLoadStaysTheSame) {
    // The middle gets a token and gives one at once: without a report the first node would wait.
    const network::Network path(3, {{0, 1}, {1, 2}});
    const AsyncOneTokenDiffusion program(path.degree_max());
    const std::vector<Tokens> loads = {40, 20, 0};
    engine::Simulation run(program, path, loads);
    const auto ended = run.run().loads;
    EXPECT_LE(load::local_imbalance(path, ended), 4);
}

}  // namespace
}  // namespace equipoise::programs
