#pragma once
// The hypercube and its relatives of bounded degree. Cost of each: O(nodes + links).

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// 2^dimension nodes, linked where their numbers differ in one bit.
[[nodiscard]] Network make_hypercube(unsigned dimension);

/// base^digits nodes, v linked to (v*base + c) mod base^digits for every digit c; undirected and
/// simple: loops and repeated links are dropped. Throws InputError when there are too many nodes.
[[nodiscard]] Network make_de_bruijn(NodeId base, unsigned digits);

/// The hypercube with every node replaced by a cycle of its `dimension` links: node (w, i) has
/// number w*dimension + i. 3-regular. Throws InputError for dimension < 3.
[[nodiscard]] Network make_cube_connected_cycles(unsigned dimension);

/// Levels of 2^dimension nodes each; node (level, row), number level*2^dimension + row, is linked
/// to rows `row` and `row` with bit `level` flipped of the next level. dimension+1 levels, or
/// `dimension` levels closed to a ring when `wrapped` (4-regular; throws InputError for
/// dimension < 3).
[[nodiscard]] Network make_butterfly(unsigned dimension, bool wrapped);

}  // namespace equipoise::network
