#include "equipoise/mesh/box.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::mesh {

Box::Box(std::span<const NodeId> sides) {
    if (sides.empty()) throw InputError("a box needs at least one side");
    std::uint64_t cells = 1;
    for (const NodeId side : sides) {
        if (side == 0) throw InputError("a box's sides are 1 or more, found 0");
        cells *= side;
        if (cells >= no_node)
            throw InputError("a box of more than " + std::to_string(no_node - 1) +
                             " cells is too large");
    }
    std::uint64_t stride = cells;
    std::vector<Axis> axes;
    for (const NodeId side : sides) {
        stride /= side;
        axes.push_back({side, static_cast<NodeId>(stride)});
    }
    *this = Box(0, axes);
}

Box::Box(NodeId origin, std::span<const Axis> axes) : origin_(origin) {
    for (const Axis& axis : axes) {
        if (axis.side == 1) continue;
        EQUIPOISE_ASSERT(dimension_ < dimension_max);
        axes_[dimension_++] = axis;
        cells_ *= axis.side;
        extent_ += axis.side - 1;
    }
}

NodeId Box::side_max() const {
    NodeId longest = 1;
    for (const Axis& axis : axes())
        longest = std::max(longest, axis.side);
    return longest;
}

std::size_t Box::longest_axis() const {
    EQUIPOISE_ASSERT(dimension_ > 0);
    std::size_t longest = 0;
    for (std::size_t i = 1; i < dimension_; ++i)
        if (axes_[i].side > axes_[longest].side) longest = i;
    return longest;
}

Box Box::slice(std::size_t axis, NodeId coordinate) const {
    EQUIPOISE_ASSERT(axis < dimension_ && coordinate < axes_[axis].side);
    Box part = *this;
    part.origin_ += coordinate * axes_[axis].stride;
    std::copy(axes_.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
              axes_.begin() + static_cast<std::ptrdiff_t>(dimension_),
              part.axes_.begin() + static_cast<std::ptrdiff_t>(axis));
    --part.dimension_;
    part.cells_ /= axes_[axis].side;
    part.extent_ -= axes_[axis].side - 1;
    return part;
}

}  // namespace equipoise::mesh
