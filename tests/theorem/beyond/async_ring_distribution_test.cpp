// Gehrke, Plaxton, Rajaraman 1999, abstract, on asynchronous rings: "for any initial token
// distribution b, the algorithm converges to a completely balanced distribution within
// 8 OPT(b) + 2n rounds, where a round is a minimal sequence of steps in which every component of
// the network is scheduled at least once." Here: under all interleavings of tiny rings it ends
// completely balanced, and with unit delays, where a tick is a round, it does so in time.

#include "equipoise/programs/async_ring_distribution.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/simulated_worlds.hpp"

namespace equipoise::programs::async_ring_distribution {
namespace {

using engine::Adversary;
using World = engine::Configuration<AsyncRingDistribution>;

AsyncRingDistribution program_for(const load::Loads& loads) {
    return AsyncRingDistribution(load::total(loads) / static_cast<Tokens>(loads.size()));
}

void expect_balanced(const load::Loads& loads, Tokens total) {
    EXPECT_EQ(load::total(loads), total);
    EXPECT_LE(load::discrepancy(loads), 1);
}

TEST(AsyncRing, EndsBalancedUnderAllInterleavingsOfTinyRings) {
    std::uint64_t configurations = 0;
    for (NodeId nodes = 3; nodes <= 4; ++nodes) {
        const network::Network network = network::make_cycle(nodes);
        for (Tokens tokens = 0; tokens <= (nodes == 3 ? 8 : 5); ++tokens)
            test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                if (loads[0] < *std::max_element(loads.begin(), loads.end())) return;
                const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
                const AsyncRingDistribution program = program_for(loads);
                engine::Explorer<AsyncRingDistribution> explorer(program, network, loads);
                const auto explored = explorer.explore(
                    [&, low = *low, high = *high](const World& world) {
                        EXPECT_EQ(world.tokens(), tokens);
                        for (const auto& node : world.nodes) {
                            EXPECT_GE(node.tokens, low);
                            EXPECT_LE(node.tokens, high);
                        }
                    },
                    [&](const World& world) {
                        load::Loads ended;
                        for (const auto& node : world.nodes)
                            ended.push_back(node.tokens);
                        expect_balanced(ended, tokens);
                    },
                    400'000);
                EXPECT_TRUE(explored.acyclic);
                EXPECT_GE(explored.ends, 1U);
                configurations += explored.configurations;
            });
    }
    EXPECT_GT(configurations, 10'000U);
}

TEST(AsyncRing, EndsBalancedUnderEveryAdversary) {
    RandomStream random(6, Purpose::sampling);
    for (std::uint64_t turn = 0; turn < 20; ++turn) {
        const auto nodes = static_cast<NodeId>(3 + random.below(30));
        const network::Network network = network::make_cycle(nodes);
        load::Loads loads(nodes);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(turn % 2 == 0 ? 40 : 3));
        std::vector<engine::SimulationOptions> worlds = test::simulated_worlds();
        worlds.emplace_back().adversary = {
            .kind = Adversary::Kind::hold_kinds,
            .kinds = model::KindSet::of(AsyncRingDistribution::Kind::report)};
        const AsyncRingDistribution program = program_for(loads);
        for (engine::SimulationOptions& options : worlds) {
            options.seed = turn;
            engine::Simulation run(program, network, loads, options);
            while (run.next_time())
                run.step();
            expect_balanced(run.loads(), load::total(loads));
        }
    }
}

TEST(AsyncRing, TakesAtMostEightTimesTheOptimumPlusTwoNTicksWithUnitDelays) {
    for (NodeId nodes = 3; nodes <= 7; ++nodes) {
        const network::Network network = network::make_cycle(nodes);
        for (Tokens tokens = 1; tokens <= (nodes <= 5 ? 10 : 7); ++tokens)
            test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                if (loads[0] < *std::max_element(loads.begin(), loads.end())) return;
                optimum::Problem problem;
                problem.network = &network;
                problem.loads = loads;
                problem.target = optimum::floor_or_ceiling(loads);
                problem.all_ports = true;
                const Step fewest = optimum::minimum_steps(problem).at_least;
                const AsyncRingDistribution program = program_for(loads);
                engine::Simulation run(program, network, loads);
                model::Ticks balanced = 0;
                while (const auto now = run.next_time()) {
                    if (load::discrepancy(run.loads()) > 1) balanced = *now;
                    run.step();
                }
                EXPECT_LE(balanced, 8 * fewest + 2 * nodes);
            });
    }
}

}  // namespace
}  // namespace equipoise::programs::async_ring_distribution
