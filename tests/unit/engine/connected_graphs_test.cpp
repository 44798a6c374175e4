#include "tests/support/connected_graphs.hpp"

#include <array>
#include <cstddef>

#include <gtest/gtest.h>

namespace equipoise::test {
namespace {

TEST(ConnectedGraphs, AreAllThereAreUpToIsomorphism) {
    constexpr std::array<std::size_t, 7> expected = {0, 1, 1, 2, 6, 21, 112};
    for (NodeId nodes = 1; nodes <= 6; ++nodes)
        EXPECT_EQ(connected_graphs(nodes).size(), expected[nodes]) << nodes;
}

TEST(ConnectedGraphs, GetProperColourings) {
    RandomStream random(1, Purpose::sampling);
    for (NodeId nodes = 1; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const auto& colouring : {greedy_colouring(graph), random_colouring(graph, random)})
                for (NodeId node = 0; node < nodes; ++node)
                    for (Port a = 0; a < graph.degree(node); ++a) {
                        ASSERT_LT(colouring.by_link[graph.link(node, a)], colouring.colour_count);
                        for (Port b = 0; b < a; ++b)
                            ASSERT_NE(colouring.by_link[graph.link(node, a)],
                                      colouring.by_link[graph.link(node, b)]);
                    }
}

TEST(ConnectedGraphs, MeetAllLoads) {
    int count = 0;
    for_each_loads(4, 2, [&](const load::Loads& loads) {
        ++count;
        EXPECT_LE(load::total(loads), 8);
    });
    EXPECT_EQ(count, 81);
}

}  // namespace
}  // namespace equipoise::test
