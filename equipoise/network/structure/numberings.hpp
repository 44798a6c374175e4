#pragma once
// A network's nodes under other numbers. An algorithm meets a node's neighbours in the order of
// their numbers, and colourings, trees and orientations are made by number too.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// The new number of every node.
using Numbering = std::vector<NodeId>;

inline constexpr NodeId numbered_nodes_max = 9;

/// One numbering, the first in lexicographic order, for each network that other numbers make of
/// this one: n! divided by the number of its symmetries. The first changes nothing. Requires at
/// most `numbered_nodes_max` nodes. Cost O(n! links).
[[nodiscard]] std::vector<Numbering> numberings(const AnyNetwork& network);

/// The network with node v under the number `numbers[v]`, without names and positions; its origin
/// is its `links_spec`. Requires a permutation of at least one node.
[[nodiscard]] AnyNetwork renumber(const AnyNetwork& network, std::span<const NodeId> numbers);

}  // namespace equipoise::network
