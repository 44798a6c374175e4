#include "equipoise/network/structure/matchings.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "tests/support/small_graphs.hpp"

namespace equipoise::network {
namespace {

std::uint64_t odd_components_without(const AnyNetwork& network,
                                     const std::vector<NodeId>& barrier) {
    std::vector<bool> seen(network.node_count(), false);
    for (const NodeId node : barrier)
        seen[node] = true;
    std::uint64_t odd = 0;
    for (NodeId root = 0; root < network.node_count(); ++root) {
        if (seen[root]) continue;
        std::vector<NodeId> component = {root};
        seen[root] = true;
        for (std::size_t i = 0; i < component.size(); ++i) {
            for (Port port = 0; port < network.degree(component[i]); ++port) {
                const NodeId other = network.neighbour(component[i], port);
                if (seen[other]) continue;
                seen[other] = true;
                component.push_back(other);
            }
        }
        odd += component.size() % 2;
    }
    return odd;
}

/// The Tutte-Berge formula with equality proves that the matching is a maximum one.
void expect_maximum(const AnyNetwork& network, const std::string& what) {
    const MaximumMatching maximum = maximum_matching(network);
    ASSERT_TRUE(is_maximal(network, maximum.matching)) << what;
    const std::uint64_t left_over = network.node_count() - 2 * maximum.matching.size();
    ASSERT_EQ(odd_components_without(network, maximum.barrier), left_over + maximum.barrier.size())
        << what;
    const Matching greedy = greedy_matching(network);
    ASSERT_TRUE(is_maximal(network, greedy)) << what;
    ASSERT_LE(greedy.size(), maximum.matching.size());
    ASSERT_GE(2 * greedy.size(), maximum.matching.size());
}

TEST(MaximumMatching, MeetsTheTutteBergeBoundOnAllGraphsUpToSixNodes) {
    for (NodeId nodes = 1; nodes <= 6; ++nodes)
        test::for_each_graph(nodes, [](const Network& graph) { expect_maximum(graph, "small"); });
}

TEST(MaximumMatching, MeetsTheTutteBergeBoundOnSparseRandomNetworks) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const NodeId nodes = static_cast<NodeId>(7 + seed % 60);
        const std::string spec =
            "gnp:n=" + std::to_string(nodes) + ",p=" + std::to_string(2.4 / nodes);
        expect_maximum(generate(spec, seed), spec);
    }
}

TEST(MaximumMatching, MeetsTheTutteBergeBoundOnFamilies) {
    for (const char* spec :
         {"path:n=9", "cycle:n=11", "star:leaves=6", "complete:n=9", "torus:5x5", "mesh:6x7",
          "random-tree:n=500", "caterpillar:spine=20,legs=3", "random-regular:n=3001,d=4",
          "preferential-attachment:n=3000,k=2", "barbell:clique=7,path=4",
          "ring-of-cliques:cliques=9,size=5", "de-bruijn:d=9", "hypercube:d=8"})
        expect_maximum(generate(spec, 2), spec);
}

