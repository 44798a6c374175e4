#include "equipoise/network/structure/bipartite.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/partial_colouring.hpp"

namespace equipoise::network {

namespace {

/// The cycle that link a-b closes in a search tree where both ends have the same depth.
std::vector<NodeId> cycle_through(NodeId a, NodeId b, const std::vector<NodeId>& parents) {
    std::vector<NodeId> up_from_a;
    std::vector<NodeId> up_from_b;
    while (a != b) {
        up_from_a.push_back(a);
        up_from_b.push_back(b);
        a = parents[a];
        b = parents[b];
    }
    up_from_a.push_back(a);
    up_from_a.insert(up_from_a.end(), up_from_b.rbegin(), up_from_b.rend());
    return up_from_a;
}

template <AnyGraph N>
Bipartition of(const N& network) {
    constexpr std::uint8_t unknown = 2;
    Bipartition result;
    result.sides.assign(network.node_count(), unknown);
    std::vector<NodeId> parents(network.node_count(), no_node);
    std::vector<NodeId> queue;
    for (NodeId root = 0; root < network.node_count(); ++root) {
        if (result.sides[root] != unknown) continue;
        result.sides[root] = 0;
        queue.assign(1, root);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const NodeId node = queue[i];
            for (Port port = 0; port < network.degree(node); ++port) {
                const NodeId other = network.neighbour(node, port);
                if (result.sides[other] == unknown) {
                    result.sides[other] = result.sides[node] ^ 1U;
                    parents[other] = node;
                    queue.push_back(other);
                } else if (result.sides[other] == result.sides[node]) {
                    // Breadth-first depths of neighbours differ by at most one: these are equal.
                    return {{}, cycle_through(node, other, parents)};
                }
            }
        }
    }
    return result;
}

}  // namespace

Bipartition bipartition(const AnyNetwork& network) {
    return network.visit([](const auto& graph) { return of(graph); });
}

// Problem: colour the uncoloured link u-v of a bipartite graph with one of Delta colours.
// Source: Koenig 1916. Let a be free at u and b free at v. If a is taken at v, exchange a and b
// along the path from v that alternates them: it arrives at u's side by links of colour a only, so
// it cannot end at u, and afterwards a is free at both.
EdgeColouring colour_bipartite(const Network& network) {
    const Bipartition parts = bipartition(network);
    if (!parts.bipartite())
        throw UnsuitableError("this colouring needs a bipartite network, found a cycle of " +
                              std::to_string(parts.odd_cycle.size()) + " nodes through node " +
                              std::to_string(parts.odd_cycle.front()));
    PartialColouring colouring(network);
    ColourTable& table = colouring.table();
    for_each_link_with_arcs(network, [&](auto arc, auto back) {
        const Colour a = table.free_colour(arc.node);
        const Colour b = table.free_colour(back.node);
        if (table.is_free(arc.node, b)) return colouring.set(arc, back, b);
        if (!table.is_free(back.node, a)) colouring.flip_chain(back.node, a, b);
        colouring.set(arc, back, a);
    });
    return colouring.finish();
}

}  // namespace equipoise::network
