// How long THRESHOLD-1 must be quiet (no active link with a discrepancy of 2 or more) to be stable.
// On a tree chi * n steps; on other networks chi * n is not enough, but chi times the largest least
// common multiple of two observer cycles' lengths is.

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/structure/observer_tour.hpp"
#include "tests/support/threshold_reference.hpp"

namespace equipoise {
namespace {

TEST(StabilityWindow, PhaseOfNRoundsIsTooShortOnThisNetworkOfSevenNodes) {
    // Links in order: 0-1, 0-2, 0-4, 0-5, 1-4, 1-6, 3-6.
    const network::Network network(7, {{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 4}, {1, 6}, {3, 6}});
    const network::EdgeColouring colouring{5, {4, 0, 2, 3, 1, 0, 2}};
    load::Loads loads{0, 1, 1, 1, 1, 2, 1};
    Step step = 0;
    while (test::threshold_step(network, colouring, loads, step, 1) < 2)
        ++step;
    EXPECT_EQ(step, 37U);
    EXPECT_GT(step, Step{colouring.colour_count} * network.node_count());
    EXPECT_LE(step, network::stability_window(network, colouring));
}

/// Links among `nodes` nodes, each with probability one half, coloured greedily in random order.
std::pair<network::Network, network::EdgeColouring> random_coloured(NodeId nodes,
                                                                    RandomStream& random) {
    std::vector<Ends> links;
    for (NodeId tail = 0; tail < nodes; ++tail) {
        for (NodeId head = tail + 1; head < nodes; ++head) {
            if (random.coin()) links.push_back({tail, head});
        }
    }
    network::Network network(nodes, links);
    network::EdgeColouring colouring{0, std::vector<Colour>(network.link_count(), no_colour)};
    for (LinkId i = 0; i < network.link_count(); ++i) {
        std::vector<bool> used(network.link_count() + 2, false);
        const Ends ends = network.ends(i);
        for (const NodeId end : {ends.tail, ends.head}) {
            for (Port port = 0; port < network.degree(end); ++port) {
                const Colour colour = colouring.by_link[network.link(end, port)];
                if (colour != no_colour) used[colour] = true;
            }
        }
        auto colour = static_cast<Colour>(random.below(2));
        while (used[colour])
            ++colour;
        colouring.by_link[i] = colour;
        colouring.colour_count = std::max(colouring.colour_count, colour + 1);
    }
    return {std::move(network), std::move(colouring)};
}

TEST(StabilityWindow, AfterAQuietWindowRandomNetworksStayQuiet) {
    RandomStream random(21, Purpose::sampling);
    for (int repetition = 0; repetition < 400; ++repetition) {
        const auto nodes = static_cast<NodeId>(3 + random.below(7));
        const auto [network, colouring] = random_coloured(nodes, random);
        const Step window = network::stability_window(network, colouring);
        load::Loads loads(nodes);
        for (auto& load : loads)
            load = static_cast<Tokens>(random.below(4));
        Step step = random.below(7);
        for (Step quiet = 0; quiet < window; ++step) {
            const bool calm = test::threshold_step(network, colouring, loads, step, 1) < 2;
            quiet = calm ? quiet + 1 : 0;
        }
        for (Step more = 0; more < 10 * window; ++more)
            ASSERT_LT(test::threshold_step(network, colouring, loads, step++, 1), 2);
    }
}

}  // namespace
}  // namespace equipoise
