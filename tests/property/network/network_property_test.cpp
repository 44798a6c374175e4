#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/network/structure/centre.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricities.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"
#include "tests/support/property.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::network {
namespace {

using test::stored_copy;

std::uint64_t drawn(std::uint64_t least, std::uint64_t most) {
    return *rc::gen::inRange(least, most + 1);
}

/// A grid of up to five dimensions, sides often 1, 2 and 3, at most about 500 nodes.
Grid drawn_grid() {
    std::vector<NodeId> sides;
    std::uint64_t nodes = 1;
    for (std::uint64_t left = drawn(1, 5); left > 0; --left) {
        const std::uint64_t side =
            drawn(1, std::max<std::uint64_t>(1, std::min<std::uint64_t>(9, 500 / nodes)));
        sides.push_back(static_cast<NodeId>(side));
        nodes *= side;
    }
    return {std::move(sides), drawn(0, 1) == 0 ? Grid::Shape::mesh : Grid::Shape::torus};
}

/// A network with any number of links, loosely or densely linked, perhaps in several parts.
Network drawn_network(NodeId nodes_max) {
    const std::uint64_t nodes = drawn(1, nodes_max);
    const std::uint64_t pairs = nodes * (nodes - 1) / 2;
    const std::uint64_t links = drawn(0, drawn(0, 2) == 0 ? pairs : std::min(pairs, 2 * nodes));
    const AnyNetwork network = generate(
        "gnm:n=" + std::to_string(nodes) + ",m=" + std::to_string(links), drawn(0, 1U << 30U));
    return *network.stored();
}

TEST(GridProperty, EveryQueryIsThatOfTheStoredGraph) {
    EXPECT_TRUE(test::holds([] {
        const Grid grid = drawn_grid();
        const Network stored = stored_copy(grid);
        RC_ASSERT(digest(grid) == digest(stored));
        RC_ASSERT(grid.degree_max() == stored.degree_max());
        RC_ASSERT(grid.degree_min() == stored.degree_min());
        for (NodeId node = 0; node < grid.node_count(); ++node) {
            RC_ASSERT(grid.degree(node) == stored.degree(node));
            for (Port port = 0; port < grid.degree(node); ++port) {
                RC_ASSERT(grid.neighbour(node, port) == stored.neighbour(node, port));
                RC_ASSERT(grid.link(node, port) == stored.link(node, port));
            }
        }
        RC_ASSERT(is_proper(grid, colour_grid(grid)));
        RC_ASSERT(eccentricities(grid).lower == eccentricities(stored).lower);
        RC_ASSERT(diameter(grid).lower == diameter(stored).lower);
    }));
}

TEST(NetworkProperty, BuildingFromShuffledAndTurnedLinksGivesTheSameNetwork) {
    EXPECT_TRUE(test::holds([] {
        const Network network = drawn_network(40);
        std::vector<Ends> links(network.links().begin(), network.links().end());
        RandomStream random(drawn(0, 1U << 30U), Purpose::sampling);
        for (std::size_t i = links.size(); i > 1; --i)
            std::swap(links[i - 1], links[random.below(i)]);
        for (Ends& ends : links)
            if (random.coin()) std::swap(ends.tail, ends.head);
        const Network again(network.node_count(), std::move(links));
        RC_ASSERT(digest(again) == digest(network));
        for (NodeId node = 0; node < again.node_count(); ++node) {
            for (Port port = 0; port < again.degree(node); ++port) {
                const Ends ends = again.ends(again.link(node, port));
                RC_ASSERT(ends.tail < ends.head);
                RC_ASSERT((ends.tail == node ? ends.head : ends.tail) ==
                          again.neighbour(node, port));
            }
        }
    }));
}

TEST(ColouringProperty, IsProperWithinTheBoundOfItsConstruction) {
    EXPECT_TRUE(test::holds([] {
        const Network network = drawn_network(40);
        const EdgeColouring vizing = colour_misra_gries(network);
        RC_ASSERT(is_proper(network, vizing));
        RC_ASSERT(vizing.colour_count <= network.degree_max() + 1);
        const EdgeColouring best = colour_edges(network);
        RC_ASSERT(is_proper(network, best));
        if (bipartition(network).bipartite()) {
            RC_ASSERT(best.colour_count == network.degree_max());
        }
    }));
}

TEST(EccentricityProperty, BoundsEncloseTheTruthAfterAnyNumberOfSearches) {
    EXPECT_TRUE(test::holds([] {
        const Network network = drawn_network(40);
        RC_PRE(is_connected(network));
        const EccentricityBounds bounds = eccentricities(network, drawn(1, 6));
        const EccentricityBounds exact = eccentricities(network);
        RC_ASSERT(exact.exact());
        for (NodeId node = 0; node < network.node_count(); ++node) {
            const auto distances = distances_from(network, node);
            const auto truth = *std::max_element(distances.begin(), distances.end());
            RC_ASSERT(bounds.lower[node] <= truth);
            RC_ASSERT(bounds.upper[node] >= truth);
            RC_ASSERT(exact.lower[node] == truth);
        }
    }));
}

TEST(SpanningTreeProperty, EveryKindSpansAndTheShortestIsNoLongerThanTheOthers) {
    EXPECT_TRUE(test::holds([] {
        const Network network = drawn_network(40);
        RC_PRE(is_connected(network));
        const Network shortest = minimum_diameter_tree(network);
        RC_ASSERT(is_tree(shortest));
        RC_ASSERT(diameter(shortest).lower == absolute_centre(network).diameter);
        for (const Network& tree : {default_spanning_tree(network), low_degree_tree(network),
                                    breadth_first_tree(network, 0)}) {
            RC_ASSERT(is_tree(tree));
            RC_ASSERT(std::includes(network.links().begin(), network.links().end(),
                                    tree.links().begin(), tree.links().end()));
            RC_ASSERT(diameter(shortest).lower <= diameter(tree).lower);
        }
    }));
}

TEST(GenerateProperty, AnyTextGivesANetworkOrAnInputError) {
    EXPECT_TRUE(test::holds([] {
        const auto& all = generators();
        std::string text = all[drawn(0, all.size() - 1)].example;
        // Change, drop or repeat a few characters of a good spec; digits stay small numbers.
        for (std::uint64_t edits = drawn(0, 3); edits > 0 && !text.empty(); --edits) {
            const std::size_t at = drawn(0, text.size() - 1);
            const char other = "x:=,-.k0n"[drawn(0, 8)];
            if (drawn(0, 1) == 0) {
                text.erase(at, 1);
            } else if (text.size() < 30 && (other < '0' || other > '9')) {
                text.insert(at, 1, other);
            }
        }
        try {
            const AnyNetwork network = generate(text, 1);
            RC_ASSERT(network.node_count() > 0U);
        } catch (const InputError& error) {
            RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
        }
    }));
}

}  // namespace
}  // namespace equipoise::network
