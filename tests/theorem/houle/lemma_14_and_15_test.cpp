// Lemma 14, with Case 3 repaired: for a gap p of an n-node tree CONSTRUCT SUBGRAPH determines a
// connected subtree of p nodes within ceil(log2 n) - 1 iterations (the paper says ceil(log2 n)).
// Lemma 15: p is the sum modulo n of at most M stable gaps, M = min{1 + (D-2) L, floor((D+1) L /
// 2)} with L = ceil(log2 n) - 1.

#include <bit>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/construct_subgraph.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

std::uint64_t links_between(const network::Network& tree, const std::vector<NodeId>& nodes) {
    const std::set<NodeId> chosen(nodes.begin(), nodes.end());
    std::uint64_t links = 0;
    for (const Ends link : tree.links()) {
        if (chosen.contains(link.tail) && chosen.contains(link.head)) ++links;
    }
    return links;
}

void expect_lemma_14(const network::Network& tree, NodeId gap) {
    const auto alpha = analysis::construct_subgraph(tree, gap);
    const std::set<NodeId> distinct(alpha.nodes.begin(), alpha.nodes.end());
    ASSERT_EQ(alpha.nodes.size(), gap);
    ASSERT_EQ(distinct.size(), gap);
    // A forest on p nodes is connected when it has p - 1 links.
    ASSERT_EQ(links_between(tree, alpha.nodes), gap - 1);
    ASSERT_LE(alpha.iterations + 1, std::bit_width(tree.node_count() - 1U));
}

void expect_sum(const std::vector<std::uint64_t>& terms, const std::set<std::uint64_t>& stable,
                std::uint64_t nodes, std::uint64_t gap) {
    for (const std::uint64_t term : terms)
        ASSERT_TRUE(stable.contains(term));
    ASSERT_EQ(std::accumulate(terms.begin(), terms.end(), std::uint64_t{0}) % nodes, gap);
}

void expect_lemma_15(const network::Network& tree, NodeId gap,
                     const std::set<std::uint64_t>& stable) {
    const auto sums = analysis::decompose_gap(tree, analysis::construct_subgraph(tree, gap).nodes);
    expect_sum(sums.outside, stable, tree.node_count(), gap);
    expect_sum(sums.inside, stable, tree.node_count(), gap);
    const std::uint64_t degree = tree.degree_max();
    const auto iterations = static_cast<std::uint64_t>(std::bit_width(tree.node_count() - 1U) - 1);
    ASSERT_LE(sums.outside.size(), 1 + (degree - 2) * iterations);
    ASSERT_LE(sums.shorter().size(), (degree + 1) * iterations / 2);
}

std::set<std::uint64_t> stable_gap_set(const network::Network& tree) {
    const auto gaps = analysis::stable_gaps(tree).gaps;
    return {gaps.begin(), gaps.end()};
}

TEST(Lemma14, FindsAConnectedSubtreeOfEverySizeInAllTreesUpToElevenNodes) {
    for (NodeId nodes = 2; nodes <= 11; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            for (NodeId gap = 1; gap < nodes; ++gap)
                expect_lemma_14(tree, gap);
        }
    }
}

TEST(Lemma15, WritesEveryGapOfAllTreesUpToElevenNodesAsAShortSumOfStableGaps) {
    for (NodeId nodes = 3; nodes <= 11; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            const auto stable = stable_gap_set(tree);
            for (NodeId gap = 1; gap < nodes; ++gap)
                expect_lemma_15(tree, gap, stable);
        }
    }
}

TEST(Lemma14And15, HoldOnLargerRandomTreesWithRandomNumbersOfNodes) {
    RandomStream random(14, Purpose::sampling);
    for (int repetition = 0; repetition < 60; ++repetition) {
        const auto nodes = static_cast<NodeId>(3 + random.below(400));
        const auto reach = static_cast<NodeId>(1 + random.below(nodes));
        const auto tree = test::random_tree(nodes, random, reach);
        const auto stable = stable_gap_set(tree);
        for (NodeId gap = 1; gap < nodes; ++gap) {
            expect_lemma_14(tree, gap);
            expect_lemma_15(tree, gap, stable);
        }
    }
}

}  // namespace
}  // namespace equipoise
