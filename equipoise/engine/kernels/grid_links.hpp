#pragma once
// The links of consecutive nodes of an implicit grid, in stretches of consecutive tails.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::engine {

/// Nodes first .. first + count - 1 of a grid, whose loads one process holds.
struct GridPart {
    const network::Grid& grid;
    NodeId first = 0;
    NodeId count = 0;

    /// Calls `visit(tail, distance, links)` for all links among own nodes whose smaller ends are
    /// own nodes begin .. end-1: links from tail + i to tail + i + distance. Numbers are local.
    template <class Visit>
    void for_each_stretch(NodeId begin, NodeId end, const Visit& visit) const {
        for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
            const std::uint64_t stride = grid.stride(axis);
            const std::uint64_t to_last = (grid.sides()[axis] - 1) * stride;
            const auto among_own = [&](std::uint64_t tail, std::uint64_t distance,
                                       std::uint64_t links) {
                if (tail + distance >= count) return;
                visit(static_cast<NodeId>(tail), static_cast<NodeId>(distance),
                      static_cast<NodeId>(std::min<std::uint64_t>(links, count - distance - tail)));
            };
            for (std::uint64_t tail = begin; tail < end;) {
                const std::uint64_t within = (first + tail) % (to_last + stride);
                const std::uint64_t until =
                    within < stride ? stride : (within < to_last ? to_last : to_last + stride);
                const std::uint64_t links = std::min<std::uint64_t>(until - within, end - tail);
                if (within < to_last) among_own(tail, stride, links);
                if (within < stride && grid.closed(axis)) among_own(tail, to_last, links);
                tail += links;
            }
        }
    }
};

/// The largest difference of loads across a link between own nodes. Cost O(own nodes).
[[nodiscard]] Tokens largest_difference(const GridPart& part, const PackedLoads& loads);

/// An own node with a link to another own node across which loads differ by two or more; the search
/// begins near `from`. Cost O(own nodes) if there is none.
[[nodiscard]] std::optional<NodeId> steep_node(const GridPart& part, const PackedLoads& loads,
                                               NodeId from);

}  // namespace equipoise::engine
