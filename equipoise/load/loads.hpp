#pragma once
// Loads of all nodes and the numbers that say how uneven they are.

#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::load {

/// Tokens at every node, indexed by node.
using Loads = std::vector<Tokens>;

/// The sum of all loads. Throws OverflowError beyond `tokens_max`.
[[nodiscard]] Tokens total(std::span<const Tokens> loads);

/// Largest load minus smallest; 0 for no nodes.
[[nodiscard]] Tokens discrepancy(std::span<const Tokens> loads);

/// The largest discrepancy of a component. `components` gives for every node a node that names its
/// component, `no_node` for nodes that belong to none. Cost O(nodes).
[[nodiscard]] Tokens discrepancy_of_components(std::span<const Tokens> loads,
                                               std::span<const NodeId> components);

/// n * sum x^2 - T^2: n times the sum of squared deviations from the mean, as an exact integer.
/// Never negative, 0 exactly when all loads are equal. Throws OverflowError beyond 128 bits.
[[nodiscard]] Int128 potential(std::span<const Tokens> loads);

/// A 128-bit integer in decimal.
[[nodiscard]] std::string to_decimal(Int128 value);

/// Largest difference of loads across a link; 0 without links.
template <network::AnyGraph N>
[[nodiscard]] Tokens local_imbalance(const N& network, std::span<const Tokens> loads) {
    Tokens worst = 0;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (node >= other) continue;
            const Tokens apart = loads[node] < loads[other] ? loads[other] - loads[node]
                                                            : loads[node] - loads[other];
            if (apart > worst) worst = apart;
        }
    }
    return worst;
}

}  // namespace equipoise::load
