#pragma once
// What a box of cells learns by a reduction.

#include <algorithm>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// Least and largest number of tokens of a cell, and the sum.
struct Extremes {
    Tokens least = tokens_max;
    Tokens most = 0;
    Tokens total = 0;

    [[nodiscard]] Tokens discrepancy() const { return most - least; }
};

/// The extremes of a box. They cost the box 2s computation steps, which the caller counts.
[[nodiscard]] inline Extremes extremes(const Box& box, const Layer& tokens) {
    Extremes found;
    box.for_each_cell([&](NodeId cell) {
        found.least = std::min(found.least, tokens[cell]);
        found.most = std::max(found.most, tokens[cell]);
        found.total += tokens[cell];
    });
    return found;
}

}  // namespace equipoise::mesh
