#pragma once
// Problem: token distribution on a box with discrepancy 1, polynomial in the dimension.
// Model:   one send and one receive a cell and step; cells know their coordinates.
// Source:  Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, "Faster TD algorithm".
// Guarantee: discrepancy 1 after O(d^2 (root + n)) steps, root = (N k^(d-1))^(1/d) on cubes. (The
//          paper states O(d root + d^2 n); that much is observed, not derived.)
// Deviations: the paper's condition k >= 2N/n^d is dropped: k is replaced by max(k, 2N/V), and N
//          and k are computed in every box, also in the recursion, where the maximum may have
//          grown; thresholds are integer parts of exact roots; boxes with unequal sides are split
//          along their longest side; a box with discrepancy 1 is left as it is.

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
void distribute_faster(Workspace& work, const Box& box, Layer& tokens, Clock& clock,
                       std::size_t depth = 0);

/// The faster weakly adaptive algorithm as a program.
struct Faster {
    using Box = mesh::Box;
    static void run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink);
};

}  // namespace equipoise::mesh
