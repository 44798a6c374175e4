#pragma once
// The graphs every textbook starts with. Cost of each: O(nodes + links).

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// Nodes 0 .. nodes-1 in a line. `nodes` >= 1.
[[nodiscard]] Network make_path(NodeId nodes);
/// Nodes 0 .. nodes-1 in a ring. Throws InputError for fewer than 3 nodes.
[[nodiscard]] Network make_cycle(NodeId nodes);
/// Node 0 in the centre, nodes 1 .. leaves around it.
[[nodiscard]] Network make_star(NodeId leaves);
/// Every two nodes linked. `nodes` >= 1.
[[nodiscard]] Network make_complete(NodeId nodes);

}  // namespace equipoise::network
