#pragma once
// Every small labelled graph, for tests that check everything small.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::test {

/// Calls `visit` with each of the 2^(n(n-1)/2) labelled graphs on `nodes` nodes.
template <class Visit>
void for_each_graph(NodeId nodes, Visit&& visit) {
    std::vector<Ends> pairs;
    for (NodeId tail = 0; tail < nodes; ++tail)
        for (NodeId head = tail + 1; head < nodes; ++head)
            pairs.push_back({tail, head});
    for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << pairs.size(); ++chosen) {
        std::vector<Ends> links;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if ((chosen >> i & 1U) != 0) links.push_back(pairs[i]);
        visit(network::Network(nodes, std::move(links)));
    }
}

/// Those of them that are connected.
template <class Visit>
void for_each_connected_graph(NodeId nodes, Visit&& visit) {
    for_each_graph(nodes, [&](const network::Network& graph) {
        if (network::is_connected(graph)) visit(graph);
    });
}

}  // namespace equipoise::test
