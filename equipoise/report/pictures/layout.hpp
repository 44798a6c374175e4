#pragma once
// Where the nodes of a network are drawn.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::report {

/// How a network is shown.
enum class DrawingKind : std::uint8_t {
    points,  ///< nodes at positions, with their links
    cells,   ///< a plane grid as an image, one cell a node
    ranks,   ///< too large to draw: loads in descending order
};

struct Drawing {
    DrawingKind kind = DrawingKind::points;
    /// Positions of all nodes; x grows to the right, y downwards. Only for points.
    std::vector<network::Position> positions;
    /// Whether links between nodes more than one unit apart lead around the torus.
    bool wraps = false;
    /// Only for cells; node = row * columns + column.
    NodeId rows = 0;
    NodeId columns = 0;
    /// The origin of the positions, in words.
    std::string origin;
};

/// Largest network that is drawn as points.
inline constexpr NodeId drawn_nodes_max = 20'000;

/// How to draw a network of `node_count` nodes with these links.
///
/// In this order: a plane mesh or torus (by the spec in `labels.origin`) of more than 400 nodes as
/// cells; positions of the labels; grids of up to three dimensions, hypercubes, cycles, paths and
/// trees that are nearly paths, complete graphs and shallow trees in their natural form; any other
/// network by `force_layout`. The same input always gives the same drawing. Links of a network that
/// is drawn as cells or ranks are not read.
[[nodiscard]] Drawing draw_network(const network::Labels& labels, NodeId node_count,
                                   std::span<const Ends> links);

/// The sides of the mesh or torus that `labels.origin` names; empty if it names none.
[[nodiscard]] std::vector<NodeId> grid_sides(const network::Labels& labels, NodeId node_count);

}  // namespace equipoise::report
