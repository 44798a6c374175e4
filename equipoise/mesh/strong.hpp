#pragma once
// Problem: token distribution on a box in time close to the best possible for the given loads.
// Model:   one send and one receive a cell and step; a bus that shows all cells the AND of one bit
//          of each (or none: then the AND is gathered over the mesh, 2s steps a test). With the bus
//          every cell knows N, as in the paper; without it N is gathered as well.
// Source:  Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 4, Algorithm TD.
// Guarantee: every final load between floor(N/V) - 1 and ceil(N/V) + 1 after O(d^3 log k T) steps,
//          T the two-sided off-line complexity (every final load floor or ceiling of N/V); the last
//          round has t <= max(2, 2^ceil(log2 T)). Without the bus O(s log T) steps more.
// Deviations: two-sided where the paper's 0-exact bounds the maximum only; the bus is tested before
//          the first round too; it also shows in every step whether all submeshes are done.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/model/local/move_program.hpp"

namespace equipoise::mesh {

/// How cells learn that every cell has passed the test.
enum class Agreement : std::uint8_t {
    bus,   ///< a bus of one bit, which shows the AND of what all cells write
    mesh,  ///< messages over the mesh
};

/// The strongly adaptive algorithm as a program.
struct Strong {
    using Box = mesh::Box;
    Agreement agreement = Agreement::bus;

    /// Returns t of the last round; 0 if there was none.
    Step run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink) const;
};

}  // namespace equipoise::mesh
