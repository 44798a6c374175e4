#pragma once
// The algorithm for linear arrays in all lines of a box at once.

#include <cstddef>

#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// Distributes the tokens of a layer in every line along an axis with discrepancy 1.
///
/// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, Step 1.
/// Cost:   T distribution steps, the fewest for the line's targets, and 4(n-1) computation steps:
///         prefix sums and the total there and back, the timetable in a scan to the right, T back.
///         The slowest line counts. A line of one cell costs nothing.
void balance_lines(Workspace& work, const Box& box, std::size_t axis, Layer& tokens, Clock& clock);

}  // namespace equipoise::mesh
