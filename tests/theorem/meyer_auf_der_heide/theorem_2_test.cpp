// Theorem 2(b), repaired. On boxes of any sides the weakly adaptive algorithm ends with discrepancy
// 1 after O(2^d (root + n)) steps, for all N and k; the faster one after O(d^2 (root + n)), and, as
// far as is seen, after O(d root + d^2 n). The constants are those observed, with some slack.

#include <gtest/gtest.h>

#include "equipoise/mesh/faster.hpp"
#include "equipoise/mesh/weak.hpp"
#include "tests/support/mesh_play.hpp"

namespace equipoise::test {
namespace {

struct Size {
    double dimension = 0;
    double side = 1;
    double root = 0;
};

Size size_of(const std::vector<NodeId>& sides, const load::Loads& loads) {
    const mesh::Box box(sides);
    Size size;
    size.dimension = static_cast<double>(box.dimension());
    size.side = box.side_max();
    const Tokens most = *std::max_element(loads.begin(), loads.end());
    if (box.dimension() > 0)
        size.root = static_cast<double>(mesh::root(box, load::total(loads), most));
    return size;
}

template <class Program>
void check(const char* name, const std::vector<NodeId>& sides, const load::Loads& loads,
           double unit, Worst& worst) {
    const MeshRun run = play_mesh(Program{}, sides, loads);
    ASSERT_EQ(load::total(run.loads), load::total(loads));
    ASSERT_LE(load::discrepancy(run.loads), 1) << describe(sides, loads);
    ASSERT_LE(static_cast<double>(run.steps()), 15 * unit) << describe(sides, loads);
    worst.note(name, mesh::Box(sides), static_cast<double>(run.steps()) / unit);
    const MeshRun fast = play_mesh(Program{}, sides, loads, engine::Body::fast);
    ASSERT_EQ(fast.loads, run.loads);
    ASSERT_EQ(fast.exchanges, run.exchanges);
    ASSERT_EQ(fast.messages, run.messages);
    ASSERT_EQ(fast.costs.distribution_steps, run.costs.distribution_steps);
    ASSERT_EQ(fast.costs.computation_steps, run.costs.computation_steps);
}

/// The steps, without a constant, of the theorem's bound for the weakly adaptive algorithm.
double weak_unit(const Size& size) {
    return std::exp2(size.dimension) * (size.root + size.side);
}

/// The same for the faster algorithm.
double faster_unit(const Size& size) {
    return size.dimension * size.root + size.dimension * size.dimension * size.side;
}

TEST(Theorem2MeshWeak, EndsWithDiscrepancyOneWithinTheStepsOnBoxesOfOneToFourDimensions) {
    RandomStream random(1, Purpose::sampling);
    Worst worst;
    for (int turn = 0; turn < 6; ++turn)
        for (const auto& sides : some_boxes()) {
            const load::Loads loads = random_mesh_loads(sides, random);
            check<mesh::Weak>("weak", sides, loads, weak_unit(size_of(sides, loads)), worst);
        }
}

TEST(Theorem2MeshFaster, EndsWithDiscrepancyOneWithinTheStepsOnBoxesOfOneToFourDimensions) {
    RandomStream random(2, Purpose::sampling);
    Worst worst;
    for (int turn = 0; turn < 6; ++turn)
        for (const auto& sides : some_boxes()) {
            const load::Loads loads = random_mesh_loads(sides, random);
            check<mesh::Faster>("faster", sides, loads, faster_unit(size_of(sides, loads)), worst);
        }
}

TEST(Theorem2Long, HoldsOnThousandsOfRandomBoxes) {
    RandomStream random(3, Purpose::sampling);
    Worst worst;
    for (int turn = 0; turn < 5000; ++turn) {
        const auto sides = random_sides(random);
        const load::Loads loads = random_mesh_loads(sides, random);
        const Size size = size_of(sides, loads);
        check<mesh::Weak>("weak", sides, loads, weak_unit(size), worst);
        check<mesh::Faster>("faster", sides, loads, faster_unit(size), worst);
    }
}

}  // namespace
}  // namespace equipoise::test
