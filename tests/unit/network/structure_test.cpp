#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricities.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/support/stored_copy.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::network {
namespace {

using test::stored_copy;

/// Eccentricities by as many searches as there are nodes.
std::vector<std::uint32_t> plain_eccentricities(const AnyNetwork& network) {
    std::vector<std::uint32_t> all;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const auto distances = distances_from(network, node);
        all.push_back(*std::max_element(distances.begin(), distances.end()));
    }
    return all;
}

const std::vector<std::string> connected_specs = {"path:n=1",
                                                  "path:n=2",
                                                  "path:n=17",
                                                  "cycle:n=9",
                                                  "star:leaves=7",
                                                  "mesh:4x7",
                                                  "torus:5x4",
                                                  "torus:3x3x2",
                                                  "mesh:1x6x1x3",
                                                  "hypercube:d=5",
                                                  "tree:k=3,h=3",
                                                  "random-tree:n=60",
                                                  "complete:n=9",
                                                  "de-bruijn:d=6",
                                                  "lollipop:clique=6,path=9",
                                                  "barbell:clique=5,path=4",
                                                  "ring-of-cliques:cliques=5,size=4",
                                                  "random-regular:n=40,d=3",
                                                  "preferential-attachment:n=80,k=2",
                                                  "butterfly:d=3,wrap=1",
                                                  "cube-connected-cycles:d=3"};

TEST(Distances, AreOneLinkApartAcrossLinksAndZeroOnlyAtTheSource) {
    for (const std::string& spec : connected_specs) {
        const AnyNetwork network = generate(spec, 4);
        const NodeId source = network.node_count() / 2;
        const auto distance = distances_from(network, source);
        for (NodeId node = 0; node < network.node_count(); ++node) {
            EXPECT_EQ(distance[node] == 0, node == source);
            bool nearer = node == source;
            for (Port port = 0; port < network.degree(node); ++port) {
                const std::uint32_t other = distance[network.neighbour(node, port)];
                EXPECT_LE(distance[node], other + 1);
                nearer = nearer || other + 1 == distance[node];
            }
            EXPECT_TRUE(nearer) << spec;
        }
    }
}

TEST(Distances, MarkWhatCannotBeReached) {
    const AnyNetwork network(Network(4, {{0, 1}, {2, 3}}));
    EXPECT_EQ(distances_from(network, 0),
              (std::vector<std::uint32_t>{0, 1, unreachable, unreachable}));
    EXPECT_FALSE(is_connected(network));
    EXPECT_FALSE(is_connected(AnyNetwork(Network(5, {{0, 1}, {1, 2}, {0, 2}, {3, 4}}))));
    EXPECT_THROW((void)diameter(network), UnsuitableError);
    EXPECT_THROW((void)eccentricities(network), UnsuitableError);
    EXPECT_THROW((void)default_spanning_tree(network), UnsuitableError);
    EXPECT_THROW((void)breadth_first_tree(network, 0), UnsuitableError);
}

TEST(Eccentricities, AndDiameterEqualThoseOfPlainSearchesOnFamilies) {
    for (const std::string& spec : connected_specs) {
        const AnyNetwork network = generate(spec, 4);
        const auto plain = plain_eccentricities(network);
        const EccentricityBounds bounds = eccentricities(network);
        EXPECT_TRUE(bounds.exact()) << spec;
        EXPECT_EQ(bounds.lower, plain) << spec;
        const std::uint32_t largest = *std::max_element(plain.begin(), plain.end());
        EXPECT_EQ(diameter(network).lower, largest) << spec;
        EXPECT_TRUE(diameter(network).exact()) << spec;
    }
}

TEST(Eccentricities, AndDiameterEqualThoseOfPlainSearchesOnAllConnectedGraphsUpToSixNodes) {
    for (NodeId nodes = 1; nodes <= 6; ++nodes) {
        test::for_each_connected_graph(nodes, [](const Network& graph) {
            const AnyNetwork network(graph);
            const auto plain = plain_eccentricities(network);
            ASSERT_EQ(eccentricities(network).lower, plain);
            ASSERT_EQ(diameter(network).upper, *std::max_element(plain.begin(), plain.end()));
        });
    }
}

TEST(Eccentricities, StayEnclosedWhenSearchesRunOut) {
    const AnyNetwork network = generate("random-regular:n=200,d=3", 1);
    const auto plain = plain_eccentricities(network);
    for (const std::uint64_t searches : {1U, 3U, 20U}) {
        const EccentricityBounds bounds = eccentricities(network, searches);
        EXPECT_EQ(bounds.searches, searches);
        EXPECT_FALSE(bounds.exact());
        for (NodeId node = 0; node < 200; ++node) {
            EXPECT_LE(bounds.lower[node], plain[node]);
            EXPECT_GE(bounds.upper[node], plain[node]);
        }
        const DiameterBounds enclosed = diameter(network, searches);
        EXPECT_LE(enclosed.lower, *std::max_element(plain.begin(), plain.end()));
        EXPECT_GE(enclosed.upper, *std::max_element(plain.begin(), plain.end()));
    }
}

TEST(IsTree, TellsTreesFromForestsAndCycles) {
    EXPECT_TRUE(is_tree(Network(1, {})));
    EXPECT_FALSE(is_tree(Network(0, {})));
    EXPECT_FALSE(is_tree(Network(2, {})));
    EXPECT_FALSE(is_tree(Network(4, {{0, 1}, {1, 2}, {0, 2}})));
    EXPECT_TRUE(is_tree(generate("mesh:7", 0)));
    EXPECT_FALSE(is_tree(generate("torus:7", 0)));
}

