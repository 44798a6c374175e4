// Lemma 3, for submeshes with unequal sides. Let T be the two-sided off-line complexity, S a
// submesh, d the number of axes along which S is smaller than the mesh, m the least of its sides
// along these, L the load of a cell after balancing S with discrepancy 1. Then
// floor(floor(N/V) - 2dT/m) <= L <= ceil(ceil(N/V) + 2dT/m).

#include <gtest/gtest.h>

#include "equipoise/mesh/halving.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/mesh_play.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::test {
namespace {

Tokens fewest_steps_of_lemma(const std::vector<NodeId>& sides, const load::Loads& loads) {
    const network::Network network = stored_copy(network::Grid(sides, network::Grid::Shape::mesh));
    optimum::Problem problem;
    problem.network = &network;
    problem.loads = loads;
    problem.target = optimum::floor_or_ceiling(loads);
    return static_cast<Tokens>(optimum::minimum_steps(problem).at_least);
}

TEST(Lemma3, HoldsForTheSubmeshesOfAllHalvings) {
    RandomStream random(1, Purpose::sampling);
    std::size_t tight = 0;
    for (int turn = 0; turn < 60; ++turn) {
        const auto sides = random_sides(random);
        if (cells_of(sides) > 100) continue;
        const load::Loads loads = random_mesh_loads(sides, random);
        const Tokens steps = fewest_steps_of_lemma(sides, loads);
        const mesh::Box box(sides);
        const Tokens total = load::total(loads);
        const Tokens cells = box.cells();
        for (NodeId side = 1; side <= box.side_max(); ++side) {
            const mesh::Levels levels = mesh::deepest_levels(box, side);
            mesh::Part(box).for_each_part(mesh::Levels{}, levels, [&](const mesh::Part& part) {
                Tokens cut_axes = 0;
                Tokens m = tokens_max;
                for (std::size_t axis = 0; axis < box.dimension(); ++axis)
                    if (levels[axis] > 0) {
                        ++cut_axes;
                        m = std::min<Tokens>(m, part.side(axis));
                    }
                const Tokens inside = mesh::extremes(part.box(), loads).total;
                const Tokens size = part.box().cells();
                const Tokens drift = 2 * cut_axes * steps;
                const Tokens least = total / cells - ceil_divide(drift, m);
                const Tokens most = ceil_divide(total, cells) + ceil_divide(drift, m);
                ASSERT_GE(inside / size, least) << describe(sides, loads);
                ASSERT_LE(ceil_divide(inside, size), most) << describe(sides, loads);
                tight += inside / size == least || ceil_divide(inside, size) == most ? 1 : 0;
            });
        }
    }
    EXPECT_GT(tight, 0U);
}

}  // namespace
}  // namespace equipoise::test
