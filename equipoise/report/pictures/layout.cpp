#include "equipoise/report/pictures/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/report/pictures/force_layout.hpp"
#include "equipoise/report/pictures/hypercube_layout.hpp"
#include "equipoise/report/pictures/spine_layout.hpp"
#include "equipoise/report/pictures/tree_layout.hpp"

namespace equipoise::report {

namespace {

using network::Network;
using network::Position;

constexpr NodeId grid_points_max = 400;

bool finite(const Position& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

/// Positions of a file: longitudes are shortened to the scale of the latitudes, nodes without a
/// position go to the middle of those that have one, and nodes at the same place are put in a small
/// ring around it. Empty when no node has a position.
std::vector<Position> from_file(const network::Labels& labels, NodeId node_count) {
    if (labels.positions.size() != node_count) return {};
    Position sum;
    double known = 0;
    Position least{1e300, 1e300};
    Position most{-1e300, -1e300};
    for (const Position& point : labels.positions) {
        if (!finite(point)) continue;
        known += 1;
        sum = {sum.x + point.x, sum.y + point.y};
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    if (known == 0) return {};
    const Position mean{sum.x / known, sum.y / known};
    const bool earth = least.x >= -180 && most.x <= 180 && least.y >= -90 && most.y <= 90;
    const double shorten =
        earth ? std::max(0.2, std::cos((least.y + most.y) / 2 * std::numbers::pi / 180)) : 1.0;
    std::vector<Position> positions;
    positions.reserve(node_count);
    for (const Position& point : labels.positions) {
        const Position place = finite(point) ? point : mean;
        positions.push_back({place.x * shorten, -place.y});
    }
    const double extent = std::max({(most.x - least.x) * shorten, most.y - least.y, 1e-6});
    std::vector<NodeId> order(node_count);
    std::iota(order.begin(), order.end(), NodeId{0});
    std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
        return std::pair(positions[a].x, positions[a].y) <
               std::pair(positions[b].x, positions[b].y);
    });
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && positions[order[end]] == positions[order[begin]])
            ++end;
        const auto together = static_cast<double>(end - begin);
        const double radius = std::min(0.3, 0.008 * together) * extent;
        for (std::size_t index = begin; end - begin > 1 && index < end; ++index) {
            const double angle =
                2 * std::numbers::pi * static_cast<double>(index - begin) / together;
            positions[order[index]].x += radius * std::cos(angle);
            positions[order[index]].y += radius * std::sin(angle);
        }
        begin = end;
    }
    return positions;
}

/// Coordinates row by row; a third axis runs slantwise into the depth.
std::vector<Position> grid_points(const std::vector<NodeId>& sides, NodeId node_count) {
    std::vector<Position> positions(node_count);
    const NodeId columns = sides.back();
    const NodeId rows = sides[sides.size() - 2];
    for (NodeId node = 0; node < node_count; ++node) {
        const double column = node % columns;
        const NodeId rows_before = node / columns % rows;
        const double row = rows_before;
        const NodeId layers_before = node / columns / rows;
        const double layer = layers_before;
        positions[node] = {column + 0.37 * layer, row - 0.29 * layer};
    }
    return positions;
}

/// The nodes of a cycle one after the other, or empty.
std::vector<NodeId> walk_around(const Network& network) {
    const NodeId count = network.node_count();
    if (count < 3 || network.degree_max() != 2 || network.degree_min() != 2) return {};
    std::vector<NodeId> order = {0, network.neighbour(0, 0)};
    while (order.size() <= count) {
        const NodeId node = order.back();
        const bool back = network.neighbour(node, 0) == order[order.size() - 2];
        const NodeId next = network.neighbour(node, back ? 1 : 0);
        if (next == 0) break;
        order.push_back(next);
    }
    if (order.size() != count) return {};
    return order;
}

std::vector<Position> circle(const std::vector<NodeId>& order) {
    std::vector<Position> positions(order.size());
    for (std::size_t index = 0; index < order.size(); ++index) {
        const double angle =
            2 * std::numbers::pi * static_cast<double>(index) / static_cast<double>(order.size());
        positions[order[index]] = {std::sin(angle), -std::cos(angle)};
    }
    return positions;
}

/// Swaps the axes of a drawing that is much higher than wide, since pictures are wide.
std::vector<Position> laid_down(std::vector<Position> positions) {
    constexpr double much = 1.5;
    Position least = positions.front();
    Position most = least;
    for (const Position& point : positions) {
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    if (most.y - least.y <= much * (most.x - least.x)) return positions;
    for (Position& point : positions)
        std::swap(point.x, point.y);
    return positions;
}

Drawing points(std::vector<Position> positions, std::string origin) {
    return {DrawingKind::points, std::move(positions), false, 0, 0, std::move(origin)};
}

}  // namespace

std::vector<NodeId> grid_sides(const network::Labels& labels, NodeId node_count) {
    if (!labels.origin.starts_with("mesh:") && !labels.origin.starts_with("torus:")) return {};
    try {
        const Spec spec = Spec::parse(labels.origin);
        std::vector<NodeId> sides;
        std::uint64_t product = 1;
        for (const std::uint64_t side : spec.sides(1, no_node)) {
            sides.push_back(static_cast<NodeId>(side));
            product *= side;
            if (product > node_count) return {};
        }
        if (product != node_count) return {};
        return sides;
    } catch (const InputError&) {
        return {};  // a file whose name begins like a spec
    }
}

Drawing draw_network(const network::Labels& labels, NodeId node_count,
                     std::span<const Ends> links) {
    const std::vector<NodeId> sides = grid_sides(labels, node_count);
    if (sides.size() == 2 && node_count > grid_points_max)
        return {DrawingKind::cells, {}, false, sides[0], sides[1], "one cell per node"};
    if (node_count > drawn_nodes_max)
        return {DrawingKind::ranks, {}, false, 0, 0, "loads in order"};

    if (std::vector<Position> given = from_file(labels, node_count); !given.empty())
        return points(std::move(given), "positions from the file");
    if (sides.size() == 2 || sides.size() == 3) {
        Drawing grid = points(laid_down(grid_points(sides, node_count)), "grid");
        grid.wraps = labels.origin.starts_with("torus:");
        return grid;
    }
    if (std::vector<Position> cube = hypercube_layout(node_count, links); !cube.empty())
        return points(std::move(cube), "hypercube");

    const Network network(node_count, std::vector<Ends>(links.begin(), links.end()));
    if (const std::vector<NodeId> order = walk_around(network); !order.empty())
        return points(circle(order), "cycle");
    if (std::vector<Position> line = spine_layout(network); !line.empty())
        return points(std::move(line), network.degree_max() <= 2 ? "path" : "path with branches");
    if (node_count > 3 &&
        network.link_count() == LinkId{node_count} * (LinkId{node_count} - 1) / 2) {
        std::vector<NodeId> order(node_count);
        std::iota(order.begin(), order.end(), NodeId{0});
        return points(circle(order), "complete graph");
    }
    if (std::vector<Position> tree = tree_layout(network); !tree.empty())
        return points(laid_down(std::move(tree)), "tree");
    return points(force_layout(network), "computed layout");
}

}  // namespace equipoise::report
