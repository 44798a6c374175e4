#include "equipoise/report/pictures/hypercube_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace equipoise::report {

namespace {

using network::Position;

// The vectors of the dimensions. Sums of them are the nodes, so that what matters is how far these
// stay from each other and from the links; the last digits were found by search.
constexpr std::array<Position, 5> up_to_five = {Position{1, 0}, Position{0, 1},
                                                Position{0.59, -0.35}, Position{2.06, 0.51},
                                                Position{-0.47, 1.88}};
constexpr std::array<Position, 6> for_six = {Position{1, 0.04},     Position{0.52, 0.84},
                                             Position{1.88, -0.84}, Position{1.8, 1.67},
                                             Position{3.82, -0.76}, Position{0.25, 4.1}};

/// More dimensions: copies of the cube of six side by side and one below the other, then copies of
/// those, a little turned.
std::vector<Position> directions(std::size_t dimensions) {
    if (dimensions <= up_to_five.size())
        return {up_to_five.begin(), up_to_five.begin() + static_cast<std::ptrdiff_t>(dimensions)};
    std::vector<Position> result(for_six.begin(), for_six.end());
    result.push_back({10.6, 1.3});
    result.push_back({-1.5, 9.4});
    constexpr double longer = 2.15;
    constexpr double turn = 0.13;  // radians
    while (result.size() < dimensions) {
        const Position& before = result[result.size() - 2];
        result.push_back({longer * (before.x * std::cos(turn) - before.y * std::sin(turn)),
                          longer * (before.x * std::sin(turn) + before.y * std::cos(turn))});
    }
    result.resize(dimensions);
    return result;
}

}  // namespace

std::vector<Position> hypercube_layout(NodeId node_count, std::span<const Ends> links) {
    if (node_count < 4 || !std::has_single_bit(node_count)) return {};
    const auto dimensions = static_cast<std::size_t>(std::countr_zero(node_count));
    if (links.size() != dimensions * node_count / 2) return {};
    if (!std::all_of(links.begin(), links.end(),
                     [](const Ends& link) { return std::has_single_bit(link.tail ^ link.head); }))
        return {};
    const std::vector<Position> along = directions(dimensions);
    std::vector<Position> positions(node_count);
    for (NodeId node = 1; node < node_count; ++node) {
        const auto highest = static_cast<std::size_t>(std::bit_width(node)) - 1;
        const Position& before = positions[node ^ (NodeId{1} << highest)];
        positions[node] = {before.x + along[highest].x, before.y + along[highest].y};
    }
    return positions;
}

}  // namespace equipoise::report
