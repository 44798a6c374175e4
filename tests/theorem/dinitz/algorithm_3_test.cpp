// Lemma 8. As the result of any round of Algorithm 3, the maximum individual load does not increase
// and the minimum individual load does not decrease.
//
// Lemma 9. Algorithm 3 guarantees that no node joins the sets SL_min and SL_max.
//
// Lemma 10. Algorithm 3 guarantees potential function converges after each load transfer. (False
// for the printed acceptance: the potential can rise.)
//
// Section 3, the "lucky" example. The graph consists of n nodes: p and n-1 its neighbors, with an
// arbitrary set of edges between the neighbors. Let load(p) = n^2 and the loads of its neighbors be
// arbitrary integers between 0 and n. ... the resulting loads in the entire graph will equalize
// after a single round of proposal/acceptance.
//
// Theorem 3. Algorithm 3 is monotonic. After O(n K^2) time the initial discrepancy of K will
// permanently be 1-Balanced. (With the repaired acceptances: at most floor(Phi / 2) <= n K^2 / 8
// rounds with a deal.)

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test {
namespace {

using protocols::Acceptance;
using protocols::DealAgreement3;

constexpr std::array repaired = {Acceptance::residual_drain, Acceptance::minimal_repair};

network::Network star(NodeId leaves) {
    std::vector<Ends> links;
    for (NodeId leaf = 1; leaf <= leaves; ++leaf)
        links.push_back({0, leaf});
    return {leaves + 1, links};
}

void check_round(const DealCase& at, Acceptance acceptance) {
    DealPlay<DealAgreement3> play(DealAgreement3(acceptance), at.graph, at.loads);
    const auto& deals = play.round();
    const load::Loads after = play.loads();
    const auto [least, most] = std::minmax_element(at.loads.begin(), at.loads.end());
    load::Loads received = at.loads;  // H: load + received
    load::Loads given = at.loads;     // L: load - given
    Int128 squares = 0;
    for (const model::Transfer& deal : deals) {
        received[deal.to] += deal.tokens;
        given[deal.from] -= deal.tokens;
        squares += Int128{deal.tokens} * deal.tokens;
    }
    for (const model::Transfer& deal : deals)
        ASSERT_LE(received[deal.to], given[deal.from]) << "acceptor above giver";
    for (NodeId node = 0; node < at.loads.size(); ++node) {
        ASSERT_LE(after[node], *most) << "Lemma 8";
        ASSERT_GE(after[node], *least) << "Lemma 8";
        if (at.loads[node] != *most) {
            ASSERT_LT(after[node], *most) << "Lemma 9";
        }
        if (at.loads[node] != *least) {
            ASSERT_GT(after[node], *least) << "Lemma 9";
        }
    }
    const Int128 drop = load::potential(at.loads) - load::potential(after);
    ASSERT_GE(drop, 2 * squares * at.graph.node_count()) << "the potential falls by 2 sum d^2";
    ASSERT_EQ(deals.empty(), steepest_link(at.graph, at.loads) <= 1) << "quiet iff 1-balanced";
}

TEST(Lemma8And9DealAgreement3, HoldForBothRepairsInTheFirstRoundOfEverySmallCase) {
    for (const Acceptance acceptance : repaired)
        for_each_deal_case([&](const DealCase& at) {
            if (!HasFatalFailure()) check_round(at, acceptance);
        });
}

TEST(Theorem3DealAgreement3, EndsOneBalancedWithinTheBoundOnEverySmallCase) {
    for (const Acceptance acceptance : repaired)
        for_each_deal_case([&](const DealCase& at) {
            if (HasFatalFailure()) return;
            const std::uint64_t n = at.graph.node_count();
            const std::uint64_t bound =
                theory::deal_rounds_by_potential(load::potential(at.loads), n);
            ASSERT_LE(bound, theory::deal_agreement_3_rounds(n, load::discrepancy(at.loads)));
            DealPlay<DealAgreement3> play(DealAgreement3(acceptance), at.graph, at.loads);
            ASSERT_LE(play.rounds_until_quiet(bound + 1), bound);
            ASSERT_LE(steepest_link(at.graph, play.loads()), 1);
            ASSERT_EQ(load::total(play.loads()), load::total(at.loads));
        });
}

TEST(Lemma10DealAgreement3, IsFalseForThePrintedAcceptance) {
    const network::Network star_of_five = star(5);
    DealPlay<DealAgreement3> play(DealAgreement3(Acceptance::as_printed), star_of_five,
                                  {0, 6, 2, 2, 2, 2});
    const Int128 before = load::potential(play.loads());
    play.round();
    EXPECT_EQ(play.loads(), (load::Loads{5, 5, 1, 1, 1, 1}));
    // Phi from 58/3 to 64/3, times six nodes.
    EXPECT_EQ(before, 116);
    EXPECT_EQ(load::potential(play.loads()), 128);
}

TEST(Lemma10DealAgreement3, HoldsForBothRepairsOnTheCounterexample) {
    const network::Network star_of_five = star(5);
    for (const Acceptance acceptance : repaired) {
        DealPlay<DealAgreement3> play(DealAgreement3(acceptance), star_of_five, {0, 6, 2, 2, 2, 2});
        play.round();
        EXPECT_LT(load::potential(play.loads()), 116);
    }
}

TEST(ResidualDrain, BalancesAStarOfSevenFullLeavesInOneRoundAndTheMinimalRepairInFifteen) {
    const network::Network star_of_seven = star(7);
    const load::Loads loads{0, 100, 100, 100, 100, 100, 100, 100};
    DealPlay<DealAgreement3> drain(DealAgreement3(Acceptance::residual_drain), star_of_seven,
                                   loads);
    EXPECT_EQ(drain.rounds_until_quiet(100), 1U);
    DealPlay<DealAgreement3> minimal(DealAgreement3(Acceptance::minimal_repair), star_of_seven,
                                     loads);
    EXPECT_EQ(minimal.rounds_until_quiet(100), 15U);
}

/// A node with n^2 tokens beside n - 1 others with at most n, which have any links among them.
void check_lucky(const network::Network& graph, const load::Loads& loads) {
    for (const Acceptance acceptance : repaired) {
        DealPlay<DealAgreement3> play(DealAgreement3(acceptance), graph, loads);
        play.round();
        ASSERT_LE(load::discrepancy(play.loads()), 1);
        ASSERT_TRUE(play.round().empty());
    }
}

TEST(LuckyExample, LevelsEverythingInASingleRoundOnEveryGraphOfUpToFourNodes) {
    for (NodeId others = 1; others <= 3; ++others) {
        const NodeId nodes = others + 1;
        for_each_graph(others, [&](const network::Network& among) {
            std::vector<Ends> links(among.links().begin(), among.links().end());
            for (NodeId node = 0; node < others; ++node)
                links.push_back({node, others});
            const network::Network graph(nodes, links);
            for_each_loads(others, Tokens{nodes}, [&](const load::Loads& rest) {
                load::Loads loads = rest;
                loads.push_back(Tokens{nodes} * nodes);
                if (!HasFatalFailure()) check_lucky(graph, loads);
            });
        });
    }
}

TEST(LuckyExample, LevelsEverythingInASingleRoundOnLargerGraphs) {
    RandomStream random(9, Purpose::sampling);
    for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
        const auto nodes = static_cast<NodeId>(5 + random.below(40));
        std::vector<Ends> links;
        for (NodeId head = 1; head < nodes; ++head) {
            links.push_back({0, head});
            for (NodeId tail = 1; tail < head; ++tail)
                if (random.below(4) < static_cast<std::uint64_t>(i % 5))
                    links.push_back({tail, head});
        }
        load::Loads loads = random_loads(nodes, nodes, random);
        loads[0] = Tokens{nodes} * nodes;
        check_lucky(network::Network(nodes, links), loads);
    }
}

TEST(Section3, AlgorithmThreeIsSlowerThanAlgorithmTwoByAnyFactorOnAPathOfFourNodes) {
    const network::Network path(4, {{0, 1}, {1, 2}, {2, 3}});
    for (std::uint64_t k = 6; k <= 40; ++k) {
        const Tokens load = Tokens{1} << k;
        DealPlay<protocols::DealAgreement2> two({}, path, {0, load, 0, load});
        EXPECT_EQ(two.rounds_until_quiet(10), 1U);
        DealPlay<DealAgreement3> three(DealAgreement3(Acceptance::residual_drain), path,
                                       {0, load, 0, load});
        EXPECT_EQ(three.rounds_until_quiet(1000), 2 * k - 5);
    }
}

TEST(MotivatingExample, ProposalsThatLoseLeaveTheJumpAsItWas) {
    // p = 20 with nine empty neighbours, each with a private neighbour of 9: p stays at 20.
    std::vector<Ends> links;
    load::Loads loads(19, 0);
    loads[0] = 20;
    for (NodeId i = 1; i <= 9; ++i) {
        links.push_back({0, i});
        links.push_back({i, i + 9});
        loads[i + 9] = 9;
    }
    const network::Network graph(19, links);
    DealPlay<DealAgreement3> play(DealAgreement3(Acceptance::residual_drain), graph, loads);
    play.round();
    EXPECT_EQ(play.loads()[0], 20);
}

}  // namespace
}  // namespace equipoise::test
