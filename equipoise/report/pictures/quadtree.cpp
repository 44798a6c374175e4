#include "equipoise/report/pictures/quadtree.hpp"

#include <algorithm>
#include <cmath>

namespace equipoise::report {

using network::Position;

Quadtree::Quadtree(std::span<const Position> points) : points_(points) {
    cells_.reserve(points.size() * 3 + 1);
    next_point_.assign(points.size(), none);
    Position least = points.empty() ? Position{} : points[0];
    Position most = least;
    for (const Position& point : points) {
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    const double side = std::max({most.x - least.x, most.y - least.y, 1e-9});
    cells_.push_back({});
    cells_[0].side = side;
    for (std::uint32_t point = 0; point < points.size(); ++point)
        insert(point, {least.x, least.y, side});
    for (Cell& cell : cells_) {
        if (cell.mass > 0) {
            cell.x /= cell.mass;
            cell.y /= cell.mass;
        }
    }
}

std::uint32_t Quadtree::quarter(const Position& point, Square& square) {
    const double half = square.side / 2;
    std::uint32_t child = 0;
    if (point.x >= square.x + half) {
        child += 1;
        square.x += half;
    }
    if (point.y >= square.y + half) {
        child += 2;
        square.y += half;
    }
    square.side = half;
    return child;
}

void Quadtree::split(std::uint32_t cell, const Square& square) {
    const auto first = static_cast<std::uint32_t>(cells_.size());
    cells_.resize(cells_.size() + 4);
    for (std::uint32_t child = first; child < first + 4; ++child)
        cells_[child].side = square.side / 2;
    const std::uint32_t moved = cells_[cell].first_point;
    cells_[cell].first_child = first;
    cells_[cell].first_point = none;
    Square inner = square;
    Cell& target = cells_[first + quarter(points_[moved], inner)];
    target.first_point = moved;
    target.mass = 1;
    target.x = points_[moved].x;
    target.y = points_[moved].y;
}

void Quadtree::insert(std::uint32_t point, Square square) {
    const Position& place = points_[point];
    std::uint32_t cell = 0;
    for (int depth = 0;; ++depth) {
        Cell& here = cells_[cell];
        const bool empty = here.mass == 0;
        here.mass += 1;
        here.x += place.x;
        here.y += place.y;
        if (here.first_child == none) {
            if (empty || depth >= depth_max) {
                next_point_[point] = here.first_point;
                here.first_point = point;
                return;
            }
            split(cell, square);
        }
        cell = cells_[cell].first_child + quarter(place, square);
    }
}

Position Quadtree::repulsion(std::uint32_t index, double near) const {
    constexpr std::size_t stack_max = 4 * (std::size_t{depth_max} + 2);
    constexpr double opening_squared = 0.9 * 0.9;
    const Position& place = points_[index];
    Position force;
    std::array<std::uint32_t, stack_max> stack{};
    std::size_t height = 0;
    const auto act = [&](double x, double y, double mass) {
        const double dx = place.x - x;
        const double dy = place.y - y;
        const double scale = mass / std::max(dx * dx + dy * dy, near * near);
        force.x += dx * scale;
        force.y += dy * scale;
    };
    stack[height++] = 0;
    while (height > 0) {
        const Cell& cell = cells_[stack[--height]];
        if (cell.mass == 0) continue;
        if (cell.first_child == none) {
            for (std::uint32_t other = cell.first_point; other != none; other = next_point_[other])
                if (other != index) act(points_[other].x, points_[other].y, 1);
            continue;
        }
        const double dx = place.x - cell.x;
        const double dy = place.y - cell.y;
        if (cell.side * cell.side < opening_squared * (dx * dx + dy * dy)) {
            act(cell.x, cell.y, cell.mass);
        } else {
            for (std::uint32_t child = 0; child < 4; ++child)
                stack[height++] = cell.first_child + child;
        }
    }
    return force;
}

}  // namespace equipoise::report
