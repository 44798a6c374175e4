#include "equipoise/analysis/construct_subgraph.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::analysis {
namespace {

TEST(ConstructSubgraph, AsPrintedTakesInTooMuchOnThePathOfThreeNodes) {
    const auto path = test::tree_of_parents({0, 1});
    EXPECT_EQ(construct_subgraph_as_printed(path, 2).nodes.size(), 3U);
    EXPECT_EQ(construct_subgraph(path, 2).nodes, (std::vector<NodeId>{0, 1}));
}

TEST(ConstructSubgraph, NeedsNoIterationForOneNode) {
    const auto path = test::tree_of_parents({0, 1});
    EXPECT_EQ(construct_subgraph(path, 1).iterations, 0U);
    EXPECT_EQ(construct_subgraph(path, 1).nodes, (std::vector<NodeId>{0}));
}

TEST(ConstructSubgraph, RefusesSizesThatAreNotGaps) {
    const auto path = test::tree_of_parents({0, 1});
    EXPECT_THROW(static_cast<void>(construct_subgraph(path, 0)), InputError);
    EXPECT_THROW(static_cast<void>(construct_subgraph(path, 3)), InputError);
    EXPECT_THROW(static_cast<void>(construct_subgraph(test::tree_of_parents({}), 1)), InputError);
    const network::Network triangle(3, {{0, 1}, {1, 2}, {0, 2}});
    EXPECT_THROW(static_cast<void>(construct_subgraph(triangle, 1)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(construct_subgraph(network::Network(), 1)), UnsuitableError);
}

TEST(DecomposeGap, WritesTheMiddleOfAStarAsOneForEveryLeafInsideOrOut) {
    const auto star = test::tree_of_parents({0, 0, 0, 0, 0});
    // The centre and two of five leaves: three leaves are cut off, two are inside.
    const auto sums = decompose_gap(star, {0, 1, 2});
    EXPECT_EQ(sums.outside, (std::vector<std::uint64_t>{5, 5, 5}));
    EXPECT_EQ(sums.inside, (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_EQ(sums.shorter().size(), 3U);
}

TEST(DecomposeGap, RefusesSetsThatAreNotConnected) {
    const auto path = test::tree_of_parents({0, 1, 2});
    EXPECT_THROW(static_cast<void>(decompose_gap(path, {0, 2})), InputError);
    EXPECT_THROW(static_cast<void>(decompose_gap(path, {0, 0})), InputError);
    EXPECT_THROW(static_cast<void>(decompose_gap(path, {4})), InputError);
    EXPECT_THROW(static_cast<void>(decompose_gap(path, {})), InputError);
    EXPECT_THROW(static_cast<void>(decompose_gap(path, {0, 1, 2, 3})), InputError);
}

TEST(ConstructSubgraph, StagesHalveBetaAndEndWithTheSubgraph) {
    for (NodeId nodes = 3; nodes <= 9; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            for (NodeId gap = 1; gap < nodes; ++gap) {
                std::vector<NodeId> alpha;
                const auto stages = construct_subgraph_stages(tree, gap, alpha);
                const auto result = construct_subgraph(tree, gap);
                EXPECT_EQ(alpha, result.nodes);
                ASSERT_EQ(stages.size(), result.iterations);
                for (std::size_t k = 0; k < stages.size(); ++k) {
                    const ConstructionStage& stage = stages[k];
                    EXPECT_GT(stage.taken + stage.beta.size(), gap);
                    EXPECT_LE(stage.taken, gap);
                    EXPECT_NE(std::find(stage.beta.begin(), stage.beta.end(), stage.centroid),
                              stage.beta.end());
                    for (std::size_t taken = 0; taken < stage.taken; ++taken)
                        EXPECT_EQ(std::count(stage.beta.begin(), stage.beta.end(), alpha[taken]),
                                  0);
                    if (k > 0) {
                        EXPECT_LE(2 * stage.beta.size(), stages[k - 1].beta.size());
                    }
                }
            }
        }
    }
}

TEST(GapDecomposition, CutLinksLeadOutAndTheirSubtreesAreTheRest) {
    const auto tree = test::tree_of_parents({0, 0, 1, 1, 2, 2});
    const auto sums = decompose_gap(tree, construct_subgraph(tree, 2).nodes);
    std::uint64_t beyond = 0;
    for (std::size_t k = 0; k < sums.cut.size(); ++k) {
        beyond += sums.cut[k].beyond;
        EXPECT_EQ(sums.outside[k] + sums.cut[k].beyond, 7U);
    }
    EXPECT_EQ(beyond, 5U);
}

}  // namespace
}  // namespace equipoise::analysis
