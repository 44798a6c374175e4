#pragma once
// Cliques tied together by paths, rings and meshes: networks with bottlenecks.
// Cost of each: O(nodes + links).

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// Two complete graphs of `clique` nodes joined by a path of `path` further nodes (0: one link).
/// Numbers: first clique, path, second clique.
[[nodiscard]] Network make_barbell(NodeId clique, NodeId path);

/// A complete graph of `clique` nodes (0 .. clique-1) with a path of `path` nodes attached to its
/// last one. With clique = path the complete graph with a tail of Meyer auf der Heide,
/// Oesterdiekhoff, Wanka.
[[nodiscard]] Network make_lollipop(NodeId clique, NodeId path);

/// `cliques` complete graphs of `size` nodes in a ring; the last node of each is linked to the
/// first of the next. Throws InputError for fewer than 3 cliques.
[[nodiscard]] Network make_ring_of_cliques(NodeId cliques, NodeId size);

/// A side x side mesh (nodes 0 .. side^2-1, row by row) whose corner 0 is linked to one node
/// (side^2) of a complete graph on the side^2 other nodes.
/// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka, Figure 2 (reconstructed: with all tokens at
/// the corner opposite, the off-line complexity exceeds the static bound T by 2 sqrt(T-1) - 4).
[[nodiscard]] Network make_mesh_plus_complete(NodeId side);

}  // namespace equipoise::network
