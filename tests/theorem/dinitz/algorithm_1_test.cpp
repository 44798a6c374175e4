// Lemma 2. If the discrepancy of G at the beginning of some round is K, the potential of G
// decreases after that round by at least K^2 / 2D.
//
// Lemma 4. As the result of any single round of Algorithm 1: ... 3. The load of at least one node
// with load L_min strictly increases and the load of at least one node with load L_max strictly
// decreases. (Parts 1 and 2 are Lemma 6 of Algorithm 2.)
//
// Theorem 1. Algorithm 1 is monotonic. After at most (6n + 3) D ln(...) time of its execution, the
// discrepancy of G will be at most epsilon.
//
// Algorithm 1 runs in fixed point: Algorithm 2 on loads scaled by 2^s. A deal then loses less than
// one unit against the real number, so Lemma 2 reads (K - D)^2 / 2D in units of 2^-s.

#include <algorithm>

#include <gtest/gtest.h>

#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test {
namespace {

constexpr unsigned scale_bits = 20;
constexpr Tokens one = Tokens{1} << scale_bits;

load::Loads scaled(const load::Loads& loads) {
    load::Loads out = loads;
    for (Tokens& load : out)
        load *= one;
    return out;
}

void check_round(const DealCase& at) {
    const load::Loads before = scaled(at.loads);
    DealPlay<protocols::DealAgreement2> play({}, at.graph, before);
    play.round();
    const load::Loads after = play.loads();
    const auto [least, most] = std::minmax_element(before.begin(), before.end());
    const Int128 spread = *most - *least;
    if (spread < Int128{2} * at.diameter) return;
    const Int128 drop = load::potential(before) - load::potential(after);
    const Int128 rounded = spread - at.diameter;
    ASSERT_GE(drop * 2 * at.diameter, rounded * rounded * at.graph.node_count()) << "Lemma 2";
    bool lowest_rose = false;
    bool highest_fell = false;
    for (NodeId node = 0; node < before.size(); ++node) {
        lowest_rose = lowest_rose || (before[node] == *least && after[node] > *least);
        highest_fell = highest_fell || (before[node] == *most && after[node] < *most);
    }
    ASSERT_TRUE(lowest_rose && highest_fell) << "Lemma 4.3";
}

TEST(Lemma2And4DealAgreement1, HoldInTheFirstRoundOfEverySmallCase) {
    for_each_deal_case([](const DealCase& at) {
        if (!HasFatalFailure()) check_round(at);
    });
}

TEST(Theorem1DealAgreement1, DiscrepancyIsAtMostEpsilonWithinTheBound) {
    constexpr double epsilon = 0.01;
    constexpr Tokens epsilon_units = one / 100;
    RandomStream random(8, Purpose::sampling);
    for (int i = 0; i < 60; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(30));
        const network::Network graph = random_connected_graph(nodes, random.below(30), random);
        const load::Loads loads = random_loads(nodes, 100, random);
        const std::uint64_t diameter = network::diameter(network::AnyNetwork(graph)).upper;
        const std::uint64_t bound = theory::deal_agreement_1_rounds(
            nodes, diameter, static_cast<double>(load::discrepancy(loads)), epsilon);
        DealPlay<protocols::DealAgreement2> play({}, graph, scaled(loads));
        std::uint64_t rounds = 0;
        Tokens spread = load::discrepancy(play.loads());
        while (spread > epsilon_units && rounds <= bound) {
            play.round();
            ++rounds;
            const Tokens now = load::discrepancy(play.loads());
            ASSERT_LE(now, spread) << "monotone";
            spread = now;
        }
        EXPECT_LE(rounds, bound);
        EXPECT_EQ(load::total(play.loads()), load::total(loads) * one);
    }
}

}  // namespace
}  // namespace equipoise::test
