#pragma once
// Boxes of mesh-connected processors and their slices and lines.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"

namespace equipoise::mesh {

/// One direction of a box: how many cells lie along it, and how far apart the numbers of
/// neighbouring cells are.
struct Axis {
    NodeId side = 1;
    NodeId stride = 1;
};

/// A box of cells of a mesh whose nodes are numbered row by row (the last coordinate runs fastest).
/// Axes of side 1 are left out, so that every axis has at least two cells; a single cell has
/// dimension 0. Row-major order of the cells is the order of their numbers.
class Box {
  public:
    /// A box with more axes of two cells or more would have more nodes than a NodeId can number.
    static constexpr std::size_t dimension_max = 32;

    /// All cells of a mesh with these sides. Throws InputError for no sides, a side of 0 or too
    /// many cells.
    explicit Box(std::span<const NodeId> sides);
    /// A part of a mesh: `origin` is the cell with the smallest number, `axes` are in the order of
    /// falling strides.
    Box(NodeId origin, std::span<const Axis> axes);

    [[nodiscard]] NodeId origin() const { return origin_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] const Axis& axis(std::size_t number) const { return axes_[number]; }
    [[nodiscard]] std::span<const Axis> axes() const { return {axes_.data(), dimension_}; }
    /// V, the number of cells.
    [[nodiscard]] NodeId cells() const { return cells_; }
    /// s, the sum of (side - 1): links between opposite corners.
    [[nodiscard]] Step extent() const { return extent_; }
    /// n, the longest side; 1 for a single cell.
    [[nodiscard]] NodeId side_max() const;
    /// The axis with the longest side (the first of them). Expects at least one axis.
    [[nodiscard]] std::size_t longest_axis() const;
    /// The cells with one coordinate along an axis: a box without that axis.
    [[nodiscard]] Box slice(std::size_t axis, NodeId coordinate) const;

    /// Calls `act(cell)` for all cells in row-major order.
    template <class Act>
    void for_each_cell(Act&& act) const {
        walk(0, origin_, dimension_max, act);
    }
    /// Calls `act(first cell)` for all lines along an axis.
    template <class Act>
    void for_each_line(std::size_t axis, Act&& act) const {
        walk(0, origin_, axis, act);
    }

  private:
    template <class Act>
    void walk(std::size_t number, NodeId cell, std::size_t skipped, Act& act) const {
        if (number == dimension_) {
            act(cell);
            return;
        }
        if (number == skipped) return walk(number + 1, cell, skipped, act);
        const auto [side, stride] = axes_[number];
        if (number + 1 == dimension_) {
            for (NodeId i = 0; i < side; ++i, cell += stride)
                act(cell);
            return;
        }
        for (NodeId i = 0; i < side; ++i, cell += stride)
            walk(number + 1, cell, skipped, act);
    }

    NodeId origin_ = 0;
    NodeId cells_ = 1;
    Step extent_ = 0;
    std::size_t dimension_ = 0;
    std::array<Axis, dimension_max> axes_;
};

}  // namespace equipoise::mesh
