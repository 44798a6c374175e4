#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/centre.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/support/stored_copy.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::network {
namespace {

using test::stored_copy;

struct Least {
    std::uint32_t diameter = ~std::uint32_t{0};
    Port degree = ~Port{0};
};

/// Least diameter and least largest degree over all spanning trees.
Least least_over_spanning_trees(const Network& graph) {
    Least least;
    const NodeId wanted = graph.node_count() - 1;
    for (std::uint32_t chosen = 0; chosen < 1U << graph.link_count(); ++chosen) {
        if (static_cast<NodeId>(__builtin_popcount(chosen)) != wanted) continue;
        std::vector<Ends> links;
        for (LinkId link = 0; link < graph.link_count(); ++link)
            if ((chosen >> link & 1U) != 0) links.push_back(graph.ends(link));
        const AnyNetwork tree(Network(graph.node_count(), std::move(links)));
        if (!is_connected(tree)) continue;
        least.diameter = std::min(least.diameter, diameter(tree).lower);
        least.degree = std::min(least.degree, tree.degree_max());
    }
    return least;
}

bool spans(const Network& tree, const AnyNetwork& network) {
    const Network whole = stored_copy(network);
    return is_tree(tree) && tree.node_count() == network.node_count() &&
           std::includes(whole.links().begin(), whole.links().end(), tree.links().begin(),
                         tree.links().end());
}

void expect_best_trees(const Network& graph) {
    const Least least = least_over_spanning_trees(graph);
    const Network short_tree = minimum_diameter_tree(graph);
    ASSERT_TRUE(spans(short_tree, graph));
    ASSERT_EQ(diameter(short_tree).lower, least.diameter);
    ASSERT_EQ(absolute_centre(graph).diameter, least.diameter);
    const Network thin_tree = low_degree_tree(graph);
    ASSERT_TRUE(spans(thin_tree, graph));
    ASSERT_LE(thin_tree.degree_max(), least.degree + 1);
}

TEST(SpecialTrees, MeetTheirGuaranteesOnAllConnectedGraphsUpToFiveNodes) {
    for (NodeId nodes = 1; nodes <= 5; ++nodes)
        test::for_each_connected_graph(nodes, expect_best_trees);
}

TEST(SpecialTrees, MeetTheirGuaranteesOnRandomConnectedGraphsUpToNineNodes) {
    int checked = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const std::uint64_t nodes = 6 + seed % 4;
        const std::uint64_t links = nodes - 1 + seed % 6;
        const AnyNetwork network =
            generate("gnm:n=" + std::to_string(nodes) + ",m=" + std::to_string(links), seed);
        if (!is_connected(network)) continue;
        ++checked;
        expect_best_trees(*network.stored());
    }
    EXPECT_GT(checked, 60);
}

TEST(MinimumDiameterTree, OfAGridInClosedFormIsThatOfTheStoredGraph) {
    for (NodeId a = 1; a <= 5; ++a) {
        for (NodeId b = 1; b <= 5; ++b) {
            for (NodeId c = 1; c <= 3; ++c) {
                for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus}) {
                    const AnyNetwork grid(Grid({a, b, c}, shape));
                    const Network tree = minimum_diameter_tree(grid);
                    ASSERT_TRUE(spans(tree, grid));
                    const std::uint32_t expected = absolute_centre(stored_copy(grid)).diameter;
                    ASSERT_EQ(absolute_centre(grid).diameter, expected) << a << b << c;
                    ASSERT_EQ(diameter(tree).lower, expected) << a << b << c;
                }
            }
        }
    }
}

TEST(MinimumDiameterTree, IsNeverLongerThanTheDefaultTree) {
    for (const char* spec : {"random-regular:n=60,d=3", "de-bruijn:d=6", "barbell:clique=6,path=5",
                             "preferential-attachment:n=200,k=2", "lollipop:clique=5,path=8",
                             "ring-of-cliques:cliques=7,size=4", "hypercube:d=6"}) {
        const AnyNetwork network = generate(spec, 5);
        const Network tree = minimum_diameter_tree(network);
        EXPECT_TRUE(spans(tree, network)) << spec;
        EXPECT_EQ(diameter(tree).lower, absolute_centre(network).diameter) << spec;
        EXPECT_LE(diameter(tree).lower, diameter(default_spanning_tree(network)).lower) << spec;
        EXPECT_GE(diameter(tree).lower, diameter(network).lower) << spec;
    }
}

TEST(LowDegreeTree, IsNearlyAPathWhereAHamiltonianPathExists) {
    for (const char* spec :
         {"complete:n=40", "torus:8x9", "mesh:7x7", "hypercube:d=7", "cycle:n=30",
          "lollipop:clique=12,path=9", "cube-connected-cycles:d=4"}) {
        const AnyNetwork network = generate(spec, 5);
        const Network tree = low_degree_tree(network);
        EXPECT_TRUE(spans(tree, network)) << spec;
        EXPECT_LE(tree.degree_max(), 3U) << spec;
    }
}

TEST(LowDegreeTree, HasAnEasyLowerBoundToMeetOnHubsThatCannotBeAvoided) {
    // Without its centre a star falls into as many parts as it has leaves.
    EXPECT_EQ(low_degree_tree(generate("star:leaves=9", 0)).degree_max(), 9U);
    const AnyNetwork network = generate("preferential-attachment:n=2000,k=2", 3);
    const Network tree = low_degree_tree(network);
    EXPECT_TRUE(spans(tree, network));
    EXPECT_LT(tree.degree_max(), default_spanning_tree(network).degree_max());
}

TEST(Centroid, LeavesNoPartWithMoreThanHalfOfTheNodesOnAllTreesUpToNineNodes) {
    for (NodeId nodes = 1; nodes <= 9; ++nodes) {
        for (const Network& tree : test::all_trees(nodes)) {
            const std::vector<NodeId> middle = centroid(tree);
            ASSERT_FALSE(middle.empty());
            ASSERT_LE(middle.size(), 2U);
            for (NodeId node = 0; node < nodes; ++node) {
                // Nodes that reach a neighbour of `node` without passing it.
                std::size_t largest = 0;
                for (const NodeId start : tree.neighbours(node)) {
                    std::vector<NodeId> part = {start};
                    std::vector<NodeId> from = {node};
                    for (std::size_t i = 0; i < part.size(); ++i) {
                        for (const NodeId other : tree.neighbours(part[i])) {
                            if (other == from[i]) continue;
                            part.push_back(other);
                            from.push_back(part[i]);
                        }
                    }
                    largest = std::max(largest, part.size());
                }
                const bool chosen = std::find(middle.begin(), middle.end(), node) != middle.end();
                ASSERT_EQ(chosen, 2 * largest <= nodes);
            }
        }
    }
    EXPECT_THROW((void)centroid(Network(3, {{0, 1}, {1, 2}, {0, 2}})), UnsuitableError);
}

TEST(AbsoluteCentre, RefusesEmptyAndUnconnectedNetworks) {
    EXPECT_THROW((void)absolute_centre(Network(0, {})), UnsuitableError);
    EXPECT_THROW((void)absolute_centre(Network(3, {{0, 1}})), UnsuitableError);
    EXPECT_THROW((void)low_degree_tree(Network(3, {{0, 1}})), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::network