TEST(IsMatching, SeesOneSidedUnlinkedAndImprovablePairs) {
    const AnyNetwork path(Network(4, {{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_TRUE(is_maximal(path, {{no_node, 2, 1, no_node}}));
    EXPECT_FALSE(is_matching(path, {{1, no_node, no_node, no_node}}));
    EXPECT_FALSE(is_matching(path, {{2, no_node, 0, no_node}}));
    EXPECT_FALSE(is_matching(path, {{no_node, 2, 1}}));
    EXPECT_TRUE(is_matching(path, {{1, 0, no_node, no_node}}));
    EXPECT_FALSE(is_maximal(path, {{1, 0, no_node, no_node}}));
}

TEST(Bipartition, ComesWithSidesOrAnOddCycleOnAllGraphsUpToSixNodes) {
    for (NodeId nodes = 1; nodes <= 6; ++nodes) {
        test::for_each_graph(nodes, [](const Network& graph) {
            const Bipartition parts = bipartition(graph);
            if (parts.bipartite()) {
                ASSERT_EQ(parts.sides.size(), graph.node_count());
                for (const Ends& ends : graph.links())
                    ASSERT_NE(parts.sides[ends.tail], parts.sides[ends.head]);
                const EdgeColouring colouring = colour_bipartite(graph);
                ASSERT_TRUE(is_proper(graph, colouring));
                ASSERT_EQ(colouring.colour_count, graph.degree_max());
                return;
            }
            const std::vector<NodeId>& cycle = parts.odd_cycle;
            ASSERT_EQ(cycle.size() % 2, 1U);
            ASSERT_EQ(std::set<NodeId>(cycle.begin(), cycle.end()).size(), cycle.size());
            for (std::size_t i = 0; i < cycle.size(); ++i) {
                const auto row = graph.neighbours(cycle[i]);
                const NodeId next = cycle[(i + 1) % cycle.size()];
                ASSERT_TRUE(std::binary_search(row.begin(), row.end(), next));
            }
            ASSERT_THROW((void)colour_bipartite(graph), UnsuitableError);
        });
    }
}

TEST(BipartiteColouring, UsesExactlyTheLargestDegreeOnFamiliesAndRandomBipartiteNetworks) {
    for (const char* spec : {"hypercube:d=8", "butterfly:d=5", "butterfly:d=4,wrap=1",
                             "random-tree:n=400", "star:leaves=300", "cube-connected-cycles:d=4"}) {
        const AnyNetwork network = generate(spec, 1);
        const EdgeColouring colouring = colour_bipartite(*network.stored());
        EXPECT_TRUE(is_proper(network, colouring)) << spec;
        EXPECT_EQ(colouring.colour_count, network.degree_max()) << spec;
    }
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const AnyNetwork drawn = generate("gnp:n=60,p=0.2", seed);
        std::vector<Ends> across;
        for (const Ends& ends : drawn.stored()->links())
            if (ends.tail % 2 != ends.head % 2) across.push_back(ends);
        const Network network(60, std::move(across));
        const EdgeColouring colouring = colour_bipartite(network);
        EXPECT_TRUE(is_proper(network, colouring));
        EXPECT_EQ(colouring.colour_count, network.degree_max());
    }
}

void expect_matchings_cover(const AnyNetwork& network, const MatchingSequence& sequence) {
    std::vector<Ends> links;
    for (const std::vector<Ends>& matching : sequence) {
        std::set<NodeId> used;
        for (const Ends& link : matching) {
            EXPECT_TRUE(used.insert(link.tail).second);
            EXPECT_TRUE(used.insert(link.head).second);
            links.push_back({std::min(link.tail, link.head), std::max(link.tail, link.head)});
        }
    }
    std::sort(links.begin(), links.end());
    ASSERT_EQ(links.size(), network.link_count());
    for (LinkId link = 0; link < links.size(); ++link)
        EXPECT_EQ(links[link], network.ends(link));
}

TEST(NaturalMatchings, CoverEveryLinkOnce) {
    for (const char* spec : {"torus:6x4", "torus:5x3x2", "mesh:7x1x4", "hypercube:d=6", "path:n=6",
                             "random-regular:n=30,d=5", "complete:n=8", "tree:k=3,h=3"}) {
        const AnyNetwork network = generate(spec, 1);
        expect_matchings_cover(network, natural_matchings(network));
    }
}

TEST(NaturalMatchings, PointAlongTheAxesOfATorus) {
    const Grid ring({4}, Grid::Shape::torus);
    EXPECT_EQ(natural_matchings(ring), (MatchingSequence{{{0, 1}, {2, 3}}, {{3, 0}, {1, 2}}}));
    const Grid odd({5}, Grid::Shape::torus);
    EXPECT_EQ(natural_matchings(odd),
              (MatchingSequence{{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}, {{4, 0}}}));
    const Grid torus({4, 6}, Grid::Shape::torus);
    for (const auto& matching : natural_matchings(torus)) {
        EXPECT_EQ(matching.size(), 12U);
        for (const Ends& link : matching) {
            int steps = 0;
            for (std::size_t axis = 0; axis < 2; ++axis) {
                const NodeId from = torus.coordinate(link.tail, axis);
                const NodeId to = torus.coordinate(link.head, axis);
                if (from == to) continue;
                EXPECT_EQ((from + 1) % torus.sides()[axis], to);
                ++steps;
            }
            EXPECT_EQ(steps, 1);
        }
    }
}

TEST(NaturalMatchings, OfAHypercubeFlipOneBitEach) {
    const AnyNetwork cube = generate("hypercube:d=4", 1);
    EXPECT_TRUE(is_hypercube(cube));
    EXPECT_FALSE(is_hypercube(generate("torus:4x2x2", 1)));
    EXPECT_FALSE(is_hypercube(generate("random-regular:n=16,d=4", 1)));
    const MatchingSequence sequence = natural_matchings(cube);
    ASSERT_EQ(sequence.size(), 4U);
    for (std::size_t bit = 0; bit < 4; ++bit)
        for (const Ends& link : sequence[bit])
            EXPECT_EQ(link.head - link.tail, 1U << bit);
}

}  // namespace
}  // namespace equipoise::network
