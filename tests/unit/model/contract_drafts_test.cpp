// Algorithms written against the contracts before there was an engine: each must fit without
// cheating, and do what it promises on plain interpreters.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/contract_drafts/counting_circuit.hpp"
#include "tests/support/contract_drafts/flow_imitation.hpp"
#include "tests/support/contract_drafts/random_walks.hpp"
#include "tests/support/contract_drafts/self_stabilising.hpp"
#include "tests/support/reference_host.hpp"
#include "tests/support/reference_rounds.hpp"

namespace equipoise::contract_drafts {
namespace {

network::Network torus_5x5() {
    std::vector<Ends> links;
    for (NodeId row = 0; row < 5; ++row) {
        for (NodeId column = 0; column < 5; ++column) {
            links.push_back({5 * row + column, 5 * row + (column + 1) % 5});
            links.push_back({5 * row + column, 5 * ((row + 1) % 5) + column});
        }
    }
    return network::Network(25, links);
}

Tokens sum(const std::vector<Tokens>& loads) {
    return std::accumulate(loads.begin(), loads.end(), Tokens{0});
}

TEST(FlowImitationDraft, StaysWithinOneTokenOfTheIdealFlowOnEveryLinkAndKeepsTheIdealSum) {
    const network::Network torus = torus_5x5();
    const FlowImitation rule;
    std::vector<Tokens> loads(25, 0);
    loads[0] = 60;
    loads[7] = 3;
    test::ReferenceEdgeRounds rounds(rule, torus, loads, torus.link_count());
    for (int step = 0; step < 200; ++step) {
        rounds.step(torus.links(), 0);
        Tokens ideal = 0;
        Tokens dummies = 0;
        for (const auto& state : rounds.states) {
            ideal += state.ideal;
            dummies += state.dummies;
        }
        EXPECT_EQ(ideal, 63 * FlowImitation::one);
        EXPECT_EQ(rounds.created, dummies);
        EXPECT_EQ(sum(rounds.loads), 63 + rounds.created);
        EXPECT_GE(*std::min_element(rounds.loads.begin(), rounds.loads.end()), 0);
        for (const auto& link : rounds.links)
            EXPECT_LT(std::abs(link.behind), FlowImitation::one);
    }
    EXPECT_LE(load::discrepancy(rounds.loads), 8);  // 2 (largest degree) + what dummies add
}

TEST(CountingCircuitDraft, KeepsTheStepPropertyOfTheBitonicNetworkOverSeveralBatches) {
    // Bitonic counting network on four wires; the tail is a balancer's upper output.
    const network::Network wires(4, {{0, 1}, {2, 3}, {0, 3}, {1, 2}});
    const std::vector<std::vector<Ends>> layers = {
        {{0, 1}, {2, 3}}, {{0, 3}, {1, 2}}, {{0, 1}, {2, 3}}};
    const CountingCircuit rule;
    RandomStream random(1, Purpose::sampling);
    for (int run = 0; run < 200; ++run) {
        test::ReferenceEdgeRounds rounds(rule, wires, {0, 0, 0, 0}, 6);
        std::vector<Tokens> counted(4, 0);
        for (int batch = 0; batch < 5; ++batch) {
            for (Tokens& load : rounds.loads)
                load = static_cast<Tokens>(random.below(6));
            for (std::size_t layer = 0; layer < 3; ++layer)
                rounds.step(layers[layer], 2 * layer);
            for (std::size_t wire = 0; wire < 4; ++wire)
                counted[wire] += rounds.loads[wire];
            for (std::size_t upper = 0; upper < 4; ++upper) {
                for (std::size_t lower = upper + 1; lower < 4; ++lower) {
                    EXPECT_GE(counted[upper], counted[lower]);
                    EXPECT_LE(counted[upper], counted[lower] + 1);
                }
            }
        }
    }
}

TEST(RandomWalksDraft, EndsWithFloorOrCeilingOfTheMeanWhenAllWalkersHaveMet) {
    const network::Network torus = torus_5x5();
    const RandomWalks rule(4, 4);
    std::vector<Tokens> loads(25, 0);
    loads[3] = 70;
    loads[20] = 30;
    test::ReferenceDealRounds rounds(rule, torus, loads);
    Tokens walkers = 0;
    for (int round = 0; round < 5000; ++round) {
        rounds.round();
        EXPECT_EQ(sum(rounds.loads), 100);
        const Tokens before = walkers;
        walkers = 0;
        for (std::size_t v = 0; v < 25; ++v) {
            walkers += rounds.states[v].surplus + rounds.states[v].holes;
            const Tokens settled =
                rounds.loads[v] - rounds.states[v].surplus + rounds.states[v].holes;
            EXPECT_EQ(settled, 4);
        }
        EXPECT_TRUE(round == 0 || walkers <= before);
    }
    EXPECT_EQ(walkers, 0);
    EXPECT_EQ(load::discrepancy(rounds.loads), 0);
}

/// Whether neighbours differ by one at most.
bool one_balanced(const network::Network& network, const std::vector<Tokens>& loads) {
    return load::local_imbalance(network, loads) <= 1;
}

/// Runs with packets that are lost and doubled, in channels of `capacity` packets.
void run_over_bad_links(test::ReferenceHost<SelfStabilising>& host, std::uint64_t seed,
                        int choices) {
    RandomStream random(seed, Purpose::fault);
    for (int made = 0; made < choices; ++made) {
        const auto open = host.choices();
        const auto& choice = open[static_cast<std::size_t>(random.below(open.size()))];
        if (choice.arc && random.below(10) < 2)
            host.lose(*choice.arc);
        else if (choice.arc && random.below(10) < 1)
            host.duplicate(*choice.arc);
        else
            host.take(choice);
        for (LinkId arc = 0; arc < host.arc_count(); ++arc)
            while (host.on_the_way(arc) > SelfStabilising::capacity)
                host.lose(arc);
    }
}

TEST(SelfStabilisingDraft, LevelsOverChannelsThatLoseAndDoublePackets) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const std::vector<Tokens> loads = {30, 0, 0, 7, 1};
    const SelfStabilising program(10);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        test::ReferenceHost kept(program, graph, loads);
        test::ReferenceHost recreated(program, graph, loads, true);
        run_over_bad_links(kept, seed, 60'000);
        run_over_bad_links(recreated, seed, 60'000);
        EXPECT_TRUE(one_balanced(graph, kept.loads()));
        EXPECT_EQ(sum(kept.loads()), 38);
        EXPECT_EQ(kept.held_and_on_the_way(), 38);
        EXPECT_EQ(kept.loads(), recreated.loads());
        EXPECT_EQ(kept.delivered(), recreated.delivered());
    }
}

}  // namespace
}  // namespace equipoise::contract_drafts
