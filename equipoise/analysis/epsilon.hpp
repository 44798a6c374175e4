#pragma once
// Rounding errors of floating-point arithmetic.

#include <limits>

namespace equipoise::analysis {

/// The distance from 1 to the next double: twice the largest relative error of one operation.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace equipoise::analysis
