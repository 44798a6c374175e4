#include "equipoise/report/pictures/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/report/pictures/force_layout.hpp"
#include "equipoise/report/pictures/tree_layout.hpp"

namespace equipoise::report {

namespace {

using network::Network;
using network::Position;

constexpr NodeId grid_points_max = 400;
constexpr NodeId straight_path_max = 24;

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

/// The dimension of the small hypercube that `labels.origin` names, otherwise 0.
NodeId small_hypercube(const network::Labels& labels, NodeId node_count) {
    constexpr NodeId dimensions_max = 4;
    for (NodeId d = 2; d <= dimensions_max; ++d)
        if (labels.origin == "hypercube:d=" + std::to_string(d) && node_count == NodeId{1} << d)
            return d;
    return 0;
}

/// A square, a cube seen from the side, or two such cubes.
std::vector<Position> hypercube_points(NodeId node_count) {
    std::vector<Position> positions(node_count);
    for (NodeId node = 0; node < node_count; ++node) {
        const auto bit = [&](NodeId place) { return static_cast<double>((node >> place) & 1U); };
        positions[node] = {bit(0) + 0.45 * bit(2) + 1.9 * bit(3),
                           bit(1) - 0.45 * bit(2) - 0.22 * bit(3)};
    }
    return positions;
}

/// The nodes of a path or cycle one after the other from a suitable end, or empty.
std::vector<NodeId> walk_along(const Network& network) {
    const NodeId count = network.node_count();
    if (count < 2 || network.degree_max() > 2) return {};
    NodeId start = 0;
    for (NodeId node = count; node-- > 0;)
        if (network.degree(node) == 1) start = node;
    std::vector<NodeId> order = {start};
    std::vector<bool> seen(count, false);
    seen[start] = true;
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (const NodeId other : network.neighbours(order[next])) {
            if (seen[other]) continue;
            seen[other] = true;
            order.push_back(other);
            break;
        }
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

/// Draws a short path as a line, a long one running back and forth.
std::vector<Position> lines(const std::vector<NodeId>& order) {
    const std::size_t count = order.size();
    const std::size_t columns =
        count <= straight_path_max
            ? count
            : static_cast<std::size_t>(std::ceil(std::sqrt(1.6 * static_cast<double>(count))));
    std::vector<Position> positions(count);
    for (std::size_t index = 0; index < count; ++index) {
        const std::size_t row = index / columns;
        const std::size_t column = index % columns;
        positions[order[index]] = {
            static_cast<double>(row % 2 == 0 ? column : columns - 1 - column),
            static_cast<double>(row)};
    }
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
        Drawing grid = points(grid_points(sides, node_count), "grid");
        grid.wraps = labels.origin.starts_with("torus:");
        return grid;
    }
    if (small_hypercube(labels, node_count) > 0)
        return points(hypercube_points(node_count), "hypercube");

    const Network network(node_count, std::vector<Ends>(links.begin(), links.end()));
    if (const std::vector<NodeId> order = walk_along(network); !order.empty()) {
        if (network.degree_min() == 2 && node_count > 2) return points(circle(order), "cycle");
        return points(lines(order), "path");
    }
    if (node_count > 3 &&
        network.link_count() == LinkId{node_count} * (LinkId{node_count} - 1) / 2) {
        std::vector<NodeId> order(node_count);
        std::iota(order.begin(), order.end(), NodeId{0});
        return points(circle(order), "complete graph");
    }
    if (std::vector<Position> tree = tree_layout(network); !tree.empty())
        return points(std::move(tree), "tree");
    return points(force_layout(network), "computed layout");
}

}  // namespace equipoise::report
