// Random pairs on the complete network (docs/results/coin-averaging.md, Theorem 3). Let n be the
// number of nodes and Phi = sum (x - mean)^2 of the initial loads. If the mean is a whole number
// and a half, then after
//     t >= (n - 1) ln((Phi - n / 4) / (2 delta))
// steps the discrepancy is above 1 with probability at most delta.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/protocols/coin_averaging.hpp"
#include "equipoise/theory/coin_averaging.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise::test::random_pairs {
namespace {

/// The first step after which the discrepancy is at most `goal`: it stays so.
Step steps_to(const network::Network& complete, const load::Loads& start, Tokens goal,
              std::uint64_t seed) {
    model::RandomPair pairs(complete.node_count(), seed);
    engine::RoundOptions options = steps(~Step{0}, seed);
    options.stop.discrepancy = goal;
    return engine::run_rounds(protocols::CoinAveraging(0), pairs, start, complete, options)
        .costs.steps;
}

load::Loads spike(NodeId nodes, Tokens tokens) {
    load::Loads loads(nodes, 0);
    loads[0] = tokens;
    return loads;
}

TEST(RandomPairs, AreUnbalancedAfterTheStepsOfTheTheoremNoMoreOftenThanDeltaSays) {
    constexpr int runs = 1000;
    constexpr std::array<double, 3> deltas = {0.5, 0.1, 0.01};
    for (const NodeId nodes : {NodeId{16}, NodeId{64}, NodeId{256}}) {
        const network::Network complete = network::make_complete(nodes);
        const load::Loads start = spike(nodes, 64 * Tokens{nodes} + nodes / 2);
        std::array<int, 3> late = {};
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            const Step taken = steps_to(complete, start, 1, seed);
            for (std::size_t i = 0; i < deltas.size(); ++i)
                if (taken > theory::random_pairs_steps(nodes, load::potential(start), deltas[i]))
                    ++late[i];
        }
        for (std::size_t i = 0; i < deltas.size(); ++i)
            EXPECT_LE(static_cast<double>(late[i]) / runs,
                      deltas[i] + 3 * std::sqrt(deltas[i] / runs))
                << nodes << " nodes, delta " << deltas[i];
        EXPECT_GT(late[0], 0) << "the bound for one half is not far from what happens";
    }
}

/// The proof, step by step, from all loads of few nodes: the expected potential after a step, and
/// what is left of it at the end.
TEST(RandomPairs, LowerTheExpectedPotentialAsTheProofSaysFromAllLoads) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for_each_loads(nodes, 5, [&](const load::Loads& loads) {
            // All in units of 1 / (n (n - 1)), so that everything is a whole number.
            const Int128 n = nodes;
            const Int128 scaled = load::potential(loads);  // n Phi
            Int128 expected = scaled * (n - 1);            // n (n - 1) Phi
            for (NodeId u = 0; u < nodes; ++u)
                for (NodeId v = 0; v < nodes; ++v)
                    if (u != v) expected -= theory::averaging_gain(loads[u], loads[v]);
            // E[Phi'] <= (1 - 1 / (n - 1)) Phi + n / (4 (n - 1)), times 4 n (n - 1).
            EXPECT_TRUE(4 * expected <= 4 * scaled * (n - 2) + n * n);
            if (!theory::mean_is_half_integer(load::total(loads), nodes)) return;
            const Int128 above = 4 * scaled - n * n;  // 4 n (Phi - n / 4)
            EXPECT_TRUE(above >= 0 && above % (8 * n) == 0) << "not an even number";
            EXPECT_EQ(above == 0, load::discrepancy(loads) == 1);
        });
}

TEST(RandomPairs, TakeAboutAsManyStepsAsWereMeasuredFromASpike) {
    const network::Network complete = network::make_complete(64);
    const load::Loads start = spike(64, 64 * 64);
    double to_two = 0;
    double to_one = 0;
    constexpr int runs = 400;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        to_two += static_cast<double>(steps_to(complete, start, 2, seed)) / runs;
        to_one += static_cast<double>(steps_to(complete, start, 1, seed)) / runs;
    }
    EXPECT_NEAR(to_two, 854, 0.05 * 854);
    EXPECT_NEAR(to_one, 3883, 0.15 * 3883);
}

TEST(RandomPairs, AreEveryOrderedPairEquallyOften) {
    constexpr NodeId nodes = 5;
    std::array<std::array<int, nodes>, nodes> count = {};
    model::RandomPair pairs(nodes, 9);
    constexpr int steps = 20'000;
    for (Step step = 0; step < steps; ++step) {
        pairs.prepare(step);
        ++count[pairs.links(step)[0].tail][pairs.links(step)[0].head];
    }
    for (NodeId u = 0; u < nodes; ++u)
        for (NodeId v = 0; v < nodes; ++v) {
            const double expected = u == v ? 0 : steps / 20.0;
            EXPECT_NEAR(count[u][v], expected, 5 * std::sqrt(expected));
        }
}

}  // namespace
}  // namespace equipoise::test::random_pairs
