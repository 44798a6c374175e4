#pragma once
// What rounding costs in floating point.

#include <limits>

namespace equipoise::analysis {

/// From 1 to the next number: twice the most by which one operation is off, relatively.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace equipoise::analysis
