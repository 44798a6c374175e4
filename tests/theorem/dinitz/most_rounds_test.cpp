// How many rounds Algorithms 2 and 3 can take (docs/results/rounds-of-deal-agreement.md). A round
// counts if it makes a deal.
//
// Lemma. A round of Algorithm 2 that begins with a discrepancy of K > D lowers the potential by at
// least max(K - D, (K - D)^2 / 2D).
//
// Theorem 1. nK^2 / 8 rounds are attained, by both algorithms, for K = 2 and every even n, and by
// nothing with K >= 3; with K = 3 there are at most n.
//
// Theorem 2. Algorithm 2 takes at most n/2 + sum over k = 3 .. K of n (2k - 1) / 4 g(k) rounds,
// where g(k) is what a round lowers the potential by at least.
//
// Theorem 3. On two complete graphs of m >= 2 nodes, joined by a path, with loads that fall by 2
// from link to link, both algorithms move single tokens and take at least (m - 1) D / 2 rounds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/composite.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test {
namespace {

using protocols::Acceptance;
using protocols::DealAgreement2;
using protocols::DealAgreement3;

constexpr std::uint64_t endless = 1'000'000;

TEST(MostRoundsOfDealAgreement2, EveryRoundLowersThePotentialByTheLemmaAndAllKeepTheorem2) {
    for_each_deal_case([](const DealCase& at) {
        if (HasFailure()) return;
        const auto diameter = static_cast<std::uint64_t>(at.diameter);
        const NodeId nodes = at.graph.node_count();
        DealPlay<DealAgreement2> play({}, at.graph, at.loads);
        std::uint64_t rounds = 0;
        load::Loads before = play.loads();
        while (!play.round().empty()) {
            ++rounds;
            const load::Loads after = play.loads();
            const double fall =
                static_cast<double>(load::potential(before) - load::potential(after)) / nodes;
            ASSERT_GE(fall + 1e-9,
                      theory::deal_agreement_2_fall(diameter, load::discrepancy(before)));
            before = after;
        }
        ASSERT_LE(static_cast<double>(rounds), theory::deal_agreement_2_deal_rounds(
                                                   nodes, diameter, load::discrepancy(at.loads)) +
                                                   1e-9);
    });
}

TEST(MostRoundsOfDealAgreement2, BoundIsThatOfThePotentialWhereDistancesAreAsLargeAsLoads) {
    for (Tokens discrepancy = 2; discrepancy <= 20; ++discrepancy)
        EXPECT_NEAR(theory::deal_agreement_2_deal_rounds(50, 20, discrepancy),
                    50.0 * static_cast<double>(discrepancy * discrepancy) / 8, 1e-9);
}

TEST(MostRoundsOfDealAgreement2, BoundWithLogarithmsIsLarger) {
    for (std::uint64_t diameter = 1; diameter <= 40; ++diameter)
        for (Tokens discrepancy = 2; discrepancy <= 1000; ++discrepancy) {
            const auto d = static_cast<double>(diameter);
            const double far = static_cast<double>(discrepancy) - d;
            double bound = (d + 2) * (d + 2) / 8 + d * (1 + std::log(2 * d) / 2);
            if (far > 2 * d) bound += d * (std::log(far / (2 * d)) + 0.5);
            ASSERT_LE(theory::deal_agreement_2_deal_rounds(2, diameter, discrepancy),
                      2 * bound + 1e-9)
                << diameter << ' ' << discrepancy;
        }
}

/// Every node of `first` linked to every other node.
network::Network complete_bipartite(const std::vector<bool>& first) {
    std::vector<Ends> links;
    const auto nodes = static_cast<NodeId>(first.size());
    for (NodeId tail = 0; tail < nodes; ++tail)
        for (NodeId head = tail + 1; head < nodes; ++head)
            if (first[tail] != first[head]) links.push_back({tail, head});
    return {nodes, std::move(links)};
}

template <class Rule>
std::uint64_t rounds_of(Rule rule, const network::Network& graph, const load::Loads& loads) {
    return DealPlay<Rule>(std::move(rule), graph, loads).rounds_until_quiet(endless);
}

TEST(MostRoundsOfDealAgreement, AreAnEighthOfNKSquaredOnCompleteBipartiteNetworksOfTwosAndNones) {
    RandomStream random(26, Purpose::sampling);
    for (std::size_t half = 1; half <= 24; ++half)
        for (int numbering = 0; numbering < 8; ++numbering) {
            std::vector<bool> full(2 * half, false);
            for (std::size_t chosen = 0; chosen < half;) {
                const std::size_t node = numbering == 0 ? chosen : random.below(2 * half);
                chosen += full[node] ? 0 : 1;
                full[node] = true;
            }
            const network::Network graph = complete_bipartite(full);
            load::Loads loads;
            for (const bool is_full : full)
                loads.push_back(is_full ? 2 : 0);
            const std::uint64_t most = theory::deal_agreement_3_rounds(graph.node_count(), 2);
            ASSERT_EQ(most, half);
            ASSERT_EQ(rounds_of(DealAgreement2(), graph, loads), most);
            ASSERT_EQ(rounds_of(DealAgreement3(), graph, loads), most);
            ASSERT_EQ(rounds_of(DealAgreement3(Acceptance::minimal_repair), graph, loads), most);
        }
}

TEST(MostRoundsOfDealAgreement, AreFewerThanAnEighthOfNKSquaredFromThreeTokensOn) {
    for_each_deal_case([](const DealCase& at) {
        const Tokens spread = load::discrepancy(at.loads);
        const auto eight = 8 * std::max(rounds_of(DealAgreement2(), at.graph, at.loads),
                                        rounds_of(DealAgreement3(), at.graph, at.loads));
        const auto most = static_cast<std::uint64_t>(spread * spread) * at.graph.node_count();
        if (spread >= 3) {
            ASSERT_LT(eight, most);
        } else {
            ASSERT_LE(eight, most);
        }
        if (spread == 3) {
            ASSERT_LE(eight, 8 * std::uint64_t{at.graph.node_count()});
        }
    });
}

/// Theorem 3's loads: 2D in the first complete graph, 0 in the second, and from its gate on 2 less
/// from link to link.
load::Loads falling_by_two(NodeId clique, NodeId path) {
    const Tokens top = 2 * (Tokens{path} + 3);
    load::Loads loads(2 * std::size_t{clique} + path, 0);
    std::fill_n(loads.begin(), clique - 1, top);
    Tokens next = top - 2;
    for (NodeId node = clique - 1; node <= clique + path; ++node, next -= 2)
        loads[node] = next;
    return loads;
}

/// What the proof says of one end: the nodes first .. last - 1 beside a gate hold as much as the
/// gate or up to 2 more (sign -1: less), and are within 1 of one another.
void check_end(const load::Loads& now, NodeId gate, NodeId first, NodeId last, Tokens sign) {
    for (NodeId node = first; node < last; ++node) {
        ASSERT_GE(sign * (now[node] - now[gate]), 0);
        ASSERT_LE(sign * (now[node] - now[gate]), 2);
    }
    const auto [least, most] = std::minmax_element(now.begin() + first, now.begin() + last);
    ASSERT_LE(*most - *least, 1);
}

/// All that the proof of Theorem 3 says of a run.
template <class Rule>
void check_barbell(NodeId clique, NodeId path) {
    const network::Network graph = network::make_barbell(clique, path);
    const load::Loads start = falling_by_two(clique, path);
    const auto diameter = static_cast<std::uint64_t>(path) + 3;
    ASSERT_EQ(network::diameter(network::AnyNetwork(graph)).upper, diameter);
    ASSERT_EQ(load::discrepancy(start), static_cast<Tokens>(2 * diameter));
    DealPlay<Rule> play(Rule(), graph, start);
    std::uint64_t rounds = 0;
    const NodeId gate = clique - 1;
    const NodeId far_gate = clique + path;
    while (true) {
        const std::vector<model::Transfer> deals = play.round();
        if (deals.empty()) break;
        ++rounds;
        for (const model::Transfer& deal : deals)
            ASSERT_EQ(deal.tokens, 1);
        const auto out_of_first = std::count_if(deals.begin(), deals.end(),
                                                [&](const auto& deal) { return deal.from < gate; });
        const auto into_second = std::count_if(
            deals.begin(), deals.end(), [&](const auto& deal) { return deal.to > far_gate; });
        ASSERT_LE(out_of_first, 1);
        ASSERT_LE(into_second, 1);
        const load::Loads now = play.loads();
        for (NodeId node = gate; node < far_gate; ++node) {
            ASSERT_GE(now[node] - now[node + 1], 0);
            ASSERT_LE(now[node] - now[node + 1], 3);
        }
        ASSERT_NO_FATAL_FAILURE(check_end(now, gate, 0, gate, 1));
        ASSERT_NO_FATAL_FAILURE(check_end(now, far_gate, far_gate + 1, graph.node_count(), -1));
    }
    ASSERT_GE(2 * rounds, (clique - 1) * diameter);
    ASSERT_LE(static_cast<double>(rounds),
              theory::deal_agreement_2_deal_rounds(graph.node_count(), diameter,
                                                   static_cast<Tokens>(2 * diameter)));
}

TEST(MostRoundsOfDealAgreement, AreAtLeastOfTheOrderOfNTimesKOnTwoCompleteGraphsJoinedByAPath) {
    for (const NodeId clique : {2U, 3U, 4U, 7U, 12U, 30U})
        for (const NodeId path : {0U, 1U, 2U, 3U, 6U, 11U, 20U}) {
            check_barbell<DealAgreement2>(clique, path);
            check_barbell<DealAgreement3>(clique, path);
            if (HasFatalFailure()) FAIL() << clique << ' ' << path;
        }
}

}  // namespace
}  // namespace equipoise::test
