// Theorem 12: the maximum stable discrepancy of a tree under THRESHOLD-1 is MSD(T), attained by
// load(v) = stability(gap_c(s, v)) for any node s.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "tests/support/threshold_reference.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

Tokens msd_of(const network::Network& tree) {
    return static_cast<Tokens>(
        analysis::maximum_stable_discrepancy(analysis::stable_gaps(tree)).tokens);
}

void expect_attained(const network::Network& tree, const network::EdgeColouring& colouring,
                     RandomStream& random) {
    for (Colour start = 0; start < colouring.colour_count; ++start) {
        const auto source = static_cast<NodeId>(random.below(tree.node_count()));
        const auto loads = analysis::worst_stable_loads(tree, colouring, source, start);
        ASSERT_EQ(load::discrepancy(loads), msd_of(tree));
        ASSERT_TRUE(test::is_stable_when_played(tree, colouring, loads, start));
    }
}

TEST(Theorem12, WorstStableLoadsAreStableOnAllTreesUpToTenNodes) {
    RandomStream random(12, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 10; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            expect_attained(tree, network::colour_tree(tree), random);
            expect_attained(tree, test::random_tree_colouring(tree, tree.degree_max() + 1, random),
                            random);
        }
    }
}

TEST(Theorem12, NoStableLoadsUpToFourOnTreesUpToSevenNodesDifferByMore) {
    RandomStream random(13, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 7; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            const auto colouring = test::random_tree_colouring(tree, tree.degree_max(), random);
            Tokens worst = 0;
            load::Loads loads(nodes, 0);
            do {
                if (load::discrepancy(loads) > worst &&
                    test::is_stable_when_played(tree, colouring, loads, 0))
                    worst = load::discrepancy(loads);
            } while (test::next_loads(loads, 4));
            EXPECT_EQ(worst, msd_of(tree));
        }
    }
}

TEST(Theorem12, TheEngineLeavesWorstStableLoadsAsTheyAreForAWholeWindow) {
    RandomStream random(14, Purpose::sampling);
    for (int repetition = 0; repetition < 20; ++repetition) {
        const auto nodes = static_cast<NodeId>(20 + random.below(200));
        const auto tree = test::random_tree(nodes, random);
        const auto colouring = network::colour_tree(tree);
        const auto loads = analysis::worst_stable_loads(tree, colouring, nodes / 2);
        model::PeriodicSchedule schedule(colouring.classes(tree));
        engine::RoundOptions options;
        options.stop.stable_steps = network::stability_window(tree, colouring);
        const auto outcome =
            engine::run_rounds(protocols::Threshold1{}, schedule, loads, tree, options);
        EXPECT_EQ(outcome.loads, loads);
        EXPECT_EQ(outcome.costs.steps, *options.stop.stable_steps);
        EXPECT_EQ(outcome.stopped_because, model::StopReason::stable);
    }
}

}  // namespace
}  // namespace equipoise
