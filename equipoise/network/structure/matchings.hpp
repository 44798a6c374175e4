#pragma once
// Matchings: links no two of which share a node.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// A matching, held as every node's partner (`no_node` for an unmatched node).
struct Matching {
    std::vector<NodeId> partner;

    [[nodiscard]] std::uint64_t size() const;
    /// The matched links in ascending order, tail < head.
    [[nodiscard]] std::vector<Ends> links() const;
};

/// Whether partners are mutual and linked.
[[nodiscard]] bool is_matching(const AnyNetwork& network, const Matching& matching);

/// Whether it is a matching and no link joins two unmatched nodes. Cost O(nodes + links).
[[nodiscard]] bool is_maximal(const AnyNetwork& network, const Matching& matching);

/// A maximal matching, link by link in ascending order: at least half of a maximum one.
/// Cost O(nodes + links).
[[nodiscard]] Matching greedy_matching(const AnyNetwork& network);

/// A maximum matching with its proof. By the Tutte-Berge formula every matching leaves at least
/// (odd components of the network without `barrier`) - |barrier| nodes unmatched; this one leaves
/// exactly that number.
struct MaximumMatching {
    Matching matching;
    std::vector<NodeId> barrier;  ///< ascending
};

/// Edmonds' blossom algorithm from a greedy start. Cost O(nodes * links) at worst.
[[nodiscard]] MaximumMatching maximum_matching(const AnyNetwork& network);

/// A sequence of oriented matchings, each a list of links tail -> head.
using MatchingSequence = std::vector<std::vector<Ends>>;

/// The natural matchings of a mesh or torus: axis by axis the links from even to odd coordinates,
/// then those from odd to even ones, then, on closed axes of odd side, the link that closes each
/// ring. Links point along the axis, from coordinate c to c + 1 (modulo the side).
[[nodiscard]] MatchingSequence natural_matchings(const Grid& grid);

/// The natural matchings of the hypercube on 2^dimension nodes: in matching i every node with bit i
/// clear points to the node with bit i set.
[[nodiscard]] MatchingSequence hypercube_matchings(unsigned dimension);

/// Whether the network is a hypercube whose links join numbers that differ in one bit.
[[nodiscard]] bool is_hypercube(const AnyNetwork& network);

/// Natural matchings of grids and hypercubes; for every other network the classes of its edge
/// colouring, links pointing from the smaller to the larger end. Every link occurs once.
[[nodiscard]] MatchingSequence natural_matchings(const AnyNetwork& network);

}  // namespace equipoise::network
