// When THRESHOLD-1 has been quiet (no active edge of discrepancy two or more) for long enough to be
// quiet for ever.
//
// Lemma 8's proof: on a tree "there is some time t after which every active edge has discrepancy at
// most one. During the phase starting at t, the load of every observer will not change". So chi * n
// consecutive quiet steps decide on a tree. On other graphs they do not: 7 nodes, colours
// {0-2, 1-6} {1-4} {0-4, 3-6} {0-5} {0-1}, loads 0 1 1 1 1 2 1: quiet for 37 > chi n = 35 steps,
// then edge 0-4 has discrepancy two. chi times the largest common multiple of two observer cycles
// does.

#include <cstdlib>

#include <gtest/gtest.h>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/threshold_play.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::test {
namespace {

using protocols::Threshold1;

/// Plays until `window` consecutive quiet steps, then until the loads recur: no active edge may be
/// steep any more.
void check_window(const network::Network& graph, const network::EdgeColouring& colouring,
                  const load::Loads& loads, Step window) {
    Play<Threshold1> play({}, graph, colouring, loads);
    for (Step quiet = 0; quiet < window;)
        quiet = play.step() <= 1 ? quiet + 1 : 0;
    const load::Loads then = play.copy();
    do {
        ASSERT_LE(play.steps_of(play.chi()), 1);
    } while (play.copy() != then);
}

TEST(Stability, ChiTimesNQuietStepsDecideOnAllTreesUpToSevenNodes) {
    RandomStream random(13, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 7; ++nodes)
        for (const network::Network& tree : all_trees(nodes)) {
            const auto colouring = random_tree_colouring(tree, tree.degree_max() + 1, random);
            const Step window = Step{colouring.colour_count} * nodes;
            EXPECT_EQ(network::stability_window(tree, colouring), window);
            for_each_loads(nodes, nodes <= 5 ? 3 : 2, [&](const load::Loads& loads) {
                if (!HasFatalFailure()) check_window(tree, colouring, loads, window);
            });
        }
}

TEST(Stability, TheObserversWindowDecidesOnAllGraphsUpToSixNodes) {
    RandomStream random(14, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const auto& colouring :
                 {greedy_colouring(graph), random_colouring(graph, random)}) {
                const Step window = network::stability_window(graph, colouring);
                for_each_loads(nodes, nodes <= 5 ? 2 : 1, [&](const load::Loads& loads) {
                    if (!HasFatalFailure()) check_window(graph, colouring, loads, window);
                });
                for (const load::Loads& loads : uneven_loads(nodes, 8, 10, random)) {
                    check_window(graph, colouring, loads, window);
                    if (HasFatalFailure()) return;
                }
            }
}

TEST(Stability, ChiTimesNQuietStepsDoNotDecideOnOtherGraphs) {
    const network::Network graph(7, {{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 4}, {1, 6}, {3, 6}});
    const network::EdgeColouring colouring{5, {4, 0, 2, 3, 1, 0, 2}};
    Play<Threshold1> play({}, graph, colouring, {0, 1, 1, 1, 1, 2, 1});
    EXPECT_LE(play.steps_of(37), 1);
    EXPECT_EQ(std::abs(play.loads()[0] - play.loads()[4]), 2);
    EXPECT_EQ(play.step(), 2);
    EXPECT_GT(network::stability_window(graph, colouring), 37U);

    auto schedule = model::colour_schedule(graph, colouring);
    engine::RoundOptions options;
    options.stop.stable_steps = 35;
    EXPECT_EQ(engine::run_rounds(Threshold1{}, schedule, {0, 1, 1, 1, 1, 2, 1}, graph, options)
                  .costs.steps,
              35U);
    options.stop.stable_steps = network::stability_window(graph, colouring);
    const auto outcome =
        engine::run_rounds(Threshold1{}, schedule, {0, 1, 1, 1, 1, 2, 1}, graph, options);
    EXPECT_EQ(outcome.stopped_because, model::StopReason::stable);
    EXPECT_GT(outcome.costs.steps, 38U);
}

}  // namespace
}  // namespace equipoise::test
