#pragma once
// Real-valued bounds, rounded to whole numbers of steps.

#include <cmath>
#include <cstdint>

namespace equipoise::theory {

/// The smallest whole number that is not below a bound: 0 for negative bounds, the largest 64-bit
/// number for bounds beyond it.
[[nodiscard]] inline std::uint64_t saturating_ceil(double bound) {
    constexpr double most = 0x1.0p64;
    if (!(bound > 0)) return 0;
    const double up = std::ceil(bound);
    return up >= most ? ~std::uint64_t{0} : static_cast<std::uint64_t>(up);
}

}  // namespace equipoise::theory
