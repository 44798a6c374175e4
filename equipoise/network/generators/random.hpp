#pragma once
// Networks drawn at random. The same seed gives the same network on every machine.

#include <cstdint>
#include <functional>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// A simple connected network in which every node has `degree` links. Asymptotically uniform.
/// Throws InputError unless such a network exists: degree < nodes, nodes*degree even, and
/// degree >= 2 or degree = nodes - 1. Cost O(nodes * degree) expected,
/// O(nodes^2) for degree > nodes/2.
[[nodiscard]] Network make_random_regular(NodeId nodes, NodeId degree, std::uint64_t seed);

/// G(n, p): every pair of nodes is linked with the given probability, independently. May be
/// unconnected. Cost O(nodes + links).
[[nodiscard]] Network make_gnp(NodeId nodes, double probability, std::uint64_t seed);
/// Visits the links of `make_gnp` that touch a node in first .. last-1 (last <= nodes), once each,
/// in no particular order and without holding them. Pairs are drawn in square tiles of about 4 /
/// sqrt(p) nodes a side, each with a random stream of its own, and only tiles that hold these nodes
/// are drawn. Cost O(nodes p (last - first + side)) expected, all links for all nodes.
void each_link_of_gnp(NodeId nodes, double probability, std::uint64_t seed, NodeId first,
                      NodeId last, const std::function<void(NodeId tail, NodeId head)>& visit);

/// G(n, m): drawn uniformly from all networks with this many links. May be unconnected.
/// Throws InputError when there are fewer pairs than links. Cost O(nodes + links log links).
[[nodiscard]] Network make_gnm(NodeId nodes, std::uint64_t links, std::uint64_t seed);

/// Preferential attachment (Barabasi and Albert 1999): starts with a complete graph on
/// links_per_node + 1 nodes; every later node is linked to links_per_node different nodes, each
/// drawn with a probability in proportion to its degree. Connected.
/// Throws InputError unless 1 <= links_per_node < nodes. Cost O(links log links) expected.
[[nodiscard]] Network make_preferential_attachment(NodeId nodes, NodeId links_per_node,
                                                   std::uint64_t seed);

}  // namespace equipoise::network
