#include "equipoise/protocols/baselines/randomised_diffusion.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::Nothing;
using protocols::baselines::RandomisedDiffusion;

/// What a node with `load` tokens and three of at most four links sends, by port.
std::vector<Tokens> sent(Tokens load, std::uint64_t seed) {
    Nothing state;
    const std::vector<Tokens> neighbour_loads(3, 0);
    const std::vector<Port> neighbour_degrees(3, 4);
    std::vector<Tokens> out(3, -1);
    RandomisedDiffusion(4).propose(
        {load, 1, state, neighbour_loads, {}, neighbour_degrees, NodeId{0}, Step{0}, seed}, out);
    return out;
}

TEST(RandomisedDiffusion, SendsTheShareAndAtMostOneExcessTokenOverEveryLink) {
    for (Tokens load = 0; load <= 30; ++load)
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Tokens excess = 0;
            for (const Tokens tokens : sent(load, seed)) {
                EXPECT_GE(tokens, load / 5);
                EXPECT_LE(tokens, load / 5 + 1);
                excess += tokens - load / 5;
            }
            // Two of the five places are the node's own.
            EXPECT_LE(excess, load % 5);
            EXPECT_GE(excess, load % 5 - 2);
        }
}

TEST(RandomisedDiffusion, ChoosesEveryPlaceEquallyOften) {
    constexpr int draws = 20'000;
    std::vector<Tokens> total(3, 0);
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
        const std::vector<Tokens> once = sent(2, seed);
        for (std::size_t port = 0; port < 3; ++port)
            total[port] += once[port];
    }
    // Two of five places: probability 0.4, standard deviation 69.
    for (const Tokens count : total)
        EXPECT_NEAR(static_cast<double>(count), 0.4 * draws, 400);
}

TEST(RandomisedDiffusion, ConservesTokensWithoutDebtOnIrregularGraphs) {
    RandomStream random(6, Purpose::sampling);
    for (int run = 0; run < 40; ++run) {
        const network::Network graph = test::random_connected_graph(20, 15, random);
        const load::Loads loads = test::random_loads(20, 9, random);
        engine::DealRounds rounds(RandomisedDiffusion(graph.degree_max()), loads, graph,
                                  test::steps(0, 17));
        for (int step = 0; step < 100; ++step) {
            rounds.step();
            EXPECT_EQ(load::total(rounds.loads()), load::total(loads));
            EXPECT_GE(*std::min_element(rounds.loads().begin(), rounds.loads().end()), 0);
        }
    }
}

TEST(RandomisedDiffusion, LevelsATorusToAFewTokens) {
    const network::Network torus = test::torus(8, 8);
    const auto run =
        engine::run_rounds(RandomisedDiffusion(4), test::loads_8x8(), torus, test::steps(500));
    EXPECT_LE(load::discrepancy(run.loads), 9);
}

TEST(RandomisedDiffusion, IsTheSameInThePlainAndInTheFastBody) {
    RandomStream random(8, Purpose::sampling);
    const network::Network graph = test::random_connected_graph(40, 60, random);
    load::Loads loads(40, 0);
    loads[3] = 900;
    engine::RoundOptions options = test::steps(200, 4);
    const RandomisedDiffusion rule(graph.degree_max());
    const auto fast = engine::run_rounds(rule, loads, graph, options);
    options.body = engine::Body::reference;
    const auto plain = engine::run_rounds(rule, loads, graph, options);
    EXPECT_EQ(fast.loads, plain.loads);
    EXPECT_EQ(fast.costs, plain.costs);
}

}  // namespace
}  // namespace equipoise
