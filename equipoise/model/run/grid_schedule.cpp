#include "equipoise/model/run/grid_schedule.hpp"

#include <algorithm>

namespace equipoise::model {

namespace {

/// The number of cuts of at most `most` into which a `length` is divided.
std::uint64_t pieces(std::uint64_t length, std::uint64_t most) {
    return (length + most - 1) / most;
}

}  // namespace

GridSchedule::GridSchedule(const network::Grid& grid) : node_count_(grid.node_count()) {
    const auto add = [&](Class colour) {
        colour.links_per_line = colour.count + (colour.closing ? 1U : 0U);
        if (colour.links_per_line == 0 || colour.side == 0 || node_count_ == 0) return;
        colour.first_slot = slot_count_;
        slot_count_ += node_count_ / colour.side * colour.links_per_line;
        classes_.push_back(colour);
    };
    for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
        const NodeId side = grid.sides()[axis];
        const NodeId stride = grid.stride(axis);
        const bool closed = grid.closed(axis);
        const bool even = side % 2 == 0;
        add({stride, side, 0, side / 2, false, 0, 0});
        add({stride, side, 1, side == 0 ? 0 : (side - 1) / 2, closed && even, 0, 0});
        if (closed && !even) add({stride, side, 0, 0, true, 0, 0});
    }
}

// A block is `side * stride` consecutive nodes. Along the last axis it is one line, whose links are
// a row of stride 2; along the others, the links that begin at one coordinate are a row of
// stride 1.
std::uint64_t GridSchedule::rows_per_block(const Class& of) const {
    const std::uint64_t closing = of.closing ? 1 : 0;
    if (of.last_axis()) return closing + pieces(of.count, row_links_max);
    return (closing + of.count) * pieces(of.stride, row_links_max);
}

std::uint64_t GridSchedule::row_count(Step step) const {
    if (classes_.empty()) return 0;
    const Class& of = classes_[static_cast<std::size_t>(step % period())];
    return node_count_ / of.side / of.stride * rows_per_block(of);
}

LinkRow GridSchedule::row(Step step, std::uint64_t index) const {
    const Class& of = classes_[static_cast<std::size_t>(step % period())];
    const std::uint64_t rows = rows_per_block(of);
    const std::uint64_t block = index / rows;
    const std::uint64_t within = index % rows;
    const auto begin = static_cast<NodeId>(block * of.side * of.stride);
    const std::uint64_t block_slot = of.first_slot + block * of.stride * of.links_per_line;
    const NodeId to_last = (of.side - 1) * of.stride;

    if (of.last_axis()) {
        if (of.closing && within == 0) return {begin, begin + to_last, 1, 1, block_slot};
        const std::uint64_t closing = of.closing ? 1 : 0;
        const auto done = static_cast<NodeId>((within - closing) * row_links_max);
        const NodeId tail = begin + of.first + 2 * done;
        return {tail, tail + 1, 2, std::min(row_links_max, of.count - done),
                block_slot + closing + done};
    }
    const std::uint64_t cuts = pieces(of.stride, row_links_max);
    const std::uint64_t line = within / cuts;  // closing links first, others in order
    const auto done = static_cast<NodeId>(within % cuts * row_links_max);
    const NodeId count = std::min(row_links_max, of.stride - done);
    const std::uint64_t slot = block_slot + line * of.stride + done;
    if (of.closing && line == 0) return {begin + done, begin + done + to_last, 1, count, slot};
    const auto coordinate = static_cast<NodeId>(of.first + 2 * (line - (of.closing ? 1U : 0U)));
    const NodeId tail = begin + coordinate * of.stride + done;
    return {tail, tail + of.stride, 1, count, slot};
}

}  // namespace equipoise::model
