#pragma once
// Monotone routing on boxes, and the levelling of small differences.

#include <span>

#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// Moves one token from the i-th source to the i-th destination, for all i at once.
///
/// Model:  one send and one receive a cell and step; sources and destinations are cells of the box,
///         each list in row-major order without repetition; every cell knows its rank.
/// Source: Leighton 1992, Section 3.4.3 (hypercubes), as Meyer auf der Heide, Oesterdiekhoff, Wanka
///         1996, Section 3.2 generalise it to meshes.
/// How: packing, to the cell of rank i, one axis after the other beginning with the last;
///         then spreading, beginning with the first. Along each axis first all that go right, then
///         all that go left. After each axis a cell holds at most one of the tokens on their way;
///         tokens that go the same way never meet, so no cell sends or receives two in a step.
/// Cost:   4s steps, whether tokens move in them or not.
void route_monotone(Workspace& work, const Box& box, std::span<const NodeId> sources,
                    std::span<const NodeId> destinations, Clock& clock);

/// Lowers the discrepancy of a layer over a box to 1. In each phase the i-th fullest cell sends one
/// token to the i-th emptiest, which lowers the discrepancy by at least 1.
///
/// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, Step 9; Section 4, 3(b).
/// Cost:   2s computation steps for minimum and maximum, and, if they differ by more than 1, 2s for
///         the number of cells of every load between them, then at most `discrepancy - 1` phases of
///         2s computation steps (ranks) and 4s steps of routing.
void level_out(Workspace& work, const Box& box, Layer& tokens, Clock& clock);

}  // namespace equipoise::mesh
