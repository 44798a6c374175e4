// Theorem 2(a), repaired. Let k >= 2 ceil(N/n^d). Tokens that fill the corner cube of (N/k)^(1/d)
// cells a side with k each need at least root/(2d) steps, root = (N k^(d-1))^(1/d), by any
// algorithm. The printed condition k >= 2N/n^d is too weak.

#include <gtest/gtest.h>

#include "equipoise/mesh/faster.hpp"
#include "equipoise/mesh/weak.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "equipoise/theory/token_distribution.hpp"
#include "tests/support/mesh_play.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::test {
namespace {

/// k tokens in every cell of the corner cube of `a` cells a side.
load::Loads corner_loads(const std::vector<NodeId>& sides, NodeId a, Tokens k) {
    const network::Grid grid(sides, network::Grid::Shape::mesh);
    load::Loads loads(grid.node_count(), 0);
    for (NodeId cell = 0; cell < grid.node_count(); ++cell) {
        bool inside = true;
        for (std::size_t axis = 0; axis < sides.size(); ++axis)
            inside = inside && grid.coordinate(cell, axis) < a;
        if (inside) loads[cell] = k;
    }
    return loads;
}

Step static_bound(const std::vector<NodeId>& sides, const load::Loads& loads) {
    const network::Network network = stored_copy(network::Grid(sides, network::Grid::Shape::mesh));
    optimum::Problem problem;
    problem.network = &network;
    problem.loads = loads;
    problem.target = optimum::exact_up_to(loads, 0);
    return optimum::static_bound(problem).steps;
}

TEST(Theorem2LowerBound, HoldsForFullCornersOfCubes) {
    for (const auto& sides : std::vector<std::vector<NodeId>>{
             {16}, {31}, {6, 6}, {9, 9}, {12, 12}, {4, 4, 4}, {5, 5, 5}, {3, 3, 3, 3}})
        for (NodeId a = 1; a < sides.front(); ++a)
            for (const Tokens k : {2, 3, 8, 50}) {
                const load::Loads loads = corner_loads(sides, a, k);
                const Tokens total = load::total(loads);
                const mesh::Box box(sides);
                if (k < 2 * ceil_divide(total, box.cells())) continue;
                const auto bound = static_cast<double>(mesh::root(box, total, k)) /
                                   (2 * static_cast<double>(box.dimension()));
                const Step fewest = static_bound(sides, loads);
                ASSERT_GE(static_cast<double>(fewest), bound) << describe(sides, loads);
                ASSERT_GE(play_mesh(mesh::Weak{}, sides, loads).costs.distribution_steps, fewest);
                ASSERT_GE(play_mesh(mesh::Faster{}, sides, loads).costs.distribution_steps, fewest);
            }
}

TEST(Theorem2LowerBound, WithItsConstantIsMetByFullCornersOfCubes) {
    for (const auto& sides : std::vector<std::vector<NodeId>>{{16}, {9, 9}, {4, 4, 4}})
        for (NodeId a = 1; a < sides.front(); ++a)
            for (const Tokens k : {1, 2, 3, 8, 50}) {
                const load::Loads loads = corner_loads(sides, a, k);
                ASSERT_GE(
                    static_bound(sides, loads),
                    theory::weak_lower_bound(sides.front(), sides.size(), load::total(loads), k))
                    << describe(sides, loads);
            }
}

TEST(Theorem2LowerBound, DoesNotHoldUnderThePrintedCondition) {
    // One token in each cell of half a line: k = 1 = 2N/n, nothing to do, and root/2 = 4.
    const std::vector<NodeId> sides = {16};
    const load::Loads loads = corner_loads(sides, 8, 1);
    EXPECT_EQ(static_bound(sides, loads), 0U);
    EXPECT_EQ(mesh::root(mesh::Box(sides), 8, 1), 8);
}

}  // namespace
}  // namespace equipoise::test
