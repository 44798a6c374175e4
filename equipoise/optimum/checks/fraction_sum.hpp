#pragma once
// Sums of fractions, compared with 0 without rounding.

#include <cstdint>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

struct Fraction {
    Int128 numerator = 0;
    std::uint64_t denominator = 1;  ///< 1 or more
};

/// The sign (-1, 0 or 1) of whole + the sum of the fractions. Exact: fractions of equal denominator
/// are added up; if the rest is too close to 0 for 64 binary places, numbers of any length are
/// used. Cost O(k log k) for k fractions, O(k^2) in the last case. Throws OverflowError when sums
/// leave 128 bits.
[[nodiscard]] int sign_of_sum(Int128 whole, std::vector<Fraction> fractions);

}  // namespace equipoise::optimum
