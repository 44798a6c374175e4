#pragma once
// A computed drawing of any network.

#include <vector>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::report {

/// Positions such that linked nodes are about one unit apart and others keep their distance.
///
/// Components are drawn one by one and placed side by side. The same network always gives the same
/// positions, all finite. Cost O(k (nodes + links) + k^2 nodes + i nodes log nodes) for k = 50
/// pivots and i = 120 iterations: about a second for 5,000 nodes.
[[nodiscard]] std::vector<network::Position> force_layout(const network::Network& network);

}  // namespace equipoise::report
