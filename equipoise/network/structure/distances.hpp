#pragma once
// Breadth-first distances, connectivity and diameter.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};

/// Links on a shortest path from `source` to every node; `unreachable` where there is none.
/// Cost O(nodes + links).
[[nodiscard]] std::vector<std::uint32_t> distances_from(const AnyNetwork& network, NodeId source);

/// Whether every node reaches every other. A network without nodes counts as connected.
[[nodiscard]] bool is_connected(const AnyNetwork& network);

/// Connected with one link fewer than nodes.
[[nodiscard]] bool is_tree(const AnyNetwork& network);

/// A diameter known exactly or enclosed: lower <= diameter <= upper.
struct DiameterBounds {
    std::uint32_t lower = 0;
    std::uint32_t upper = 0;
    [[nodiscard]] bool exact() const { return lower == upper; }
};

/// The diameter of a connected network: closed form for grids, two sweeps for trees, otherwise
/// breadth-first searches, chosen by bounds on eccentricities, until the diameter is exact,
/// `searches_max` searches have been made, or at least 4 searches have together visited
/// `visits_max` nodes and ends of links. Throws UnsuitableError when the network is not connected.
[[nodiscard]] DiameterBounds diameter(const AnyNetwork& network, std::uint64_t searches_max = 4096,
                                      std::uint64_t visits_max = 1'000'000'000);

}  // namespace equipoise::network
