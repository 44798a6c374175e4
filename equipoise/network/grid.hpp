#pragma once
// Implicit meshes and tori of any dimension: a network that is computed, not stored.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::network {

/// A d-dimensional mesh or torus with nodes numbered row by row (the last coordinate runs fastest).
///
/// Sides may differ. A torus side of 2 carries one link, not two, and a side of 1 none, so that the
/// graph stays simple. Numbers of ports and links are those of the same graph stored as a
/// `Network`. Memory: O(dimension). All queries cost O(dimension).
class Grid {
  public:
    enum class Shape : std::uint8_t { mesh, torus };

    /// Throws InputError unless there is at least one side, every side is at least 1 and the number
    /// of nodes fits into a NodeId.
    Grid(std::vector<NodeId> sides, Shape shape);

    [[nodiscard]] NodeId node_count() const { return node_count_; }
    [[nodiscard]] LinkId link_count() const { return link_count_; }
    [[nodiscard]] Port degree(NodeId node) const;
    [[nodiscard]] Port degree_max() const { return degree_max_; }
    [[nodiscard]] Port degree_min() const { return degree_min_; }
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const;
    [[nodiscard]] LinkId link(NodeId node, Port port) const;
    [[nodiscard]] Ends ends(LinkId link) const;

    [[nodiscard]] std::span<const NodeId> sides() const { return sides_; }
    [[nodiscard]] Shape shape() const { return shape_; }
    [[nodiscard]] std::size_t dimension() const { return sides_.size(); }
    /// Distance in numbers between neighbours along an axis: the product of the later sides.
    [[nodiscard]] NodeId stride(std::size_t axis) const { return strides_[axis]; }
    /// The coordinate of a node along an axis.
    [[nodiscard]] NodeId coordinate(NodeId node, std::size_t axis) const {
        return node / strides_[axis] % sides_[axis];
    }
    /// Whether lines along this axis are closed to cycles (torus with a side of at least 3).
    [[nodiscard]] bool closed(std::size_t axis) const {
        return shape_ == Shape::torus && sides_[axis] >= 3;
    }
    [[nodiscard]] std::uint64_t memory_bytes() const {
        return (sides_.capacity() + strides_.capacity()) * sizeof(NodeId) +
               inner_links_.capacity() * sizeof(LinkId);
    }

  private:
    /// Number of links whose smaller end is below `node`.
    [[nodiscard]] LinkId links_before(NodeId node) const;
    /// Number of larger neighbours along an axis of a node with this coordinate.
    [[nodiscard]] Port larger(std::size_t axis, NodeId coordinate) const;
    /// Number of smaller neighbours along an axis of a node with this coordinate.
    [[nodiscard]] Port smaller(std::size_t axis, NodeId coordinate) const;
    /// The number of links in one line of nodes along an axis.
    [[nodiscard]] LinkId links_of_line(std::size_t axis) const;

    std::vector<NodeId> sides_;
    std::vector<NodeId> strides_;
    /// Links inside a block of `strides_[axis]` consecutive nodes, by the later axes alone.
    std::vector<LinkId> inner_links_;
    Shape shape_ = Shape::mesh;
    NodeId node_count_ = 0;
    LinkId link_count_ = 0;
    Port degree_max_ = 0;
    Port degree_min_ = 0;
};

}  // namespace equipoise::network
