// SEND(floor) (docs/results/stateless-diffusion.md):
//
// Theorem 1. On a connected network with D >= 2 Delta, from any loads, the loads come to repeat a
// cycle of states. Either this is a single state in which all nodes send the same, or all its loads
// lie in D Q - Delta .. D Q + Delta - 1 for one Q. So the discrepancy is at most D - 1 from some
// round on, for ever.
//
// Lemma 1 (D >= Delta). floor(max / D) never rises, and floor(min / D) never falls.
//
// Lemma 2 (D >= 2 Delta). Y, the number of tokens above D floor(max / D) - Delta, never rises.
//
// Corollary 2. (a) Once all nodes send the same, or all loads lie in D Q - Delta .. D Q + Delta - 1
// for one Q, this stays so. (b) Once the discrepancy is at most D - 1, it is never more than
// D + Delta - 2 again.

#include "equipoise/theory/stateless_diffusion.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/protocols/send.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/played_rule.hpp"

namespace equipoise::test::stateless_diffusion {
namespace {

using protocols::Send;
using Play = PlayedRule<Send>;
using load::Loads;

Tokens least(const Loads& loads) {
    return *std::min_element(loads.begin(), loads.end());
}
Tokens largest(const Loads& loads) {
    return *std::max_element(loads.begin(), loads.end());
}

std::string text(const Loads& loads) {
    std::string all;
    for (const Tokens load : loads)
        all += std::to_string(load) + ' ';
    return all;
}

/// What the lemmas speak of, for one network and one D.
struct Levels {
    Tokens divisor;
    Tokens degree;

    [[nodiscard]] Tokens top(const Loads& loads) const { return largest(loads) / divisor; }
    [[nodiscard]] Tokens bottom(const Loads& loads) const { return least(loads) / divisor; }
    /// Tokens above D Q - Delta.
    [[nodiscard]] Tokens above(const Loads& loads, Tokens level) const {
        Tokens sum = 0;
        for (const Tokens load : loads)
            sum += std::max<Tokens>(0, load - (divisor * level - degree));
        return sum;
    }
    /// Whether all nodes send the same or all loads lie in D Q - Delta .. D Q + Delta - 1.
    [[nodiscard]] bool settled(const Loads& loads) const {
        const Tokens border = divisor * top(loads);
        return top(loads) == bottom(loads) ||
               (least(loads) >= border - degree && largest(loads) < border + degree);
    }
};

Levels levels_of(const network::Network& network, Tokens divisor) {
    return {divisor, std::max<Tokens>(1, network.degree_max())};
}

/// Plays rounds and checks in each what the lemmas and Corollary 2 say.
void expect_lemmas(const network::Network& network, Tokens divisor, const Loads& start,
                   int rounds) {
    const Levels levels = levels_of(network, divisor);
    const bool wide = divisor >= 2 * levels.degree;
    Play play(Send::floor(divisor), network);
    Play::Moment at = play.start(start);
    Tokens level = levels.top(start);  // its Y never rises, even when the top has fallen below it
    bool within = false;
    for (int round = 0; round < rounds; ++round) {
        const Loads before = at.loads;
        within = within || load::discrepancy(before) <= theory::send_floor_discrepancy(divisor);
        play.round(at);
        ASSERT_EQ(load::total(at.loads), load::total(start));
        ASSERT_GE(least(at.loads), 0);
        ASSERT_LE(levels.top(at.loads), levels.top(before)) << text(before);
        ASSERT_GE(levels.bottom(at.loads), levels.bottom(before)) << text(before);
        if (!wide) continue;
        ASSERT_LE(levels.above(at.loads, level), levels.above(before, level)) << text(before);
        level = levels.top(at.loads);
        if (levels.settled(before)) {
            ASSERT_TRUE(levels.settled(at.loads)) << text(before);
        }
        if (within) {
            ASSERT_LE(load::discrepancy(at.loads),
                      theory::send_floor_discrepancy_ever_after(
                          divisor, static_cast<std::uint64_t>(levels.degree)))
                << text(start);
        }
    }
}

void expect_theorem_1(const network::Network& network, Tokens divisor, const Loads& start) {
    const Levels levels = levels_of(network, divisor);
    Play play(Send::floor(divisor), network);
    auto [at, length] = play.cycle_from(play.start(start));
    for (std::uint64_t i = 0; i < length; ++i) {
        ASSERT_TRUE(levels.settled(at.loads)) << text(start) << "D " << divisor;
        ASSERT_LE(load::discrepancy(at.loads), theory::send_floor_discrepancy(divisor));
        play.round(at);
    }
    if (levels.top(at.loads) == levels.bottom(at.loads)) {
        ASSERT_EQ(length, 1U);
    }
}

TEST(StatelessTheorem1, HoldsOnCyclesFromAllSmallLoads) {
    const std::vector<Tokens> most = {0, 0, 0, 13, 9, 6, 5};  // by nodes
    for (NodeId nodes = 3; nodes <= 6; ++nodes) {
        const network::Network ring = network::make_cycle(nodes);
        for (const Tokens divisor : {4, 5, 6})
            for_each_loads(nodes, most[nodes],
                           [&](const Loads& loads) { expect_theorem_1(ring, divisor, loads); });
    }
}

TEST(StatelessTheorem1, HoldsOnTheCompleteNetworkOfFourNodesFromAllSmallLoads) {
    const network::Network network = network::make_complete(4);
    for (const Tokens divisor : {6, 7})
        for_each_loads(4, 13,
                       [&](const Loads& loads) { expect_theorem_1(network, divisor, loads); });
}

TEST(StatelessTheorem1, HoldsOnAllNetworksUpToFourNodesFromAllSmallLoads) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const network::Network& network : connected_graphs(nodes)) {
            const auto divisor = static_cast<Tokens>(2 * network.degree_max());
            for_each_loads(nodes, 2 * divisor,
                           [&](const Loads& loads) { expect_theorem_1(network, divisor, loads); });
        }
}