TEST(TreeColouring, UsesExactlyTheLargestDegreeOnAllTreesUpToNineNodes) {
    for (NodeId nodes = 1; nodes <= 9; ++nodes) {
        for (const Network& tree : test::all_trees(nodes)) {
            const EdgeColouring colouring = colour_tree(tree);
            ASSERT_EQ(colouring.colour_count, tree.degree_max());
            ASSERT_TRUE(is_proper(tree, colouring));
        }
    }
}

TEST(TreeColouring, TakesForestsAndRefusesCycles) {
    const Network forest(6, {{0, 1}, {2, 3}, {3, 4}, {3, 5}});
    EXPECT_TRUE(is_proper(forest, colour_tree(forest)));
    EXPECT_THROW((void)colour_tree(Network(4, {{0, 1}, {1, 2}, {0, 2}})), UnsuitableError);
}

TEST(GridColouring, IsProperAndUsesTwoColoursAnAxisExceptClosedOddSides) {
    for (NodeId a = 1; a <= 6; ++a) {
        for (NodeId b = 1; b <= 6; ++b) {
            for (NodeId c = 1; c <= 3; ++c) {
                for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus}) {
                    const Grid grid({a, b, c}, shape);
                    const EdgeColouring colouring = colour_grid(grid);
                    Colour expected = 0;
                    for (const NodeId side : {a, b, c}) {
                        const bool odd = shape == Grid::Shape::torus && side > 2 && side % 2 == 1;
                        expected += odd ? 3 : std::min(side - 1, 2U);
                    }
                    ASSERT_EQ(colouring.colour_count, expected);
                    ASSERT_TRUE(is_proper(grid, colouring)) << a << "x" << b << "x" << c;
                }
            }
        }
    }
}

TEST(MisraGries, NeedsAtMostOneColourMoreThanTheLargestDegreeOnAllGraphsUpToSixNodes) {
    for (NodeId nodes = 1; nodes <= 6; ++nodes) {
        test::for_each_graph(nodes, [](const Network& graph) {
            const EdgeColouring colouring = colour_misra_gries(graph);
            ASSERT_TRUE(is_proper(graph, colouring));
            ASSERT_LE(colouring.colour_count, graph.degree_max() + 1);
        });
    }
}

TEST(MisraGries, NeedsAtMostOneColourMoreThanTheLargestDegreeOnFamilies) {
    for (const char* spec : {"complete:n=50", "complete:n=51", "random-regular:n=500,d=7",
                             "gnp:n=200,p=0.3", "preferential-attachment:n=2000,k=4",
                             "star:leaves=20000", "hypercube:d=9", "barbell:clique=20,path=5"}) {
        const AnyNetwork network = generate(spec, 3);
        const EdgeColouring colouring = colour_misra_gries(*network.stored());
        EXPECT_TRUE(is_proper(network, colouring)) << spec;
        EXPECT_LE(colouring.colour_count, network.degree_max() + 1) << spec;
    }
}

TEST(ColourEdges, PicksAProperColouringForEveryKindOfNetwork) {
    for (const std::string& spec : connected_specs) {
        const AnyNetwork network = generate(spec, 4);
        const EdgeColouring colouring = colour_edges(network);
        EXPECT_TRUE(is_proper(network, colouring)) << spec;
        EXPECT_LE(colouring.colour_count, 3 * network.degree_max() / 2 + 1) << spec;
        std::size_t links = 0;
        for (const auto& matching : colouring.classes(network)) {
            EXPECT_FALSE(matching.empty()) << spec;
            links += matching.size();
        }
        EXPECT_EQ(links, network.link_count());
    }
}

TEST(IsProper, SeesASharedColourAMissingLinkAndAColourOutOfRange) {
    const Network path(3, {{0, 1}, {1, 2}});
    EXPECT_TRUE(is_proper(path, {2, {0, 1}}));
    EXPECT_FALSE(is_proper(path, {2, {1, 1}}));
    EXPECT_FALSE(is_proper(path, {2, {0}}));
    EXPECT_FALSE(is_proper(path, {2, {0, 2}}));
}

TEST(BreadthFirstTree, KeepsTheDistancesFromItsRoot) {
    for (const std::string& spec : connected_specs) {
        const AnyNetwork network = generate(spec, 4);
        const NodeId root = network.node_count() - 1;
        const Network tree = breadth_first_tree(network, root);
        EXPECT_TRUE(is_tree(tree));
        EXPECT_EQ(distances_from(tree, root), distances_from(network, root)) << spec;
        const Network whole = stored_copy(network);
        for (const Ends& ends : tree.links())
            EXPECT_TRUE(std::binary_search(whole.links().begin(), whole.links().end(), ends));
    }
}

TEST(DefaultSpanningTree, IsTheTreeItselfOrHasAtMostTwiceTheDiameter) {
    for (const std::string& spec : connected_specs) {
        const AnyNetwork network = generate(spec, 4);
        const Network tree = default_spanning_tree(network);
        EXPECT_TRUE(is_tree(tree));
        EXPECT_LE(diameter(tree).upper, 2 * diameter(network).lower) << spec;
        if (is_tree(network)) {
            EXPECT_EQ(digest(tree), digest(network)) << spec;
        }
    }
}

}  // namespace
}  // namespace equipoise::network
