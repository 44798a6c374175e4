#include "equipoise/analysis/deviation.hpp"

#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace {

using namespace equipoise;
using analysis::DeviationObserver;

void tell(DeviationObserver& observer, Step steps, const std::vector<Tokens>& loads) {
    const model::Costs costs{.steps = steps};
    const model::StepView view{costs, loads, 0, 0, {}};
    if (steps == 0) observer.on_start(view);
    if (steps > 0) observer.on_step(view);
}

/// One step of the diffusion over the links of a cycle, weight 1/3, rounded towards zero.
std::vector<Tokens> diffused(const std::vector<Tokens>& loads) {
    std::vector<Tokens> next = loads;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const std::size_t other = (i + 1) % loads.size();
        const Tokens flow = (loads[i] - loads[other]) / 3;
        next[i] -= flow;
        next[other] += flow;
    }
    return next;
}

DeviationObserver on_cycle(NodeId nodes) {
    const auto cycle = network::generate("cycle:n=" + std::to_string(nodes), 0);
    return {analysis::DiffusionMatrix::metropolis(cycle), network::RoundWeights(nodes, {1, 3})};
}

TEST(Deviation, IsTheLargestDistanceFromTheIdealisedDiffusion) {
    const network::AnyNetwork pair = network::generate("path:n=2", 0);
    DeviationObserver observer(analysis::DiffusionMatrix::metropolis(pair), {{1, 2}});
    tell(observer, 0, {5, 0});
    EXPECT_NEAR(observer.at_most(), 5, 1e-12);
    tell(observer, 1, {3, 2});  // idealised: 5/2, 5/2
    EXPECT_NEAR(observer.at_least(), 0.5, 1e-12);
    EXPECT_EQ(observer.largest_at(), 1U);
    tell(observer, 2, {4, 1});
    EXPECT_NEAR(observer.at_least(), 1.5, 1e-12);
    tell(observer, 3, {3, 2});
    EXPECT_NEAR(observer.at_least(), 1.5, 1e-12);
    EXPECT_EQ(observer.largest_at(), 2U);
    EXPECT_TRUE(observer.known());
}

TEST(Deviation, OfACircuitIsLookedAtAfterEveryStep) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    DeviationObserver observer(analysis::CircuitMatrix(3, network::natural_matchings(path)),
                               {.quiet_steps = 2, .memoryless = true});
    tell(observer, 0, {3, 0, 0});
    tell(observer, 1, {2, 1, 0});  // idealised: 3/2, 3/2, 0
    EXPECT_NEAR(observer.at_least(), 0.5, 1e-12);
    EXPECT_EQ(observer.largest_at(), 1U);
    tell(observer, 2, {2, 1, 0});  // 3/2, 3/4, 3/4
    EXPECT_NEAR(observer.at_least(), 0.75, 1e-12);
    EXPECT_FALSE(observer.frozen());
    tell(observer, 3, {2, 1, 0});    // 9/8, 9/8, 3/4
    EXPECT_TRUE(observer.frozen());  // within a round
    observer.play_on(1e6, {});
    EXPECT_TRUE(observer.known());
    EXPECT_NEAR(observer.at_least(), 1, 1e-6);
}

TEST(Deviation, OfPairsThatAreDrawnIsFromTheSamePairs) {
    const std::vector<std::vector<Ends>> drawn = {{{0, 1}}, {}, {{1, 2}}, {{0, 2}}};
    DeviationObserver observer(
        [&](Step step) { return std::span<const Ends>(drawn[step % drawn.size()]); },
        {.for_ever = false});
    tell(observer, 0, {8, 0, 1});
    tell(observer, 1, {4, 4, 1});
    tell(observer, 2, {4, 4, 1});
    EXPECT_NEAR(observer.at_most(), 0, 1e-12);
    tell(observer, 3, {4, 2, 3});  // idealised: 4, 5/2, 5/2
    EXPECT_NEAR(observer.at_most(), 0.5, 1e-12);
    tell(observer, 4, {4, 2, 3});  // 13/4, 5/2, 13/4
    EXPECT_NEAR(observer.at_least(), 0.75, 1e-12);
    EXPECT_EQ(observer.largest_at(), 4U);
    EXPECT_TRUE(observer.known());
    EXPECT_FALSE(observer.in_the_limit());
}

TEST(Deviation, OfSecondOrderIsFromFlowsThatAreRemembered) {
    const network::AnyNetwork pair = network::generate("path:n=2", 0);
    const Tokens one = Tokens{1} << analysis::SecondOrder::fraction_bits;
    DeviationObserver observer(analysis::DiffusionMatrix::metropolis(pair), {{1, 2}},
                               {.beta = one + one / 2, .switch_at = 3});
    tell(observer, 0, {9, 0});
    tell(observer, 1, {5, 4});  // first order: a flow of 9/2
    EXPECT_NEAR(observer.at_most(), 0.5, 1e-12);
    tell(observer, 2, {5, 4});  // half of 9/2 goes on: 9/4, 27/4
    EXPECT_NEAR(observer.at_most(), 2.75, 1e-12);
    tell(observer, 3, {5, 4});  // 9/8 - 27/8: 9/2, 9/2
    EXPECT_EQ(observer.largest_at(), 2U);
    tell(observer, 4, {0, 9});  // first order again: 9/2, 9/2
    EXPECT_NEAR(observer.at_most(), 4.5, 1e-12);
    EXPECT_EQ(observer.largest_at(), 4U);
    EXPECT_LT(observer.at_most() - observer.at_least(), 1e-12);
}

