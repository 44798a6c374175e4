#include "equipoise/network/structure/node_orders.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::network {
namespace {

std::vector<NodeId> places_of(const std::vector<NodeId>& order) {
    std::vector<NodeId> places(order.size(), no_node);
    for (std::size_t place = 0; place < order.size(); ++place)
        places[order[place]] = static_cast<NodeId>(place);
    return places;
}

bool names_every_node_once(const std::vector<NodeId>& order) {
    const std::vector<NodeId> places = places_of(order);
    return std::find(places.begin(), places.end(), no_node) == places.end();
}

/// How far apart linked nodes are in the order, summed up.
std::uint64_t spread(const AnyNetwork& network, const std::vector<NodeId>& order) {
    const std::vector<NodeId> places = places_of(order);
    std::uint64_t sum = 0;
    for (const auto [tail, head] : all_links(network)) {
        const auto [low, high] = std::minmax(places[tail], places[head]);
        sum += high - low;
    }
    return sum;
}

/// The grid x, y with random numbers, and its nodes' positions.
AnyNetwork shuffled_grid(NodeId side) {
    std::vector<NodeId> number(std::size_t{side} * side);
    for (NodeId node = 0; node < number.size(); ++node)
        number[node] = static_cast<NodeId>(std::uint64_t{node} * 7919 % number.size());
    Labels labels;
    labels.positions.resize(number.size());
    std::vector<Ends> links;
    for (NodeId y = 0; y < side; ++y)
        for (NodeId x = 0; x < side; ++x) {
            const NodeId node = number[y * side + x];
            labels.positions[node] = {static_cast<double>(x), static_cast<double>(y)};
            if (x + 1 < side) links.push_back({node, number[y * side + x + 1]});
            if (y + 1 < side) links.push_back({node, number[(y + 1) * side + x]});
        }
    return {Network(side * side, links), labels};
}

TEST(NodeOrders, NameEveryNodeOnceOnNetworksOfManyShapes) {
    for (const std::string spec :
         {"path:n=1", "path:n=9", "star:leaves=6", "gnp:n=60,p=0.02", "gnm:n=20,m=0", "torus:5x7",
          "preferential-attachment:n=200,k=3", "random-tree:n=100"}) {
        const AnyNetwork network = generate(spec, 3);
        for (const NodeOrder order :
             {NodeOrder::natural, NodeOrder::cuthill_mckee, NodeOrder::degrees}) {
            const std::vector<NodeId> found = node_order(network, order);
            EXPECT_EQ(found.size(), network.node_count()) << spec;
            EXPECT_TRUE(names_every_node_once(found)) << spec << ' ' << to_string(order);
        }
    }
}

TEST(NodeOrders, PutTheNodesOfAPathBackInARow) {
    std::vector<Ends> links;
    for (NodeId i = 0; i + 1 < 101; ++i)
        links.push_back({i * 37 % 101, (i + 1) * 37 % 101});
    const AnyNetwork path(Network(101, links));
    EXPECT_EQ(spread(path, node_order(path, NodeOrder::cuthill_mckee)), 100U);
}

TEST(NodeOrders, BringNeighboursOnAShuffledGridNearEachOther) {
    const AnyNetwork grid = shuffled_grid(32);
    const std::uint64_t natural = spread(grid, node_order(grid, NodeOrder::natural));
    EXPECT_LT(10 * spread(grid, node_order(grid, NodeOrder::cuthill_mckee)), natural);
    const std::vector<NodeId> curve = node_order(grid, NodeOrder::hilbert);
    EXPECT_TRUE(names_every_node_once(curve));
    EXPECT_LT(5 * spread(grid, curve), natural);
}

TEST(NodeOrders, ByHilbertWalkFromCellToNeighbouringCell) {
    const AnyNetwork grid = shuffled_grid(16);
    const std::vector<NodeId> curve = node_order(grid, NodeOrder::hilbert);
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        const auto row = grid.stored()->neighbours(curve[i]);
        EXPECT_NE(std::find(row.begin(), row.end(), curve[i + 1]), row.end()) << i;
    }
}

TEST(NodeOrders, ByDegreesBeginWithTheHighestAndKeepNumbersAmongEquals) {
    const AnyNetwork network = generate("preferential-attachment:n=300,k=3", 2);
    const std::vector<NodeId> order = node_order(network, NodeOrder::degrees);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const Port here = network.degree(order[i]);
        const Port next = network.degree(order[i + 1]);
        EXPECT_TRUE(here > next || (here == next && order[i] < order[i + 1]));
    }
}

TEST(NodeOrders, ByHilbertNeedPositionsAndUnknownWordsAreRefused) {
    EXPECT_THROW(static_cast<void>(node_order(generate("path:n=5", 1), NodeOrder::hilbert)),
                 UnsuitableError);
    EXPECT_THROW(static_cast<void>(node_order_from_word("cuthill")), InputError);
    for (const std::string& word : node_order_words())
        EXPECT_EQ(to_string(node_order_from_word(word)), word);
}

}  // namespace
}  // namespace equipoise::network
