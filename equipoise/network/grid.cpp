#include "equipoise/network/grid.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

// How neighbours can be computed from numbers: along an axis of stride s and side k a neighbour's
// number differs by s, or by (k-1)s where a line closes; both lie in [s, the stride of the axis
// before). So a node's neighbours in ascending order are: the smaller ones, axis 0 first; then the
// larger ones, last axis first; within an axis the wrapped one is the outermost.

namespace equipoise::network {

Grid::Grid(std::vector<NodeId> sides, Shape shape) : sides_(std::move(sides)), shape_(shape) {
    if (sides_.empty()) throw InputError("a grid needs at least one side");
    std::uint64_t nodes = 1;
    for (const NodeId side : sides_) {
        if (side == 0) throw InputError("a grid's sides are 1 or more, found 0");
        nodes *= side;
        if (nodes >= no_node)
            throw InputError("a grid of more than " + std::to_string(no_node - 1) +
                             " nodes is too large");
    }
    node_count_ = static_cast<NodeId>(nodes);
    strides_.resize(sides_.size());
    inner_links_.resize(sides_.size());
    NodeId stride = 1;
    for (std::size_t axis = sides_.size(); axis-- > 0; stride *= sides_[axis]) {
        strides_[axis] = stride;
        inner_links_[axis] = link_count_;
        link_count_ = link_count_ * sides_[axis] + links_of_line(axis) * stride;
        const NodeId side = sides_[axis];
        degree_max_ += static_cast<Port>(std::min<NodeId>(side - 1, 2));
        degree_min_ += closed(axis) ? 2U : (side == 1 ? 0U : 1U);
    }
}

LinkId Grid::links_of_line(std::size_t axis) const {
    return closed(axis) ? sides_[axis] : LinkId{sides_[axis]} - 1;
}

Port Grid::larger(std::size_t axis, NodeId coordinate) const {
    if (coordinate + 1 == sides_[axis]) return 0;
    return coordinate == 0 && closed(axis) ? 2 : 1;
}

Port Grid::smaller(std::size_t axis, NodeId coordinate) const {
    if (coordinate == 0) return 0;
    return coordinate + 1 == sides_[axis] && closed(axis) ? 2 : 1;
}

Port Grid::degree(NodeId node) const {
    if (degree_min_ == degree_max_) return degree_max_;
    Port count = 0;
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
        const NodeId c = coordinate(node, axis);
        count += smaller(axis, c) + larger(axis, c);
    }
    return count;
}

NodeId Grid::neighbour(NodeId node, Port port) const {
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
        const Port count = smaller(axis, coordinate(node, axis));
        if (port < count) {
            const bool wraps = count == 2 && port == 0;
            return node - (wraps ? (sides_[axis] - 1) * strides_[axis] : strides_[axis]);
        }
        port -= count;
    }
    for (std::size_t axis = dimension(); axis-- > 0;) {
        const Port count = larger(axis, coordinate(node, axis));
        if (port < count) {
            const bool wraps = count == 2 && port == 1;
            return node + (wraps ? (sides_[axis] - 1) * strides_[axis] : strides_[axis]);
        }
        port -= count;
    }
    EQUIPOISE_ASSERT(false && "the port is below the degree");
    return no_node;
}

LinkId Grid::links_before(NodeId node) const {
    LinkId count = 0;
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
        const std::uint64_t stride = strides_[axis];
        const std::uint64_t line = stride * sides_[axis];
        const std::uint64_t rest = node % line;
        const NodeId c = static_cast<NodeId>(rest / stride);
        // Nodes of one line up to coordinate c have c larger neighbours, one more if it closes.
        const LinkId along = c + (c > 0 && closed(axis) ? 1 : 0);
        count += node / line * links_of_line(axis) * stride + along * stride +
                 rest % stride * larger(axis, c);
    }
    return count;
}

LinkId Grid::link(NodeId node, Port port) const {
    Port smaller_count = 0;
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
        const Port count = smaller(axis, coordinate(node, axis));
        if (port < smaller_count + count) {
            // The link belongs to its smaller end: count that end's larger neighbours that come
            // before this node.
            const bool wraps = count == 2 && port == smaller_count;
            const NodeId other =
                node - (wraps ? (sides_[axis] - 1) * strides_[axis] : strides_[axis]);
            LinkId number = links_before(other) + (wraps ? 1 : 0);
            for (std::size_t later = axis + 1; later < dimension(); ++later)
                number += larger(later, coordinate(other, later));
            return number;
        }
        smaller_count += count;
    }
    return links_before(node) + (port - smaller_count);
}

Ends Grid::ends(LinkId link) const {
    EQUIPOISE_ASSERT(link < link_count_);
    // Descends into the block, axis by axis, that holds the smaller end. Every node of the current
    // block has `carried` larger neighbours along the axes already passed.
    NodeId tail = 0;
    LinkId carried = 0;
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
        const LinkId stride = strides_[axis];
        const LinkId first = stride * (carried + larger(axis, 0)) + inner_links_[axis];
        NodeId c = 0;
        if (link >= first && sides_[axis] > 1) {
            link -= first;
            const LinkId middle = stride * (carried + 1) + inner_links_[axis];
            const LinkId blocks = std::min<LinkId>(link / middle, sides_[axis] - 2);
            link -= blocks * middle;
            c = static_cast<NodeId>(blocks + 1);
        }
        tail += c * strides_[axis];
        carried += larger(axis, c);
    }
    EQUIPOISE_ASSERT(link < carried);
    Port smaller_count = 0;
    for (std::size_t axis = 0; axis < dimension(); ++axis)
        smaller_count += smaller(axis, coordinate(tail, axis));
    return {tail, neighbour(tail, smaller_count + static_cast<Port>(link))};
}

}  // namespace equipoise::network
