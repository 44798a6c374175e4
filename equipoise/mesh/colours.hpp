#pragma once
// Tokens of two colours, and tokens selected among them.

#include <cstddef>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// In each slice across an axis at most `threshold` tokens become black, in row-major order: a cell
/// with s tokens before it colours min(l, max(0, threshold - s)) of its l. The rest become white.
void colour(const Box& box, std::size_t axis, Tokens threshold, const Layer& tokens, Layer& black,
            Layer& white);

/// From every cell, moves to `selected` the number of tokens that the poorest cell of its slice
/// has. What `selected` held on the box is lost.
void select_least_of_slices(const Box& box, std::size_t axis, Layer& tokens, Layer& selected);

/// The same with the poorest cell of the line along the axis.
void select_least_of_lines(const Box& box, std::size_t axis, Layer& tokens, Layer& selected);

/// Adds the tokens of `other` on the box to `tokens`.
void unite(const Box& box, Layer& tokens, const Layer& other);
/// Makes `tokens` on the box the sum of two layers.
void unite(const Box& box, Layer& tokens, const Layer& one, const Layer& other);

}  // namespace equipoise::mesh
