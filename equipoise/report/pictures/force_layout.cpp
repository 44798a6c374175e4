#include "equipoise/report/pictures/force_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

#include "equipoise/base/random.hpp"
#include "equipoise/report/pictures/quadtree.hpp"

namespace equipoise::report {

namespace {

using network::Network;
using network::Position;

constexpr std::size_t pivots_max = 50;
constexpr int iterations = 120;
constexpr std::uint64_t layout_seed = 1;

/// One connected component with its own numbers 0 .. size-1.
struct Component {
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> offsets = {0};
    std::vector<std::uint32_t> neighbours;

    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t node) const {
        return {neighbours.data() + offsets[node], offsets[node + 1] - offsets[node]};
    }
};

std::vector<Component> components_of(const Network& network) {
    std::vector<Component> components;
    std::vector<std::uint32_t> number(network.node_count(), no_node);
    for (NodeId start = 0; start < network.node_count(); ++start) {
        if (number[start] != no_node) continue;
        Component part;
        part.nodes.push_back(start);
        number[start] = 0;
        for (std::size_t next = 0; next < part.nodes.size(); ++next) {
            for (const NodeId other : network.neighbours(part.nodes[next])) {
                if (number[other] == no_node) {
                    number[other] = static_cast<std::uint32_t>(part.nodes.size());
                    part.nodes.push_back(other);
                }
                part.neighbours.push_back(number[other]);
            }
            part.offsets.push_back(static_cast<std::uint32_t>(part.neighbours.size()));
        }
        components.push_back(std::move(part));
    }
    std::stable_sort(components.begin(), components.end(),
                     [](const Component& a, const Component& b) { return a.size() > b.size(); });
    return components;
}

struct Extent {
    Position least, most;
};

Extent extent_of(const std::vector<Position>& positions) {
    Extent extent{positions.front(), positions.front()};
    for (const Position& point : positions) {
        extent.least = {std::min(extent.least.x, point.x), std::min(extent.least.y, point.y)};
        extent.most = {std::max(extent.most.x, point.x), std::max(extent.most.y, point.y)};
    }
    return extent;
}

void distances_from(const Component& part, std::uint32_t start, std::vector<std::uint32_t>& far) {
    far.assign(part.size(), no_node);
    std::vector<std::uint32_t> queue = {start};
    far[start] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const std::uint32_t other : part.row(queue[next])) {
            if (far[other] != no_node) continue;
            far[other] = far[queue[next]] + 1;
            queue.push_back(other);
        }
    }
}

/// The eigenvector of a symmetric matrix to its largest eigenvalue, orthogonal to `other`.
std::vector<double> leading_vector(const std::vector<double>& matrix, std::size_t size,
                                   const std::vector<double>& other, std::uint64_t subject) {
    RandomStream stream(layout_seed, Purpose::layout, subject);
    std::vector<double> vector(size);
    for (double& entry : vector)
        entry = stream.unit() - 0.5;
    std::vector<double> image(size);
    for (int round = 0; round < 100; ++round) {
        double along = 0;
        for (std::size_t i = 0; i < other.size(); ++i)
            along += other[i] * vector[i];
        for (std::size_t i = 0; i < other.size(); ++i)
            vector[i] -= along * other[i];
        double length = 0;
        for (std::size_t i = 0; i < size; ++i) {
            image[i] = 0;
            for (std::size_t j = 0; j < size; ++j)
                image[i] += matrix[i * size + j] * vector[j];
            length += image[i] * image[i];
        }
        length = std::sqrt(length);
        if (!(length > 1e-12)) {
            vector.assign(size, 0.0);
            return vector;
        }
        for (std::size_t i = 0; i < size; ++i)
            vector[i] = image[i] / length;
    }
    return vector;
}

