#include "equipoise/protocols/baselines/random_walks.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "equipoise/load/targets.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using protocols::baselines::RandomWalks;

RandomWalks::Plan plan_for(const load::Loads& loads, Step diffusion_rounds) {
    const load::MeanLoad mean =
        load::mean_load(load::total(loads), static_cast<NodeId>(loads.size()));
    RandomWalks::Plan plan;
    plan.diffusion_rounds = diffusion_rounds;
    plan.mean_floor = mean.floor;
    plan.mean_ceiling = mean.ceiling;
    return plan;
}

TEST(RandomWalks, KeepSettledLoadsWithinTheThresholdsAndNeverMultiply) {
    RandomStream random(4, Purpose::sampling);
    for (int run = 0; run < 30; ++run) {
        const network::Network graph = test::random_connected_graph(15, 10, random);
        const load::Loads loads = test::random_loads(15, 20, random);
        const RandomWalks::Plan plan = plan_for(loads, 5);
        engine::DealRounds rounds(RandomWalks(plan), loads, graph, test::steps(0, 6));
        Tokens walkers = 1000;
        for (int round = 1; round < 100; ++round) {
            rounds.step();
            EXPECT_EQ(load::total(rounds.loads()), load::total(loads));
            if (round < 5) {
                EXPECT_GE(*std::min_element(rounds.loads().begin(), rounds.loads().end()), 0);
                continue;
            }
            Tokens now = 0;
            for (NodeId node = 0; node < 15; ++node) {
                const auto& state = rounds.node_states()[node];
                const Tokens settled = rounds.loads()[node] - state.surplus + state.holes;
                EXPECT_GE(settled, plan.mean_floor);
                EXPECT_LE(settled, plan.mean_ceiling);
                now += state.surplus + state.holes;
            }
            EXPECT_LE(now, walkers);
            walkers = now;
        }
    }
}

TEST(RandomWalks, EndAtFloorAndCeilingOfTheMeanWithNegativeTokens) {
    RandomStream random(5, Purpose::sampling);
    for (const Step diffusion_rounds : {0U, 10U}) {
        for (const Tokens slack : {0, 2}) {
            for (int run = 0; run < 20; ++run) {
                const network::Network graph = test::random_connected_graph(12, 8, random);
                const load::Loads loads = test::random_loads(12, 20, random);
                RandomWalks::Plan plan = plan_for(loads, diffusion_rounds);
                plan.slack = slack;
                const auto result =
                    engine::run_rounds(RandomWalks(plan), loads, graph, test::steps(1'000'000, 2));
                EXPECT_EQ(result.stopped_because, model::StopReason::own_termination);
                for (const Tokens load : result.loads) {
                    EXPECT_GE(load, plan.mean_floor);
                    EXPECT_LE(load, plan.mean_ceiling);
                }
            }
        }
    }
}

TEST(RandomWalks, EndAtOrBelowTheCeilingWithoutNegativeTokens) {
    RandomStream random(6, Purpose::sampling);
    for (int run = 0; run < 20; ++run) {
        const network::Network graph = test::random_connected_graph(12, 8, random);
        const load::Loads loads = test::random_loads(12, 20, random);
        RandomWalks::Plan plan = plan_for(loads, 10);
        plan.negative_tokens = false;
        plan.slack = 1;
        engine::DealRounds rounds(RandomWalks(plan), loads, graph, test::steps(1'000'000, 3));
        while (rounds.costs().steps < 20) {
            rounds.step();
            EXPECT_GE(*std::min_element(rounds.loads().begin(), rounds.loads().end()), 0);
        }
        const auto result = rounds.run();
        EXPECT_EQ(result.stopped_because, model::StopReason::own_termination);
        EXPECT_LE(*std::max_element(result.loads.begin(), result.loads.end()), plan.mean_ceiling);
    }
}

TEST(RandomWalks, AreTheSameWhereNodesWithoutWalkersArePassedOver) {
    RandomStream random(7, Purpose::sampling);
    for (const Tokens slack : {0, 3}) {
        for (const bool negative_tokens : {true, false}) {
            const network::Network graph = test::random_connected_graph(60, 30, random);
            const load::Loads loads = test::random_loads(60, 50, random);
            RandomWalks::Plan plan = plan_for(loads, 6);
            plan.slack = slack;
            plan.negative_tokens = negative_tokens;
            engine::RoundOptions options = test::steps(100'000, 4);
            const auto fast = engine::run_rounds(RandomWalks(plan), loads, graph, options);
            options.threads = 3;
            options.items_per_thread_min = 1;
            const auto threaded = engine::run_rounds(RandomWalks(plan), loads, graph, options);
            options.body = engine::Body::reference;
            const auto plain = engine::run_rounds(RandomWalks(plan), loads, graph, options);
            EXPECT_EQ(fast.loads, plain.loads);
            EXPECT_EQ(fast.costs, plain.costs);
            EXPECT_EQ(threaded.loads, plain.loads);
            EXPECT_EQ(threaded.costs, plain.costs);
        }
    }
}

TEST(RandomWalks, LeaveATorusWithDiscrepancyOne) {
    const network::Network torus = test::torus(8, 8);
    const load::Loads loads = test::loads_8x8();
    const auto result = engine::run_rounds(RandomWalks(plan_for(loads, 100)), loads, torus, {});
    EXPECT_EQ(result.stopped_because, model::StopReason::own_termination);
    EXPECT_LE(load::discrepancy(result.loads), 1);
}

}  // namespace
}  // namespace equipoise
