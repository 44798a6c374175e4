#pragma once
// What entries of algorithms for rings share.

#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/network/structure/ring.hpp"

namespace equipoise::catalogue {

inline constexpr const char* ring_needs = "a ring (cycle:n=8)";

/// The nodes in clockwise order, from node 0 towards its first neighbour. Throws UnsuitableError
/// unless the network is a ring.
[[nodiscard]] inline std::vector<NodeId> ring_of(const Task& task) {
    std::vector<NodeId> order = network::ring_order(task.facts.network());
    if (order.empty())
        throw UnsuitableError(
            "the network is not a ring: expected one cycle of three "
            "nodes or more (cycle:n=8)");
    return order;
}

inline void expect_ring(const Task& task) {
    static_cast<void>(ring_of(task));
}

}  // namespace equipoise::catalogue