/// Problem: first positions that show the overall shape. Distances from a few pivots, each as far
/// as possible from those before it, represent all distances.
/// Source: Brandes and Pich 2007, Eigensolver methods for progressive multidimensional scaling
/// (pivot MDS). The eigenvectors come from power iteration on the pivots' product matrix.
std::vector<Position> pivot_scaling(const Component& part) {
    const std::size_t count = part.size();
    const std::size_t pivots = std::min(pivots_max, count);
    std::vector<double> matrix(count * pivots);
    std::vector<std::uint32_t> nearest(count, no_node);
    std::vector<std::uint32_t> far;
    std::uint32_t pivot = 0;
    for (std::size_t column = 0; column < pivots; ++column) {
        distances_from(part, pivot, far);
        for (std::size_t node = 0; node < count; ++node) {
            const double distance = far[node];
            matrix[node * pivots + column] = distance * distance;
            nearest[node] = std::min(nearest[node], far[node]);
        }
        pivot = static_cast<std::uint32_t>(std::max_element(nearest.begin(), nearest.end()) -
                                           nearest.begin());
    }
    std::vector<double> column_mean(pivots, 0.0);
    double mean = 0;
    for (std::size_t node = 0; node < count; ++node)
        for (std::size_t column = 0; column < pivots; ++column)
            column_mean[column] += matrix[node * pivots + column] / static_cast<double>(count);
    for (const double value : column_mean)
        mean += value / static_cast<double>(pivots);
    std::vector<double> product(pivots * pivots, 0.0);
    for (std::size_t node = 0; node < count; ++node) {
        double* row = matrix.data() + node * pivots;
        double row_mean = 0;
        for (std::size_t column = 0; column < pivots; ++column)
            row_mean += row[column] / static_cast<double>(pivots);
        for (std::size_t column = 0; column < pivots; ++column)
            row[column] = -0.5 * (row[column] - row_mean - column_mean[column] + mean);
        for (std::size_t i = 0; i < pivots; ++i)
            for (std::size_t j = 0; j < pivots; ++j)
                product[i * pivots + j] += row[i] * row[j];
    }
    const std::vector<double> first = leading_vector(product, pivots, {}, 1);
    const std::vector<double> second = leading_vector(product, pivots, first, 2);
    std::vector<Position> positions(count);
    for (std::size_t node = 0; node < count; ++node) {
        for (std::size_t column = 0; column < pivots; ++column) {
            positions[node].x += matrix[node * pivots + column] * first[column];
            positions[node].y += matrix[node * pivots + column] * second[column];
        }
    }
    return positions;
}

/// Scales so that links are one unit long on average, and shakes so that no two nodes coincide.
void normalise(const Component& part, std::vector<Position>& positions) {
    double sum = 0;
    for (std::size_t node = 0; node < part.size(); ++node) {
        for (const std::uint32_t other : part.row(node))
            sum += std::hypot(positions[node].x - positions[other].x,
                              positions[node].y - positions[other].y);
    }
    const double scale = sum > 1e-9 ? static_cast<double>(part.neighbours.size()) / sum : 1.0;
    for (std::size_t node = 0; node < part.size(); ++node) {
        RandomStream stream(layout_seed, Purpose::layout, part.nodes[node], 1);
        const double angle = 2 * std::numbers::pi * stream.unit();
        const double shake = 0.2 + 0.4 * stream.unit();
        positions[node].x = positions[node].x * scale + shake * std::cos(angle);
        positions[node].y = positions[node].y * scale + shake * std::sin(angle);
    }
}

/// Problem: spread the nodes evenly. Links pull with the square of their length, every pair pushes
/// with the inverse of its distance; all nodes move at once, by steps that become shorter.
/// Source: Fruchterman and Reingold 1991; the strength 0.2 of the push after Hu 2005.
void relax(const Component& part, std::vector<Position>& positions) {
    constexpr double push = 0.2;
    const double cooling = std::pow(0.02, 1.0 / iterations);
    double step_max = 1.0;
    std::vector<Position> forces(part.size());
    for (int iteration = 0; iteration < iterations; ++iteration, step_max *= cooling) {
        const Quadtree tree(positions);
        for (std::size_t node = 0; node < part.size(); ++node) {
            Position force = tree.repulsion(static_cast<std::uint32_t>(node), 0.01);
            force = {force.x * push, force.y * push};
            for (const std::uint32_t other : part.row(node)) {
                const double dx = positions[other].x - positions[node].x;
                const double dy = positions[other].y - positions[node].y;
                const double length = std::hypot(dx, dy);
                force.x += dx * length;
                force.y += dy * length;
            }
            forces[node] = force;
        }
        for (std::size_t node = 0; node < part.size(); ++node) {
            const double length = std::hypot(forces[node].x, forces[node].y);
            if (!(length > 1e-12)) continue;
            const double step = std::min(length, step_max) / length;
            positions[node].x += forces[node].x * step;
            positions[node].y += forces[node].y * step;
        }
    }
}

