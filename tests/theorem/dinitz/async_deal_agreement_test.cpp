// Dinitz, Dolev, Kumar 2020, Theorem 4: Algorithm 4, repaired, under all interleavings of tiny
// networks and under every adversary on larger ones.

#include "equipoise/programs/async_deal_agreement.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/all_loads.hpp"

namespace equipoise::programs {
namespace {

using engine::Adversary;
using engine::DelayModel;
using Kind = AsyncDealAgreement::Kind;
using World = engine::Configuration<AsyncDealAgreement>;

/// Everything that Theorem 4 and its repair promise for one network and start.
engine::Exploration expect_theorem_4(const network::Network& network,
                                     const std::vector<Tokens>& loads,
                                     std::uint64_t configurations_max) {
    const AsyncDealAgreement program;
    const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    engine::Explorer<AsyncDealAgreement> explorer(program, network, loads);
    return explorer.explore(
        [&, low = *low, high = *high](const World& world) {
            EXPECT_EQ(world.tokens(), total);
            for (const auto& node : world.nodes) {
                EXPECT_GE(node.tokens, 0);
                if (!node.state.started) continue;
                EXPECT_GE(node.state.load, low);
                EXPECT_LE(node.state.load, high);
            }
        },
        [&](const World& world) {
            std::vector<Tokens> ended;
            for (const auto& node : world.nodes) {
                EXPECT_EQ(node.state.load, node.tokens);
                ended.push_back(node.tokens);
            }
            EXPECT_LE(load::local_imbalance(network, ended), 1);
        },
        configurations_max);
}

TEST(Theorem4Dinitz, EndsOneBalancedUnderAllInterleavingsOnUpToFourNodes) {
    const std::vector<network::Network> networks = {network::Network(2, {{0, 1}}),
                                                    network::Network(3, {{0, 1}, {1, 2}}),
                                                    network::Network(3, {{0, 1}, {1, 2}, {0, 2}}),
                                                    network::Network(4, {{0, 1}, {0, 2}, {0, 3}})};
    std::uint64_t configurations = 0;
    for (const network::Network& network : networks) {
        for (Tokens tokens = 0; tokens <= (network.node_count() < 4 ? 5 : 3); ++tokens) {
            test::for_all_loads(
                network.node_count(), tokens, [&](const std::vector<Tokens>& loads) {
                    const auto explored = expect_theorem_4(network, loads, 1'000'000);
                    EXPECT_TRUE(explored.complete);
                    EXPECT_TRUE(explored.acyclic);
                    EXPECT_GE(explored.ends, 1U);
                    configurations += explored.configurations;
                });
        }
    }
    EXPECT_GT(configurations, 10'000U);
}

TEST(Theorem4Dinitz, ThePathsOnWhichThePrintedHandlersRaceEndWellUnderAllInterleavings) {
    const network::Network path(3, {{1, 0}, {0, 2}});
    for (const auto& loads : {std::vector<Tokens>{0, 100, 60}, std::vector<Tokens>{0, 4, 20},
                              std::vector<Tokens>{0, 10, 0}}) {
        const auto explored = expect_theorem_4(path, loads, 300'000);
        EXPECT_TRUE(explored.acyclic);
        EXPECT_GE(explored.ends, 1U);
    }
}

TEST(Theorem4Dinitz, NobodyProposesWhereNeighboursDifferByOneUnderAllInterleavings) {
    const network::Network path(3, {{0, 1}, {1, 2}});
    const network::Network triangle(3, {{0, 1}, {1, 2}, {0, 2}});
    const AsyncDealAgreement program;
    for (const network::Network* const network : {&path, &triangle}) {
        for (Tokens tokens = 0; tokens <= 7; ++tokens) {
            test::for_all_loads(3, tokens, [&](const std::vector<Tokens>& loads) {
                if (load::local_imbalance(*network, loads) > 1) return;
                engine::Explorer<AsyncDealAgreement> explorer(program, *network, loads);
                const auto explored = explorer.explore(
                    [](const World& world) {
                        for (const auto& node : world.nodes)
                            for (const auto& queue : node.on_the_way)
                                for (const auto& message : queue)
                                    EXPECT_EQ(message.kind, Kind::load);
                    },
                    [](const World&) {});
                EXPECT_TRUE(explored.complete);
            });
        }
    }
}

/// Plays a run to its end: it must become quiet and then be 1-balanced; and from the first moment
/// at which the loads that nodes own are 1-balanced, they must stay as they are while messages on
/// the way die out. Moments between a deal and its acknowledgement are not considered, since both
/// ends then count the tokens.
void expect_quiet_exactly_when_one_balanced(engine::Simulation<AsyncDealAgreement>& run,
                                            const network::Network& network) {
    const Tokens total = load::total(run.loads());
    const auto owned = [&] {
        std::vector<Tokens> loads;
        for (NodeId v = 0; v < network.node_count(); ++v)
            loads.push_back(run.state(v).load);
        return loads;
    };
    const auto is_level = [&] {
        for (NodeId v = 0; v < network.node_count(); ++v)
            if (!run.state(v).started) return false;
        return load::total(owned()) == total && load::local_imbalance(network, owned()) <= 1;
    };
    std::vector<Tokens> level;
    std::uint64_t events = 0;
    while (run.step()) {
        ASSERT_LT(++events, 1'000'000U);
        if (!level.empty()) {
            ASSERT_EQ(owned(), level);
        } else if (is_level()) {
            level = owned();
        }
    }
    EXPECT_EQ(run.loads(), level);
    EXPECT_EQ(owned(), level);
    EXPECT_TRUE(run.recount());
    EXPECT_EQ(run.in_flight(), 0);
}

TEST(Theorem4Dinitz, QuietExactlyWhenOneBalancedUnderEveryAdversary) {
    const AsyncDealAgreement program;
    RandomStream random(1, Purpose::sampling);
    for (std::uint64_t round = 0; round < 12; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(25));
        std::vector<Ends> links;
        for (NodeId v = 1; v < nodes; ++v)
            links.push_back({static_cast<NodeId>(random.below(v)), v});
        for (NodeId v = 2; v < nodes; ++v) {
            const auto other = static_cast<NodeId>(random.below(v));
            if (std::find(links.begin(), links.end(), Ends{other, v}) == links.end())
                links.push_back({other, v});
        }
        const network::Network network(nodes, links);
        std::vector<Tokens> loads(nodes);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(60));
        const Int128 potential = load::potential(loads);

        std::vector<engine::SimulationOptions> worlds(9);
        worlds[1].delays = DelayModel::random;
        worlds[2].delays = DelayModel::heavy_tail;
        worlds[3].single_port = true;
        worlds[4].adversary.kind = Adversary::Kind::newest_first;
        worlds[5].adversary.kind = Adversary::Kind::starve_node;
        worlds[6].adversary.kind = Adversary::Kind::slow_link;
        for (const std::size_t i : {7U, 8U})
            worlds[i].adversary.kind = Adversary::Kind::hold_kinds;
        worlds[7].adversary.kinds = model::KindSet::of(Kind::acknowledgement);
        worlds[8].adversary.kinds = model::KindSet::of(Kind::transfer);
        for (engine::SimulationOptions& options : worlds) {
            options.seed = round;
            engine::Simulation run(program, network, loads, options);
            expect_quiet_exactly_when_one_balanced(run, network);
            EXPECT_LE(load::potential(run.loads()), potential);
        }
    }
}

/// Tokens that arrive wake waiting nodes; what is offered is not consumed. When no more arrive,
/// everything that the theorem says holds again.
TEST(Theorem4Dinitz, HoldsFromTheLastTokenThatComesOrIsConsumed) {
    const network::Network network(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}});
    const std::vector<Tokens> loads = {40, 0, 0, 3, 9, 0};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        engine::SimulationOptions world;
        world.seed = seed;
        world.delays = seed % 2 == 0 ? DelayModel::unit : DelayModel::random;
        const AsyncDealAgreement program;
        engine::Simulation run(program, network, loads, world);
        RandomStream random(seed, Purpose::environment);
        Tokens outside = 0;
        for (int change = 0; change < 60; ++change) {
            const auto node = static_cast<NodeId>(random.below(network.node_count()));
            const auto tokens = static_cast<Tokens>(random.below(40)) - 18;
            const Tokens come = run.arrive(node, tokens);
            ASSERT_TRUE(tokens < 0 ? come <= 0 && come >= tokens : come == tokens);
            outside += come;
            ASSERT_TRUE(run.recount());
            for (const Tokens load : run.loads())
                ASSERT_GE(load, 0);
            for (auto events = random.below(60); events > 0; --events)
                run.step();
        }
        EXPECT_EQ(run.run().end, engine::SimulationEnd::quiet);
        EXPECT_EQ(load::total(run.loads()), 52 + outside);
        EXPECT_LE(load::local_imbalance(network, run.loads()), 1);
        for (NodeId node = 0; node < network.node_count(); ++node)
            EXPECT_EQ(run.state(node).load, run.loads()[node]);
    }
}

}  // namespace
}  // namespace equipoise::programs
