// The same network under other numbers of its nodes.

#include "equipoise/network/structure/numberings.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::network {
namespace {

TEST(Numberings, OfAllConnectedNetworksMakeEveryNetworkOnNumberedNodesOnce) {
    // How many connected networks there are on 1, 2, ... numbered nodes.
    const std::vector<std::size_t> counts = {1, 1, 4, 38, 728};
    for (NodeId nodes = 1; nodes <= counts.size(); ++nodes) {
        std::set<std::vector<Ends>> made;
        std::size_t numbered = 0;
        for (const Network& one : connected_networks(nodes))
            for (const Numbering& numbers : numberings(one)) {
                made.insert(all_links(renumber(one, numbers)));
                ++numbered;
            }
        EXPECT_EQ(made.size(), counts[nodes - 1]);
        EXPECT_EQ(numbered, counts[nodes - 1]);
    }
}

TEST(Numberings, BeginWithTheNumbersThatNodesHave) {
    for (const char* spec : {"path:n=5", "torus:3x3", "hypercube:d=3"}) {
        const AnyNetwork network = generate(spec, 0);
        const Numbering first = numberings(network).front();
        EXPECT_TRUE(std::is_sorted(first.begin(), first.end())) << spec;
    }
    EXPECT_EQ(numberings(generate("path:n=5", 0)).size(), 120U / 2);
    EXPECT_EQ(numberings(generate("complete:n=7", 0)).size(), 1U);
    EXPECT_EQ(numberings(generate("hypercube:d=3", 0)).size(), 40320U / 48);
}

/// How many of the orders in which all nodes may have their neighbours come from numberings.
std::size_t orders_from_numberings(const AnyNetwork& network) {
    std::set<std::vector<NodeId>> orders;
    Numbering numbers(network.node_count());
    std::iota(numbers.begin(), numbers.end(), NodeId{0});
    do {
        const AnyNetwork moved = renumber(network, numbers);
        std::vector<NodeId> order;
        for (NodeId node = 0; node < network.node_count(); ++node)
            for (Port port = 0; port < network.degree(node); ++port) {
                const NodeId number = moved.neighbour(numbers[node], port);
                const auto at = std::find(numbers.begin(), numbers.end(), number);
                order.push_back(static_cast<NodeId>(at - numbers.begin()));
            }
        orders.insert(std::move(order));
    } while (std::next_permutation(numbers.begin(), numbers.end()));
    return orders.size();
}

/// The product of the factorials of all degrees.
std::size_t all_orders(const AnyNetwork& network) {
    std::size_t product = 1;
    for (NodeId node = 0; node < network.node_count(); ++node)
        for (Port factor = 2; factor <= network.degree(node); ++factor)
            product *= factor;
    return product;
}

TEST(Numberings, MakeEveryOrderOfPortsOnTreesOnly) {
    for (NodeId nodes = 1; nodes <= 6; ++nodes)
        for (const Network& one : connected_networks(nodes)) {
            const AnyNetwork network = one;
            const bool tree = network.link_count() + 1 == nodes;
            if (tree)
                EXPECT_EQ(orders_from_numberings(network), all_orders(network));
            else
                EXPECT_LT(orders_from_numberings(network), all_orders(network));
        }
}

TEST(Renumber, MovesEveryLinkAndNamesTheNetworkByItsLinks) {
    const AnyNetwork path = generate("path:n=4", 0);
    const AnyNetwork moved = renumber(path, Numbering{2, 0, 3, 1});
    EXPECT_EQ(all_links(moved), (std::vector<Ends>{{0, 2}, {0, 3}, {1, 3}}));
    EXPECT_EQ(moved.labels().origin, "linked:0-2+0-3+1-3");
    EXPECT_EQ(moved.name(3), "3");
    const AnyNetwork again = generate(moved.labels().origin, 0);
    EXPECT_EQ(all_links(again), all_links(moved));
}

}  // namespace
}  // namespace equipoise::network
