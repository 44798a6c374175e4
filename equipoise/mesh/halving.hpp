#pragma once
// Nested partitions of a box: every side is halved repeatedly, the larger half first.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/mesh/box.hpp"

namespace equipoise::mesh {

/// How many times each axis of a box is halved. A side of n is cut into 2^level parts of floor or
/// ceiling of n / 2^level cells.
using Levels = std::array<std::uint8_t, Box::dimension_max>;

/// The deepest levels at which no part is shorter than `side_min` (at least 1); axes shorter than
/// that stay whole.
[[nodiscard]] Levels deepest_levels(const Box& whole, std::uint64_t side_min);

/// A part of a box in such a partition.
class Part {
  public:
    /// The whole box.
    explicit Part(const Box& whole) : whole_(&whole) {
        for (std::size_t i = 0; i < whole.dimension(); ++i)
            count_[i] = whole.axis(i).side;
    }

    [[nodiscard]] Box box() const;
    /// Its side along an axis of the whole box.
    [[nodiscard]] NodeId side(std::size_t axis) const { return count_[axis]; }

    /// Calls `act(part)` for the parts at levels `to` of this part, which is at levels `from`; `to`
    /// is at least as deep.
    template <class Act>
    void for_each_part(const Levels& from, const Levels& to, Act&& act) const {
        split(0, from, to, act);
    }

  private:
    template <class Act>
    void split(std::size_t axis, const Levels& from, const Levels& to, Act& act) const {
        if (axis == whole_->dimension()) return act(*this);
        split_axis(axis, to[axis] - from[axis], from, to, act);
    }
    template <class Act>
    void split_axis(std::size_t axis, int halvings, const Levels& from, const Levels& to,
                    Act& act) const {
        if (halvings == 0) return split(axis + 1, from, to, act);
        Part lower = *this;
        lower.count_[axis] = (count_[axis] + 1) / 2;
        lower.split_axis(axis, halvings - 1, from, to, act);
        Part upper = *this;
        upper.first_[axis] += lower.count_[axis];
        upper.count_[axis] /= 2;
        upper.split_axis(axis, halvings - 1, from, to, act);
    }

    const Box* whole_;
    std::array<NodeId, Box::dimension_max> first_{};
    std::array<NodeId, Box::dimension_max> count_{};
};

}  // namespace equipoise::mesh
