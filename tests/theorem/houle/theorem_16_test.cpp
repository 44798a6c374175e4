// Theorem 16, repaired and sharpened: the final distribution under THRESHOLD-1 on an n-node tree
// with largest degree D has discrepancy at most
//     min{ floor(n/2), 1 + (D-2) L, floor((D+1) L / 2) },  L = ceil(log2 n) - 1,  for n >= 3.
// Lemma 13: at most floor(n/2).

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"
#include "tests/support/threshold_reference.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

std::uint64_t msd(const network::Network& tree) {
    return analysis::maximum_stable_discrepancy(analysis::stable_gaps(tree)).tokens;
}

TEST(Theorem16, BoundsTheMaximumStableDiscrepancyOfAllTreesUpToThirteenNodes) {
    for (NodeId nodes = 1; nodes <= 13; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            const std::uint64_t attained = msd(tree);
            EXPECT_LE(attained, theory::stable_discrepancy_bound(nodes, tree.degree_max()));
            EXPECT_LE(attained, theory::stable_discrepancy_bound(nodes));
        }
    }
}

TEST(Theorem16, BoundsTheMaximumStableDiscrepancyOfRandomTreesUpToThreeThousandNodes) {
    RandomStream random(16, Purpose::sampling);
    for (int repetition = 0; repetition < 300; ++repetition) {
        const auto nodes = static_cast<NodeId>(3 + random.below(2998));
        const auto reach = static_cast<NodeId>(1 + random.below(nodes));
        const auto tree = test::random_tree(nodes, random, reach);
        EXPECT_LE(msd(tree), theory::stable_discrepancy_bound(nodes, tree.degree_max()));
    }
}

TEST(Theorem16, AsPrintedFailsForTwoNodes) {
    const auto pair = test::tree_of_parents({0});
    EXPECT_EQ(theory::stable_discrepancy_bound_as_printed(2, 1), 0U);
    EXPECT_EQ(msd(pair), 1U);
    // One token goes back and forth: the distribution is stable and its discrepancy is 1.
    EXPECT_TRUE(test::is_stable_when_played(pair, {1, {0}}, {0, 1}, 0));
}

TEST(Theorem16, BoundsWhereThresholdOneEndsFromRandomDistributions) {
    RandomStream random(17, Purpose::sampling);
    for (int repetition = 0; repetition < 200; ++repetition) {
        const auto nodes = static_cast<NodeId>(2 + random.below(24));
        const auto tree = test::random_tree(nodes, random);
        const auto colouring = test::random_tree_colouring(tree, tree.degree_max() + 1, random);
        load::Loads loads(nodes);
        for (auto& load : loads)
            load = static_cast<Tokens>(random.below(40));
        Step step = random.below(colouring.colour_count);
        while (test::threshold_1_phase(tree, colouring, loads, step) > 1)
            step += Step{colouring.colour_count} * nodes;
        EXPECT_LE(static_cast<std::uint64_t>(load::discrepancy(loads)),
                  theory::stable_discrepancy_bound(nodes, tree.degree_max()));
    }
}

TEST(Lemma13, IsTightForStars) {
    for (NodeId leaves = 1; leaves <= 70; ++leaves) {
        const auto star = test::tree_of_parents(std::vector<NodeId>(leaves, 0));
        const auto gaps = analysis::stable_gaps(star);
        // The paper forgets the complement: SG_1 of the k-star is {1, k}.
        if (leaves > 1) {
            EXPECT_EQ(gaps.gaps, (std::vector<std::uint64_t>{1, leaves}));
        }
        EXPECT_EQ(analysis::maximum_stable_discrepancy(gaps).tokens,
                  theory::stable_discrepancy_bound(leaves + 1));
    }
}

TEST(Section4Point5, ThresholdTwoIsSuperiorOnStarsOfFiveLeavesAndMore) {
    // THRESHOLD-2 can leave the diameter, 2, on every star of at least two leaves.
    for (NodeId leaves = 2; leaves <= 20; ++leaves)
        EXPECT_EQ(msd(test::tree_of_parents(std::vector<NodeId>(leaves, 0))) > 2, leaves >= 5);
}

TEST(Section4Point5, ThresholdOneLeavesPathsWithDiscrepancyOne) {
    std::vector<NodeId> parents;
    for (NodeId nodes = 2; nodes <= 400; ++nodes) {
        parents.push_back(nodes - 2);
        const auto gaps = analysis::stable_gaps(test::tree_of_parents(parents));
        EXPECT_EQ(gaps.gaps.size(), nodes - 1U);
        EXPECT_EQ(analysis::maximum_stable_discrepancy(gaps).tokens, 1U);
    }
}

TEST(Section4Point3, TreesUpToTenNodesHaveTheseMaximumStableDiscrepancies) {
    using Table = std::map<std::uint64_t, int>;  // maximum stable discrepancy: trees
    const std::map<NodeId, Table> expected{{4, {{1, 1}, {2, 1}}},
                                           {5, {{1, 2}, {2, 1}}},
                                           {6, {{1, 2}, {2, 3}, {3, 1}}},
                                           {7, {{1, 5}, {2, 5}, {3, 1}}},
                                           {8, {{1, 5}, {2, 17}, {4, 1}}},
                                           {9, {{1, 16}, {2, 30}, {4, 1}}},
                                           {10, {{1, 16}, {2, 81}, {3, 8}, {5, 1}}}};
    for (const auto& [nodes, table] : expected) {
        Table counted;
        for (const auto& tree : test::all_trees(nodes))
            ++counted[msd(tree)];
        EXPECT_EQ(counted, table) << nodes << " nodes";
    }
}

}  // namespace
}  // namespace equipoise
