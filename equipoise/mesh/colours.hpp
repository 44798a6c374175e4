#pragma once
// Tokens of two colours, and those selected among them.

#include <cstddef>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// In each slice across an axis at most `threshold` tokens become black, in row-major order: a cell
/// with s tokens before it colours min(l, max(0, threshold - s)) of its l. The rest become white.
void colour(const Box& box, std::size_t axis, Tokens threshold, const Layer& tokens, Layer& black,
            Layer& white);

/// Moves the least number of tokens that a cell of the same slice has from every cell of `tokens`
/// to `selected`, whose earlier content on the box is lost.
void select_least_of_slices(const Box& box, std::size_t axis, Layer& tokens, Layer& selected);

/// The same with the least number that a cell of the same line along the axis has.
void select_least_of_lines(const Box& box, std::size_t axis, Layer& tokens, Layer& selected);

/// Adds the tokens of `other` on the box to `tokens`.
void unite(const Box& box, Layer& tokens, const Layer& other);
/// Makes `tokens` on the box the sum of two layers.
void unite(const Box& box, Layer& tokens, const Layer& one, const Layer& other);

}  // namespace equipoise::mesh
