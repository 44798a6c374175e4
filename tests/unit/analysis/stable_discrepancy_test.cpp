#include "equipoise/analysis/stable_discrepancy.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy_search.hpp"
#include "equipoise/base/error.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::analysis {
namespace {

using Gaps = std::vector<std::uint64_t>;

/// Distances from 0 in the circulant graph, found one node after the other.
std::vector<std::uint32_t> plain_stabilities(const StableGaps& gaps) {
    constexpr std::uint32_t unknown = ~std::uint32_t{0};
    std::vector<std::uint32_t> distance(gaps.nodes, unknown);
    std::deque<std::uint64_t> waiting{0};
    distance[0] = 0;
    while (!waiting.empty()) {
        const std::uint64_t at = waiting.front();
        waiting.pop_front();
        for (const std::uint64_t gap : gaps.gaps) {
            const std::uint64_t next = (at + gap) % gaps.nodes;
            if (distance[next] != unknown) continue;
            distance[next] = distance[at] + 1;
            waiting.push_back(next);
        }
    }
    return distance;
}

void expect_agreement(const StableGaps& gaps) {
    const auto plain = plain_stabilities(gaps);
    EXPECT_EQ(stabilities(gaps), plain);
    const auto found = maximum_stable_discrepancy(gaps);
    const auto worst = std::max_element(plain.begin(), plain.end());
    EXPECT_EQ(found.tokens, *worst);
    EXPECT_EQ(found.hardest_gap, static_cast<std::uint64_t>(worst - plain.begin()));
}

network::Network complete_tree(NodeId arity, NodeId height) {
    std::vector<NodeId> parents;
    NodeId level = 1;
    NodeId first = 0;
    for (NodeId depth = 0; depth < height; ++depth) {
        for (NodeId i = 0; i < level * arity; ++i)
            parents.push_back(first + i / arity);
        first += level;
        level *= arity;
    }
    return test::tree_of_parents(parents);
}

TEST(StableGaps, AreTheComponentSizesOfTheCompleteBinaryTreesInThePaper) {
    EXPECT_EQ(stable_gaps(complete_tree(2, 2)).gaps, (Gaps{1, 3, 4, 6}));
    EXPECT_EQ(stable_gaps(complete_tree(2, 3)).gaps, (Gaps{1, 3, 7, 8, 12, 14}));
}

TEST(StableGaps, OfCompleteTreesNeedNoTree) {
    for (NodeId arity = 1; arity <= 5; ++arity) {
        for (NodeId height = 0; height <= 4; ++height)
            EXPECT_EQ(stable_gaps_of_complete_tree(arity, height),
                      stable_gaps(complete_tree(arity, height)));
    }
    EXPECT_THROW(static_cast<void>(stable_gaps_of_complete_tree(0, 3)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_gaps_of_complete_tree(2, 64)), OverflowError);
    EXPECT_EQ(stable_gaps_of_complete_tree(2, 61).nodes, (std::uint64_t{1} << 62U) - 1);
}

TEST(StableGaps, RefuseNetworksThatAreNotTrees) {
    EXPECT_THROW(static_cast<void>(stable_gaps(network::Network())), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_gaps(network::Network(3, {{0, 1}, {1, 2}, {0, 2}}))),
                 UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_gaps(network::Network(4, {{1, 2}, {2, 3}, {1, 3}}))),
                 UnsuitableError);
}

TEST(Stability, EqualsPlainSearchOnAllTreesUpToTenNodes) {
    for (NodeId nodes = 1; nodes <= 10; ++nodes) {
        for (const auto& tree : test::all_trees(nodes))
            expect_agreement(stable_gaps(tree));
    }
}

TEST(Stability, EqualsPlainSearchOnLargerTreesWhateverTheWordBoundaries) {
    RandomStream random(3, Purpose::sampling);
    for (int repetition = 0; repetition < 60; ++repetition) {
        const auto nodes = static_cast<NodeId>(60 + random.below(600));
        const auto reach = static_cast<NodeId>(1 + random.below(nodes));
        expect_agreement(stable_gaps(test::random_tree(nodes, random, reach)));
    }
    expect_agreement(stable_gaps_of_complete_tree(2, 13));  // four blocks of words
    expect_agreement(stable_gaps_of_complete_tree(3, 9));
    for (const std::uint64_t leaves : {126U, 127U, 128U, 8190U, 8191U, 8192U, 8193U})
        expect_agreement({.nodes = leaves + 1, .gaps = {1, leaves}});
}

TEST(Stability, IsTheSameForAGapAndItsComplement) {
    const auto stability = stabilities(stable_gaps_of_complete_tree(3, 6));
    for (std::size_t gap = 1; gap < stability.size(); ++gap)
        EXPECT_EQ(stability[gap], stability[stability.size() - gap]);
}

TEST(MaximumStableDiscrepancy, IsZeroForOneNodeAndOneForTwo) {
    EXPECT_EQ(maximum_stable_discrepancy(stable_gaps(test::tree_of_parents({}))).tokens, 0U);
    EXPECT_EQ(maximum_stable_discrepancy(stable_gaps(test::tree_of_parents({0}))).tokens, 1U);
}

TEST(MaximumStableDiscrepancy, RefusesGapsThatNoTreeHas) {
    EXPECT_THROW(static_cast<void>(maximum_stable_discrepancy({.nodes = 6, .gaps = {2, 4}})),
                 InputError);
    EXPECT_THROW(static_cast<void>(maximum_stable_discrepancy({.nodes = 6, .gaps = {0}})),
                 InputError);
    EXPECT_THROW(static_cast<void>(maximum_stable_discrepancy({.nodes = 6, .gaps = {6}})),
                 InputError);
    EXPECT_THROW(static_cast<void>(stabilities({.nodes = 0, .gaps = {}})), InputError);
}

TEST(WorstStableLoads, AreZeroAtTheSourceAndReachTheMaximum) {
    RandomStream random(4, Purpose::sampling);
    const auto tree = test::random_tree(50, random);
    const auto colouring = test::random_tree_colouring(tree, tree.degree_max(), random);
    const auto loads = worst_stable_loads(tree, colouring, 7, 1);
    EXPECT_EQ(loads[7], 0);
    EXPECT_EQ(static_cast<std::uint64_t>(load::discrepancy(loads)),
              maximum_stable_discrepancy(stable_gaps(tree)).tokens);
    EXPECT_TRUE(is_stable(tree, colouring, loads, 1));
    EXPECT_THROW(static_cast<void>(worst_stable_loads(tree, colouring, 50)), InputError);
    EXPECT_THROW(static_cast<void>(is_stable(tree, colouring, load::Loads(49))), InputError);
}

TEST(GapSearch, TellsTheSetsOfEveryLevel) {
    // The star of five nodes: sums of at most i ones, either way round.
    GapSearch search(5, {1, 4});
    EXPECT_EQ(search.first_unreached(), 1U);
    search.advance();
    EXPECT_TRUE(search.reached(4));
    EXPECT_FALSE(search.reached(2));
    EXPECT_EQ(search.unreached(), 1U);
    search.advance();
    EXPECT_TRUE(search.complete());
    EXPECT_EQ(search.level(), 2U);
}

}  // namespace
}  // namespace equipoise::analysis
