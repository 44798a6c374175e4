#pragma once
// Families of trees. Cost of each: O(nodes), random trees O(nodes log nodes).

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// The complete tree of a height (in links) in which every inner node has `children` children;
/// numbered level by level, so that the parent of v > 0 is (v - 1) / children.
/// Throws InputError when there are too many nodes.
[[nodiscard]] Network make_complete_tree(NodeId children, NodeId height);

/// A tree drawn uniformly from all nodes^(nodes-2) labelled trees, by a random Pruefer sequence.
[[nodiscard]] Network make_random_tree(NodeId nodes, std::uint64_t seed);

/// A path of `spine` nodes (0 .. spine-1), each with `legs` leaves: those of node v are
/// spine + v*legs .. spine + v*legs + legs-1.
[[nodiscard]] Network make_caterpillar(NodeId spine, NodeId legs);

/// A path of `handle` nodes (0 .. handle-1) whose last node has `bristles` leaves.
[[nodiscard]] Network make_broom(NodeId handle, NodeId bristles);

/// A centre, node 0, with a path of each of these lengths attached; numbered leg by leg outwards.
/// Throws InputError when there are too many nodes.
[[nodiscard]] Network make_spider(std::span<const std::uint64_t> legs);

/// The binomial tree of an order, with 2^order nodes: the parent of v > 0 is v without its lowest
/// set bit. A spanning tree of the hypercube.
[[nodiscard]] Network make_binomial_tree(unsigned order);

}  // namespace equipoise::network
