#include "equipoise/network/network.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {
namespace {

const std::vector<Ends> house = {{3, 2}, {0, 1}, {4, 0}, {1, 2}, {4, 3}, {1, 4}};

TEST(Network, OrdersPortsByNeighbourAndLinksByEnds) {
    const Network network(5, house);
    EXPECT_EQ(network.node_count(), 5U);
    EXPECT_EQ(network.link_count(), 6U);
    EXPECT_EQ(network.degree_max(), 3U);
    EXPECT_EQ(network.degree_min(), 2U);
    EXPECT_TRUE(std::is_sorted(network.links().begin(), network.links().end()));
    std::uint64_t arcs = 0;
    for (NodeId node = 0; node < 5; ++node) {
        const auto row = network.neighbours(node);
        EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
        arcs += row.size();
        for (Port port = 0; port < network.degree(node); ++port) {
            const Ends ends = network.ends(network.link(node, port));
            EXPECT_LT(ends.tail, ends.head);
            EXPECT_EQ(ends.tail + ends.head, node + network.neighbour(node, port));
        }
    }
    EXPECT_EQ(arcs, 12U);
}

TEST(Network, IsTheSameForEveryOrderAndOrientationOfItsLinks) {
    std::vector<Ends> turned = house;
    std::reverse(turned.begin(), turned.end());
    for (Ends& ends : turned)
        std::swap(ends.tail, ends.head);
    EXPECT_EQ(digest(Network(5, house)), digest(Network(5, turned)));
    std::vector<Ends> other = house;
    other.back() = {1, 3};
    EXPECT_NE(digest(Network(5, house)), digest(Network(5, other)));
    EXPECT_NE(digest(Network(5, house)), digest(Network(6, house)));
}

TEST(Network, RefusesLoopsRepeatsAndUnknownNodes) {
    EXPECT_THROW(Network(3, {{1, 1}}), InputError);
    EXPECT_THROW(Network(3, {{0, 1}, {1, 0}}), InputError);
    EXPECT_THROW(Network(3, {{0, 3}}), InputError);
}

TEST(Network, MayBeEmptyOrWithoutLinks) {
    EXPECT_EQ(Network().node_count(), 0U);
    const Network alone(1, {});
    EXPECT_EQ(alone.degree(0), 0U);
    EXPECT_EQ(alone.degree_max(), 0U);
    EXPECT_EQ(alone.degree_min(), 0U);
}

TEST(Network, TakesTwentyFourBytesALinkAndEightANode) {
    std::vector<Ends> links;
    for (NodeId node = 1; node < 10000; ++node)
        links.push_back({node - 1, node});
    const Network network(10000, std::move(links));
    EXPECT_LE(network.memory_bytes(), 24U * 9999 + 8U * 10001);
}

TEST(Labels, NamesAreNumbersFromTheFirstUnlessGiven) {
    Labels labels;
    EXPECT_EQ(labels.name(4), "4");
    labels.first_number = 1;
    EXPECT_EQ(labels.name(4), "5");
    labels.names = {"Paris", "Rome"};
    EXPECT_EQ(labels.name(1), "Rome");
}

}  // namespace
}  // namespace equipoise::network