TEST(StatelessTheorem1, HoldsOnAllNetworksOfFiveNodesFromLoadsAtTheLevels) {
    for (const network::Network& network : connected_graphs(5)) {
        const auto divisor = static_cast<Tokens>(2 * network.degree_max());
        const std::vector<Tokens> chosen = {0,          1, divisor - 1, divisor, 2 * divisor - 1,
                                            3 * divisor};
        Loads loads(5);
        for_each_loads(5, static_cast<Tokens>(chosen.size()) - 1, [&](const Loads& which) {
            for (std::size_t node = 0; node < loads.size(); ++node)
                loads[node] = chosen[static_cast<std::size_t>(which[node])];
            expect_theorem_1(network, divisor, loads);
        });
    }
}

TEST(StatelessTheorem1, HoldsOnRandomNetworksFromRandomLoads) {
    RandomStream random(22, Purpose::sampling);
    for (int i = 0; i < 20'000; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(11));
        const network::Network network =
            random_connected_graph(nodes, static_cast<LinkId>(random.below(12)), random);
        const Tokens divisor =
            2 * Tokens{network.degree_max()} + static_cast<Tokens>(random.below(3));
        const auto most = static_cast<Tokens>(1 + random.below(4 * 24));
        expect_theorem_1(network, divisor, random_loads(nodes, most, random));
    }
}

TEST(StatelessTheorem1, IsTight) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& network : connected_graphs(nodes)) {
            const auto divisor = static_cast<Tokens>(2 * network.degree_max());
            Loads loads(nodes, 0);
            loads[0] = divisor - 1;
            Play play(Send::floor(divisor), network);
            EXPECT_EQ(play.recurrent_discrepancy(play.start(loads)),
                      theory::send_floor_discrepancy(divisor));
        }
}

