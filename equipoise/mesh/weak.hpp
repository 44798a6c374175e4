#pragma once
// Problem: token distribution on a box with discrepancy 1, fast for every number of tokens N and
//          maximum load k.
// Model:   one send and one receive a cell and step; cells know their coordinates.
// Source:  Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, "TD algorithm".
// Guarantee: discrepancy 1 after O(2^d (root + n)) steps, root = (N k^(d-1))^(1/d) on cubes.
// Deviations: N and k are not given but computed in every box, also of the recursion; thresholds
//          are integer parts of exact roots; boxes with unequal sides are split along their longest
//          side, and root is k * a with a the side of the cube, cut off at the box, that holds N/k
//          cells; a box with discrepancy 1 is left as it is.

#include <cstddef>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/workspace.hpp"
#include "equipoise/model/local/move_program.hpp"

namespace equipoise::mesh {

/// Distributes the tokens of a layer over a box with discrepancy 1. At `depth` 0 the box is the
/// whole mesh, and the moves of each phase are reported when it is over.
void distribute_weakly(Workspace& work, const Box& box, Layer& tokens, Clock& clock,
                       std::size_t depth = 0);

/// The weakly adaptive algorithm as a program.
struct Weak {
    using Box = mesh::Box;
    static void run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink);
};

}  // namespace equipoise::mesh
