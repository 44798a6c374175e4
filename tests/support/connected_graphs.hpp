#pragma once
// Graphs up to isomorphism, colourings and loads for tests that check everything small.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::test {

/// Every connected graph on a few nodes once, up to isomorphism.
[[nodiscard]] inline const std::vector<network::Network>& connected_graphs(NodeId nodes) {
    return network::connected_networks(nodes);
}

/// A connected graph: a random tree plus up to `extra_links` links.
[[nodiscard]] network::Network random_connected_graph(NodeId nodes, LinkId extra_links,
                                                      RandomStream& random);

/// Every link in turn takes the smallest colour that is free at both its ends.
[[nodiscard]] network::EdgeColouring greedy_colouring(const network::Network& network);

/// Gives links, in random order, random colours among those free at both ends, of 2 * Delta - 1.
[[nodiscard]] network::EdgeColouring random_colouring(const network::Network& network,
                                                      RandomStream& random);

/// Loads drawn uniformly from 0 .. `most`.
[[nodiscard]] load::Loads random_loads(NodeId nodes, Tokens most, RandomStream& random);

/// Calls `visit` with each of the (most + 1)^nodes loads.
template <class Visit>
void for_each_loads(NodeId nodes, Tokens most, const Visit& visit) {
    load::Loads loads(nodes, 0);
    while (true) {
        visit(std::as_const(loads));
        NodeId node = 0;
        while (node < nodes && loads[node] == most)
            loads[node++] = 0;
        if (node == nodes) return;
        ++loads[node];
    }
}

/// Loads that keep a protocol busy on a graph of any size: for every node a spike of `tokens`
/// there, and `random_count` random ones.
[[nodiscard]] std::vector<load::Loads> uneven_loads(NodeId nodes, Tokens tokens, int random_count,
                                                    RandomStream& random);

}  // namespace equipoise::test
