#pragma once
// How large a corner cube of full cells is, and the thresholds that follow from it.

#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"

namespace equipoise::mesh {

/// The corner of a box that N tokens fill with k in each cell: a cells along each of j free axes,
/// and all cells along the axes shorter than a, which have P cells together, so that N = k P a^j.
/// On a cube without a short axis j = d and P = 1.
struct Corner {
    unsigned free_axes = 1;        ///< j
    std::uint64_t full_cells = 1;  ///< P
};

/// Expects 0 < N <= k * cells, k below 2^62.
[[nodiscard]] Corner corner(const Box& box, Tokens total, Tokens most);

/// floor(N/a): on cubes the integer part of the d-th root of N^(d-1) k.
[[nodiscard]] Tokens tokens_per_layer(const Box& box, Tokens total, Tokens most);

/// About (1 - 2^(-1/j)) N/a: the integer part of N/a minus that of N/a divided by 2^(1/j).
[[nodiscard]] Tokens tokens_per_layer_reduced(const Box& box, Tokens total, Tokens most);

/// floor(k a): on cubes the integer part of the d-th root of N k^(d-1). 0 for no tokens.
[[nodiscard]] Tokens root(const Box& box, Tokens total, Tokens most);

}  // namespace equipoise::mesh
