#pragma once
// The networks and loads on which statements about deal-agreement are checked.

#include <algorithm>
#include <utility>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test {

struct DealCase {
    const network::Network& graph;
    const load::Loads& loads;
    Tokens diameter;
};

/// Calls `visit` with all connected graphs of 2 to 6 nodes and all small loads, spikes and random
/// loads, and with random graphs of up to 40 nodes.
template <class Visit>
void for_each_deal_case(const Visit& visit) {
    const auto diameter_of = [](const network::Network& graph) {
        return static_cast<Tokens>(network::diameter(network::AnyNetwork(graph)).upper);
    };
    RandomStream random(20, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const network::Network& graph : connected_graphs(nodes)) {
            const Tokens diameter = diameter_of(graph);
            const Tokens most = nodes <= 3 ? 6 : nodes == 4 ? 4 : nodes == 5 ? 3 : 2;
            for_each_loads(nodes, most, [&](const load::Loads& loads) {
                visit(DealCase{graph, loads, diameter});
            });
            for (const load::Loads& loads : uneven_loads(nodes, 60, 8, random))
                visit(DealCase{graph, loads, diameter});
        }
    }
    for (int i = 0; i < 60; ++i) {
        const auto nodes = static_cast<NodeId>(7 + random.below(34));
        const network::Network graph = random_connected_graph(nodes, random.below(40), random);
        const load::Loads loads = random_loads(nodes, 200, random);
        visit(DealCase{graph, loads, diameter_of(graph)});
    }
}

/// The largest difference of loads across a link.
inline Tokens steepest_link(const network::Network& graph, const load::Loads& loads) {
    Tokens steepest = 0;
    for (const Ends& ends : graph.links())
        steepest = std::max(
            {steepest, loads[ends.tail] - loads[ends.head], loads[ends.head] - loads[ends.tail]});
    return steepest;
}

}  // namespace equipoise::test