TEST(Deviation, OfSecondOrderIsTheSameHoweverManyTokensAllNodesHaveMore) {
    const network::AnyNetwork cycle = network::generate("cycle:n=12", 0);
    const Tokens one = Tokens{1} << analysis::SecondOrder::fraction_bits;
    std::vector<double> found;
    for (const Tokens more : {Tokens{0}, Tokens{1} << 40, Tokens{1} << 58}) {
        DeviationObserver observer(analysis::DiffusionMatrix::metropolis(cycle),
                                   network::RoundWeights(12, {1, 3}),
                                   analysis::SecondOrder{one + one / 3});
        std::vector<Tokens> loads(12, more);
        loads[3] += 1'000'003;
        tell(observer, 0, loads);
        for (Step step = 1; step < 200; ++step) {
            loads = diffused(loads);
            tell(observer, step, loads);
        }
        EXPECT_LT(observer.at_most() - observer.at_least(), 1e-5);
        found.push_back(observer.at_most());
    }
    EXPECT_GT(found[0], 1000);
    EXPECT_NEAR(found[1], found[0], 1e-5);
    EXPECT_NEAR(found[2], found[0], 1e-5);
}

TEST(Deviation, OfACircuitGoesOnToTheLimit) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    DeviationObserver observer(analysis::CircuitMatrix(3, network::natural_matchings(path)), {});
    tell(observer, 0, {4, 0, 0});
    tell(observer, 1, {2, 2, 0});
    tell(observer, 2, {2, 1, 1});                          // idealised: 2, 1, 1
    EXPECT_NEAR(observer.at_least(), 2 - 4.0 / 3, 1e-12);  // the limit: they differ by 1
    tell(observer, 3, {2, 1, 1});                          // idealised: 3/2, 3/2, 1
    tell(observer, 4, {2, 1, 1});                          // 3/2, 5/4, 5/4
    EXPECT_NEAR(observer.at_least(), 2 - 4.0 / 3, 1e-12);
    EXPECT_EQ(observer.largest_at(), 3U);
    EXPECT_TRUE(observer.in_the_limit());
}

TEST(Deviation, GoesOnBesideFrozenTokensUntilTheRestIsSmall) {
    // The paper's hill: frozen at once, while the idealised loads level to n/4.
    for (const NodeId nodes : {4U, 10U, 100U}) {
        DeviationObserver observer = on_cycle(nodes);
        std::vector<Tokens> hill(nodes);
        for (NodeId node = 0; node < nodes; ++node)
            hill[node] = std::min<Tokens>(node, nodes - Tokens{node});
        tell(observer, 0, hill);
        EXPECT_FALSE(observer.frozen());
        tell(observer, 1, diffused(hill));
        ASSERT_TRUE(observer.frozen());
        observer.play_on(1e9, {});
        EXPECT_TRUE(observer.known());
        EXPECT_LE(observer.at_least(), nodes / 4.0);
        EXPECT_GE(observer.at_most(), nodes / 4.0);
        EXPECT_LT(observer.at_most() - observer.at_least(), 1e-5);
    }
}

TEST(Deviation, IsEnclosedWhereTheRestWouldTakeTooLong) {
    DeviationObserver observer = on_cycle(100);
    std::vector<Tokens> hill(100);
    for (NodeId node = 0; node < 100; ++node)
        hill[node] = std::min<Tokens>(node, 100 - Tokens{node});
    tell(observer, 0, hill);
    tell(observer, 1, hill);
    observer.play_on(10'000, {});
    EXPECT_FALSE(observer.known());
    EXPECT_LE(observer.at_least(), 25);
    EXPECT_GE(observer.at_most(), 25);
}

TEST(Deviation, IsTheSameHoweverManyTokensAllNodesHaveMore) {
    const NodeId nodes = 12;
    std::vector<double> found;
    for (const Tokens more : {Tokens{0}, Tokens{1} << 40, tokens_max / 13}) {
        DeviationObserver observer = on_cycle(nodes);
        std::vector<Tokens> loads(nodes, more);
        loads[3] += 1'000'003;
        tell(observer, 0, loads);
        for (Step step = 1; !observer.frozen(); ++step) {
            loads = diffused(loads);
            tell(observer, step, loads);
        }
        observer.play_on(1e8, {});
        EXPECT_TRUE(observer.known());
        EXPECT_LT(observer.at_most() - observer.at_least(), 1e-6);
        EXPECT_LE(observer.at_least(), 6);  // 2/3 of Psi = 3n/4
        found.push_back(observer.at_least());
    }
    EXPECT_NEAR(found[1], found[0], 1e-9);
    EXPECT_NEAR(found[2], found[0], 1e-9);
}

TEST(Deviation, OfTokensThatGoRoundForEverIsKnownWhenTheyAreMetAgain) {
    // Two matchings that point round a cycle: a token goes round for ever.
    const NodeId nodes = 6;
    std::vector<std::vector<Ends>> matchings(2);
    for (NodeId node = 0; node < nodes; ++node)
        matchings[node % 2].push_back({(node + 1) % nodes, node});
    DeviationObserver observer(analysis::CircuitMatrix(nodes, matchings),
                               {.quiet_steps = 2, .memoryless = true});
    std::vector<Tokens> loads = {9, 7, 7, 7, 7, 7};
    tell(observer, 0, loads);
    for (Step step = 1; step < 400 && !observer.known(); ++step) {
        for (const auto& [tail, head] : matchings[(step - 1) % 2]) {
            const Tokens both = loads[tail] + loads[head];
            loads[head] = both / 2;
            loads[tail] = both - loads[head];
        }
        tell(observer, step, loads);
        EXPECT_FALSE(observer.frozen());
    }
    EXPECT_TRUE(observer.known());
    EXPECT_GE(observer.at_least(), 2.0 / 3 - 1e-12);  // 8 beside a mean of 22/3
}

}  // namespace
