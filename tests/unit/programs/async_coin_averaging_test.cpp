// Asynchronous coin averaging: under all interleavings of tiny networks, and in every world on
// larger ones.

#include "equipoise/programs/async_coin_averaging.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/simulated_worlds.hpp"

namespace equipoise::programs {
namespace {

TEST(AsyncCoinAveraging, NeverBlocksAndStaysWithinTheInitialLoadsUnderAllInterleavings) {
    const std::vector<network::Network> networks = {network::make_path(2), network::make_path(3),
                                                    network::make_cycle(3)};
    std::uint64_t configurations = 0;
    for (const network::Network& network : networks)
        for (Tokens tokens = 0; tokens <= 5; ++tokens)
            test::for_all_loads(
                network.node_count(), tokens, [&](const std::vector<Tokens>& loads) {
                    const Tokens least = *std::min_element(loads.begin(), loads.end());
                    const Tokens most = *std::max_element(loads.begin(), loads.end());
                    const AsyncCoinAveraging program(1, 0);
                    engine::Explorer<AsyncCoinAveraging> explorer(program, network, loads);
                    const auto explored = explorer.explore(
                        [&](const auto& world) {
                            EXPECT_EQ(world.tokens(), tokens);
                            for (const auto& node : world.nodes) {
                                EXPECT_GE(node.tokens, least);
                                EXPECT_LE(node.tokens, most);
                            }
                        },
                        [&](const auto& world) {
                            for (const auto& node : world.nodes) {
                                EXPECT_EQ(node.state.requests, 0U);
                                EXPECT_EQ(node.state.at, AsyncCoinAveraging::At::rest);
                            }
                        },
                        2'000'000);
                    EXPECT_TRUE(explored.complete);
                    EXPECT_TRUE(explored.acyclic);
                    EXPECT_GE(explored.ends, 1U);
                    configurations += explored.configurations;
                });
    EXPECT_GT(configurations, 1'000U);
}

TEST(AsyncCoinAveraging, LevelsARingToTwoTokensInEveryWorld) {
    const network::Network ring = network::make_cycle(16);
    std::vector<Tokens> loads(16, 0);
    loads[3] = 16 * 20 + 8;
    for (engine::SimulationOptions options : test::simulated_worlds())
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            options.seed = seed;
            const AsyncCoinAveraging program(400, 256);
            engine::Simulation run(program, ring, loads, options);
            while (run.step()) {
                const load::Loads now = run.loads();
                ASSERT_GE(*std::min_element(now.begin(), now.end()), 0);
            }
            EXPECT_TRUE(run.recount());
            EXPECT_EQ(run.in_flight(), 0);
            EXPECT_LE(load::discrepancy(run.loads()), 2) << seed;
        }
}

TEST(AsyncCoinAveraging, SplitsAnOddTokenFairlyBetweenTheTwoEnds) {
    const network::Network pair = network::make_path(2);
    int first = 0;
    constexpr int runs = 2000;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
        engine::SimulationOptions options;
        options.seed = seed;
        const AsyncCoinAveraging program(20, 8);
        engine::Simulation run(program, pair, std::vector<Tokens>{7, 0}, options);
        const load::Loads ended = run.run().loads;
        ASSERT_EQ(ended[0] + ended[1], 7);
        ASSERT_LE(load::discrepancy(ended), 1);
        first += ended[0] == 4 ? 1 : 0;
    }
    EXPECT_NEAR(first, runs / 2, 5 * std::sqrt(runs / 4.0));
}

}  // namespace
}  // namespace equipoise::programs
