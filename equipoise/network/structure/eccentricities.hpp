#pragma once
// Eccentricities: how far the farthest node is from every node.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// lower[v] <= eccentricity of v <= upper[v], both in links.
struct EccentricityBounds {
    std::vector<std::uint32_t> lower;
    std::vector<std::uint32_t> upper;
    std::uint64_t searches = 0;  ///< breadth-first searches made

    [[nodiscard]] bool exact() const { return lower == upper; }
};

/// Eccentricities of a connected network: closed form for grids, three searches for trees, else
/// breadth-first searches from well chosen nodes until all are exact or `searches_max` searches
/// have been made; each search from v narrows every node w by |ecc(v) - d(v,w)| ... ecc(v) +
/// d(v,w).
/// Source: Takes and Kosters 2013. Cost O(nodes + links) per search.
/// Throws UnsuitableError when the network is not connected.
[[nodiscard]] EccentricityBounds eccentricities(const AnyNetwork& network,
                                                std::uint64_t searches_max = 4096);

/// An end of a longest shortest path: the first node of the largest eccentricity, or of the largest
/// lower bound if not all are known. Throws and costs as `eccentricities`.
[[nodiscard]] NodeId far_end(const AnyNetwork& network);

}  // namespace equipoise::network
