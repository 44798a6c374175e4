#pragma once
// Mesh programs on boxes, played step by step by the engine, which checks every move.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/moves.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::test {

struct MeshRun {
    load::Loads loads;
    engine::MoveCosts costs;
    std::uint64_t exchanges = 0;
    std::uint64_t messages = 0;

    [[nodiscard]] Step steps() const { return costs.distribution_steps + costs.computation_steps; }
};

/// Plays a program by the reference body (every move is checked) or by the fast one.
template <class Program>
MeshRun play_mesh(const Program& program, const std::vector<NodeId>& sides,
                  const load::Loads& loads, engine::Body body = engine::Body::reference) {
    const network::AnyNetwork network(network::Grid(sides, network::Grid::Shape::mesh));
    engine::RoundOptions options;
    options.body = body;
    MeshRun run;
    const auto outcome =
        engine::run_moves(program, mesh::Box(sides), network, loads, options, run.costs);
    run.loads = outcome.loads;
    run.exchanges = outcome.costs.exchanges;
    run.messages = outcome.costs.messages;
    return run;
}

/// The largest ratios seen, by name and dimension: properties of the running test.
class Worst {
  public:
    void note(const std::string& name, const mesh::Box& box, double ratio) {
        double& largest = largest_[name + "_" + std::to_string(box.dimension())];
        largest = std::max(largest, ratio);
    }
    Worst() = default;
    Worst(const Worst&) = delete;
    Worst& operator=(const Worst&) = delete;
    ~Worst() {
        for (const auto& [name, ratio] : largest_)
            ::testing::Test::RecordProperty(name, std::to_string(ratio));
    }

  private:
    std::map<std::string, double> largest_;
};

inline std::string describe(const std::vector<NodeId>& sides, const load::Loads& loads) {
    std::string text = "sides";
    for (const NodeId side : sides)
        text += ' ' + std::to_string(side);
    text += ", loads";
    for (const Tokens load : loads)
        text += ' ' + std::to_string(load);
    return text;
}

/// Boxes of 1 to 4 dimensions: sides of 1, primes, powers of two, unequal ones.
inline std::vector<std::vector<NodeId>> some_boxes() {
    return {{1},          {2},         {3},          {7},          {16},         {61},
            {1, 1},       {2, 2},      {5, 5},       {8, 8},       {13, 13},     {1, 9},
            {9, 1},       {2, 31},     {31, 2},      {7, 11},      {16, 12},     {3, 1, 3},
            {2, 2, 2},    {3, 3, 3},   {4, 4, 4},    {5, 5, 5},    {2, 3, 7},    {7, 3, 2},
            {4, 1, 8},    {8, 8, 8},   {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {2, 5, 3, 1},
            {4, 4, 4, 4}, {2, 3, 4, 5}};
}

/// Sides of a random box of 1 to 4 dimensions with at most 729 cells.
inline std::vector<NodeId> random_sides(RandomStream& random) {
    std::vector<NodeId> sides(1 + random.below(4));
    for (NodeId& side : sides)
        side = 1 + static_cast<NodeId>(random.below(sides.size() == 1   ? 100
                                                    : sides.size() == 2 ? 24
                                                    : sides.size() == 3 ? 9
                                                                        : 5));
    return sides;
}

inline NodeId cells_of(const std::vector<NodeId>& sides) {
    NodeId cells = 1;
    for (const NodeId side : sides)
        cells *= side;
    return cells;
}

/// One of several kinds of loads: in a corner, in a block, on few cells, on all cells evenly or
/// nearly so, in one slice, or one token missing from a level box.
inline load::Loads random_mesh_loads(const std::vector<NodeId>& sides, RandomStream& random) {
    const NodeId cells = cells_of(sides);
    const network::Grid grid(sides, network::Grid::Shape::mesh);
    load::Loads loads(cells, 0);
    const auto most = Tokens{1} << random.below(9);
    const auto any = [&] {
        return static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most) + 1));
    };
    switch (random.below(7)) {
        case 0:
            loads[0] = any() * cells / 4;
            break;
        case 1:
            for (NodeId cell = 0; cell < cells; ++cell) {
                bool inside = true;
                for (std::size_t axis = 0; axis < sides.size(); ++axis)
                    inside = inside && 2 * grid.coordinate(cell, axis) <= sides[axis];
                if (inside) loads[cell] = most;
            }
            break;
        case 2:
            for (Tokens& load : loads)
                if (random.below(8) == 0) load = any();
            break;
        case 3:
            for (Tokens& load : loads)
                load = any();
            break;
        case 4:
            for (Tokens& load : loads)
                load = most + static_cast<Tokens>(random.below(4));
            break;
        case 5:
            for (NodeId cell = 0; cell < cells; ++cell)
                if (grid.coordinate(cell, sides.size() - 1) == 0) loads[cell] = most;
            break;
        default:
            std::fill(loads.begin(), loads.end(), most);
            loads[random.below(cells)] -= std::min<Tokens>(most, cells - 1);
    }
    return loads;
}

}  // namespace equipoise::test
