#include "equipoise/theory/changing_networks.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/base/assert.hpp"
#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

double max_neighbor_steep_rounds(Int128 scaled_potential, std::uint64_t node_count) {
    EQUIPOISE_ASSERT(node_count > 0);
    return 2 * static_cast<double>(scaled_potential) / static_cast<double>(node_count);
}

double smoothed_meeting(std::uint64_t node_count, double smoothing) {
    EQUIPOISE_ASSERT(node_count >= 2 && smoothing >= 0);
    const auto n = static_cast<double>(node_count);
    return std::min(1.0, smoothing) * std::min(1.0, 4 / (n * (n - 1)));
}

std::uint64_t smoothed_rounds(std::uint64_t node_count, Int128 scaled_potential, double smoothing,
                              double activation, double failure) {
    EQUIPOISE_ASSERT(smoothing > 0 && activation > 0 && failure > 0);
    const auto n = static_cast<double>(node_count);
    const double potential = static_cast<double>(scaled_potential) / n;
    if (potential <= 2 * failure) return 0;
    const double meeting = smoothed_meeting(node_count, smoothing);
    return saturating_ceil(9 * n / (16 * meeting * activation) *
                           std::log(potential / (2 * failure)));
}

}  // namespace equipoise::theory
