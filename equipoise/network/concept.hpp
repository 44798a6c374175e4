#pragma once
// What every network, stored or implicit, offers to engines and analyses.

#include <concepts>
#include <cstdint>
#include <optional>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// A simple undirected graph, connected or not, whose nodes are 0 .. node_count()-1. Ports of a
/// node are in the order of its neighbours' numbers; links are numbered in the order of (smaller
/// end, larger end). All members cost O(1) (implicit networks: O(dimension)).
template <class N>
concept AnyGraph = requires(const N& network, NodeId node, Port port, LinkId link) {
    { network.node_count() } -> std::convertible_to<NodeId>;
    { network.link_count() } -> std::convertible_to<LinkId>;
    { network.degree(node) } -> std::convertible_to<Port>;
    { network.degree_max() } -> std::convertible_to<Port>;
    { network.neighbour(node, port) } -> std::convertible_to<NodeId>;
    { network.link(node, port) } -> std::convertible_to<LinkId>;
    { network.ends(link) } -> std::convertible_to<Ends>;
};

/// The port of a node that leads to another, or nothing if no link joins them. Cost O(log degree).
template <AnyGraph N>
[[nodiscard]] std::optional<Port> port_to(const N& network, NodeId from, NodeId to) {
    Port low = 0;
    Port high = network.degree(from);
    while (low < high) {
        const Port middle = low + (high - low) / 2;
        const NodeId found = network.neighbour(from, middle);
        if (found == to) return middle;
        (found < to ? low : high) = found < to ? middle + 1 : middle;
    }
    return std::nullopt;
}

/// The digest of a network: equal for equal sets of nodes and links, however they are stored.
/// Cost O(nodes + links).
template <AnyGraph N>
[[nodiscard]] std::uint64_t digest(const N& network) {
    Digest digest;
    digest.add(network.node_count());
    digest.add(network.link_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (node < other) digest.add((std::uint64_t{node} << 32U) | other);
        }
    }
    return digest.value();
}

}  // namespace equipoise::network