TEST(StatelessLemmas, HoldInEveryRoundFromAllSmallLoads) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const network::Network& network : connected_graphs(nodes)) {
            const auto degree = static_cast<Tokens>(network.degree_max());
            for (Tokens divisor = degree; divisor <= 2 * degree + 1; ++divisor)
                for_each_loads(nodes, 2 * degree + 2, [&](const Loads& loads) {
                    expect_lemmas(network, divisor, loads, 6);
                });
        }
}

TEST(StatelessLemmas, HoldInEveryRoundOnRandomNetworks) {
    RandomStream random(23, Purpose::sampling);
    for (int i = 0; i < 10'000; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(11));
        const network::Network network =
            random_connected_graph(nodes, static_cast<LinkId>(random.below(12)), random);
        const Tokens degree = network.degree_max();
        const Tokens divisor =
            degree + static_cast<Tokens>(random.below(static_cast<std::uint64_t>(degree) + 4));
        const auto most = static_cast<Tokens>(1 + random.below(4 * 24));
        expect_lemmas(network, divisor, random_loads(nodes, most, random), 30);
    }
}

TEST(StatelessCorollary2, TheDiscrepancyCanRiseAboveTheBoundForATimeAsFarAsItSays) {
    // D = 4: the node with 6 tokens is among others that send one, the node with 4 is not.
    const network::Network ring = network::make_cycle(8);
    Play play(Send::floor(4), ring);
    Play::Moment at = play.start({6, 5, 5, 3, 4, 3, 5, 5});
    ASSERT_EQ(load::discrepancy(at.loads), theory::send_floor_discrepancy(4));
    play.round(at);
    EXPECT_EQ(load::discrepancy(at.loads), theory::send_floor_discrepancy_ever_after(4, 2));
    EXPECT_LE(play.recurrent_discrepancy(at), theory::send_floor_discrepancy(4));
}

/// The fewest tokens with which some loads keep a discrepancy of D or more for ever, and such
/// loads.
std::optional<Loads> counterexample(const network::Network& network, Tokens divisor, Tokens most) {
    std::optional<Loads> found;
    Play play(Send::floor(divisor), network);
    for_each_loads(network.node_count(), most, [&](const Loads& loads) {
        if (found && load::total(*found) <= load::total(loads)) return;
        if (play.recurrent_discrepancy(play.start(loads)) >= divisor) found = loads;
    });
    return found;
}

TEST(StatelessCounterexample, WithDOneBelowTwiceTheDegreeTheBoundFails) {
    // Two nodes with D = 1 swap all they have.
    EXPECT_EQ(counterexample(network::make_complete(2), 1, 2), (Loads{1, 0}));

    // Delta = 2, D = 3: the smallest network and, on it, the fewest tokens.
    for (const network::Network& network : connected_graphs(3))
        EXPECT_FALSE(counterexample(network, 3, 13)) << network.link_count();
    const network::Network ring = network::make_cycle(4);
    EXPECT_EQ(counterexample(ring, 3, 9), (Loads{9, 0, 0, 0}));
    Play play(Send::floor(3), ring);
    const auto [at, length] = play.cycle_from(play.start({9, 0, 0, 0}));
    EXPECT_EQ(length, 2U);
    Play::Moment other = at;
    play.round(other);
    EXPECT_EQ(std::max(at.loads, other.loads), (Loads{3, 1, 4, 1}));
    EXPECT_EQ(std::min(at.loads, other.loads), (Loads{1, 3, 2, 3}));
}

TEST(StatelessCounterexample, WithDAsLargeAsTheDegreeTheTwoSidesOfARingSwapForEver) {
    const network::Network ring = network::make_cycle(4);
    Play play(Send::floor(2), ring);
    EXPECT_EQ(play.recurrent_discrepancy(play.start({100, 0, 100, 0})), 100);
}

}  // namespace
}  // namespace equipoise::test::stateless_diffusion
