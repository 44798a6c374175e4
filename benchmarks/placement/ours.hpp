#pragma once
// Equipoise's planner on the peers' terms.

#include <span>
#include <vector>

#include "benchmarks/placement/peers.hpp"

namespace equipoise::benchmarks {

/// Where `placement::place` puts the items: moving the fewest bytes, or, without sizes, items.
[[nodiscard]] std::vector<int> ours(const peers::Items& items, std::span<const double> bytes,
                                    double tolerance);

}  // namespace equipoise::benchmarks
