#include "equipoise/analysis/construct_subgraph.hpp"

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

}  // namespace
}  // namespace equipoise::analysis