/// Pushes nodes of a small network apart until any two are at least half of the typical distance of
/// neighbours in an even spread from each other, or as far as a fixed number of passes can.
void separate(std::vector<Position>& positions) {
    constexpr std::size_t nodes_max = 1000;
    constexpr int passes = 40;
    if (positions.size() > nodes_max) return;
    const auto [least, most] = extent_of(positions);
    const double area = std::max(1.0, (most.x - least.x) * (most.y - least.y));
    const double gap = 0.55 * std::sqrt(area / static_cast<double>(positions.size()));
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t a = 1; a < positions.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                double dx = positions[a].x - positions[b].x;
                const double dy = positions[a].y - positions[b].y;
                double length = std::hypot(dx, dy);
                if (length >= gap) continue;
                if (length < 1e-9) dx = length = 1e-9;
                const double push = 0.25 * (gap - length) / length;
                positions[a] = {positions[a].x + dx * push, positions[a].y + dy * push};
                positions[b] = {positions[b].x - dx * push, positions[b].y - dy * push};
            }
        }
    }
}

/// Turns the drawing so that its longest extent is horizontal.
void lay_flat(std::vector<Position>& positions) {
    Position mean;
    const auto count = static_cast<double>(positions.size());
    for (const Position& point : positions)
        mean = {mean.x + point.x / count, mean.y + point.y / count};
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const Position& point : positions) {
        xx += (point.x - mean.x) * (point.x - mean.x);
        xy += (point.x - mean.x) * (point.y - mean.y);
        yy += (point.y - mean.y) * (point.y - mean.y);
    }
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    for (Position& point : positions) {
        const double x = point.x - mean.x;
        const double y = point.y - mean.y;
        point = {x * cosine + y * sine, y * cosine - x * sine};
    }
}

std::vector<Position> lay_out(const Component& part) {
    if (part.size() == 1) return {Position{}};
    std::vector<Position> positions = pivot_scaling(part);
    normalise(part, positions);
    relax(part, positions);
    separate(positions);
    lay_flat(positions);
    return positions;
}

}  // namespace

std::vector<Position> force_layout(const Network& network) {
    std::vector<Position> result(network.node_count());
    const std::vector<Component> components = components_of(network);
    struct Box {
        std::vector<Position> positions;
        Extent extent;
        [[nodiscard]] double width() const { return extent.most.x - extent.least.x + 1; }
        [[nodiscard]] double height() const { return extent.most.y - extent.least.y + 1; }
    };
    std::vector<Box> boxes;
    double area = 0;
    for (const Component& part : components) {
        Box box{lay_out(part), {}};
        box.extent = extent_of(box.positions);
        area += box.width() * box.height();
        boxes.push_back(std::move(box));
    }
    if (boxes.empty()) return result;
    // Shelves: components from large to small, side by side, with a new row when the width is used
    // up.
    const double width = std::max(1.5 * std::sqrt(area), boxes[0].width());
    Position corner;
    double shelf = 0;
    for (std::size_t index = 0; index < boxes.size(); ++index) {
        const Box& box = boxes[index];
        if (corner.x > 0 && corner.x + box.width() > width) {
            corner = {0, corner.y + shelf};
            shelf = 0;
        }
        for (std::size_t node = 0; node < box.positions.size(); ++node) {
            result[components[index].nodes[node]] = {
                corner.x + box.positions[node].x - box.extent.least.x,
                corner.y + box.positions[node].y - box.extent.least.y};
        }
        corner.x += box.width();
        shelf = std::max(shelf, box.height());
    }
    return result;
}

}  // namespace equipoise::report
