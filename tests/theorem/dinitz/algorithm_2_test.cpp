// Lemma 1. Any fair transfer of load l decreases the graph potential by at least 2 l^2.
//
// Lemma 5. If the discrepancy of G at the beginning of some round is K >= 2D, the potential of G
// decreases after that round by at least K^2 / 8D.
//
// Lemma 6. As the result of any single round of Algorithm 2: 1. If node u transferred load to node
// v, load(v) does not become greater than load(u) at the end of round. 2. No node load strictly
// decreases to L_min or below and no node load strictly increases to L_max or above. Therefore, the
// algorithm is monotonic.
//
// Lemma 7. After at most (8nD + 1) ln(ceil(nK^2 / (2D^2))) rounds, the discrepancy will permanently
// be less than 2D.
//
// Theorem 2. Algorithm 2 is monotonic. After at most (24n + 3) D ln(...) + 6 n D^2 time the graph
// state will become 1-Balanced and fixed. (A round takes three units of time; the bound of the
// proof, with its smaller logarithm, is the one that is checked.)
//
// Beyond the paper: at most floor(Phi / 2) rounds have a deal, attained by one link with (2, 0).

#include <algorithm>

#include <gtest/gtest.h>

#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test {
namespace {

using protocols::DealAgreement2;

/// n times the drop of the potential, exactly.
Int128 scaled_drop(const load::Loads& before, const load::Loads& after) {
    return load::potential(before) - load::potential(after);
}

/// Lemmas 1, 5 and 6 in one round that starts at a case's loads.
void check_round(const DealCase& at) {
    DealPlay<DealAgreement2> play({}, at.graph, at.loads);
    const auto& deals = play.round();
    const load::Loads after = play.loads();
    const auto [least, most] = std::minmax_element(at.loads.begin(), at.loads.end());
    Int128 squares = 0;
    for (const model::Transfer& deal : deals) {
        ASSERT_GE(at.loads[deal.from] - at.loads[deal.to], 2 * deal.tokens) << "not fair";
        ASSERT_LE(after[deal.to], after[deal.from]) << "Lemma 6.1";
        squares += Int128{deal.tokens} * deal.tokens;
    }
    for (NodeId node = 0; node < at.graph.node_count(); ++node) {
        if (after[node] < at.loads[node]) {
            ASSERT_GT(after[node], *least) << "Lemma 6.2";
        }
        if (after[node] > at.loads[node]) {
            ASSERT_LT(after[node], *most) << "Lemma 6.2";
        }
    }
    const Int128 drop = scaled_drop(at.loads, after);
    const Int128 n = at.graph.node_count();
    ASSERT_GE(drop, 2 * squares * n) << "Lemma 1, accumulated";
    const Int128 spread = *most - *least;
    if (spread >= Int128{2} * at.diameter) {
        ASSERT_GE(drop * 8 * at.diameter, spread * spread * n) << "Lemma 5";
    }
}

TEST(Lemma5And6DealAgreement2, HoldInTheFirstRoundOfEverySmallCase) {
    for_each_deal_case([](const DealCase& at) {
        if (!HasFatalFailure()) check_round(at);
    });
}

void check_run(const DealCase& at) {
    DealPlay<DealAgreement2> play({}, at.graph, at.loads);
    const std::uint64_t n = at.graph.node_count();
    const std::uint64_t by_theorem = theory::deal_agreement_2_rounds(
        n, static_cast<std::uint64_t>(at.diameter), load::discrepancy(at.loads));
    const std::uint64_t by_potential =
        theory::deal_rounds_by_potential(load::potential(at.loads), n);
    const std::uint64_t rounds = play.rounds_until_quiet(by_potential + 1);
    const load::Loads after = play.loads();
    ASSERT_EQ(load::total(after), load::total(at.loads));
    ASSERT_LE(steepest_link(at.graph, after), 1) << "1-balanced";
    ASSERT_LE(load::discrepancy(after),
              theory::one_balanced_discrepancy(static_cast<std::uint64_t>(at.diameter)));
    ASSERT_LE(rounds, by_potential);
    if (load::discrepancy(at.loads) > 1) {
        ASSERT_LE(rounds, by_theorem) << "Theorem 2";
    }
    ASSERT_TRUE(play.round().empty()) << "fixed";
}

TEST(Lemma7DealAgreement2, DiscrepancyStaysBelowTwiceTheDiameterFromTheBoundOnInEverySmallCase) {
    std::uint64_t spoken_of = 0;
    for_each_deal_case([&](const DealCase& at) {
        const Tokens target = 2 * at.diameter;
        if (HasFatalFailure() || load::discrepancy(at.loads) < target) return;
        ++spoken_of;
        const std::uint64_t bound = theory::deal_agreement_2_rounds_to_twice_the_diameter(
            at.graph.node_count(), static_cast<std::uint64_t>(at.diameter),
            load::discrepancy(at.loads));
        DealPlay<DealAgreement2> play({}, at.graph, at.loads);
        std::uint64_t rounds = 0;
        for (; load::discrepancy(play.loads()) >= target && rounds <= bound; ++rounds)
            play.round();
        ASSERT_LE(rounds, bound);
        while (!play.round().empty())
            ASSERT_LT(load::discrepancy(play.loads()), target) << "permanently";
    });
    EXPECT_GT(spoken_of, 1000U);
}

TEST(Theorem2DealAgreement2, EndsOneBalancedWithinTheBoundOnEverySmallCase) {
    for_each_deal_case([](const DealCase& at) {
        if (!HasFatalFailure()) check_run(at);
    });
}

TEST(Theorem2DealAgreement2, ExtremesAreMonotoneAtEveryRound) {
    RandomStream random(4, Purpose::sampling);
    for (int i = 0; i < 40; ++i) {
        const network::Network graph = random_connected_graph(25, 20, random);
        DealPlay<DealAgreement2> play({}, graph, random_loads(25, 1000, random));
        while (!play.round().empty()) {
            const load::Loads& before = play.before();
            const load::Loads after = play.loads();
            ASSERT_LE(*std::max_element(after.begin(), after.end()),
                      *std::max_element(before.begin(), before.end()));
            ASSERT_GE(*std::min_element(after.begin(), after.end()),
                      *std::min_element(before.begin(), before.end()));
        }
    }
}

TEST(PotentialBound, IsAttainedByOneLinkWithTwoTokens) {
    const network::Network link(2, {{0, 1}});
    DealPlay<DealAgreement2> play({}, link, {2, 0});
    EXPECT_EQ(play.rounds_until_quiet(10), 1U);
    EXPECT_EQ(theory::deal_rounds_by_potential(load::potential(load::Loads{2, 0}), 2), 1U);
}

TEST(OneBalanced, DiscrepancyCanBeTheDiameter) {
    const network::Network path(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    DealPlay<DealAgreement2> play({}, path, {0, 1, 2, 3, 4});
    EXPECT_TRUE(play.round().empty());
}

}  // namespace
}  // namespace equipoise::test
