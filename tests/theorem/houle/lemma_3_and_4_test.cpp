// Lemma 3. For an arbitrary initial distribution on a graph G, the dimension-exchange algorithm
// under the THRESHOLD-2 protocol will determine a stable distribution.
//
// Lemma 4. A distribution on a graph G is stable under the THRESHOLD-2 protocol if and only if
// every edge of G has discrepancy at most one.

#include <gtest/gtest.h>

#include "equipoise/protocols/threshold.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/threshold_play.hpp"

namespace equipoise::test {
namespace {

TEST(Lemma3, Threshold2EndsWithARoundInWhichNothingMoves) {
    RandomStream random(4, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const load::Loads& loads : uneven_loads(nodes, 15, 5, random)) {
                auto schedule = model::colour_schedule(graph, random_colouring(graph, random));
                engine::RoundOptions options;
                options.stop.quiet_steps = schedule.period();
                // Every move lowers the sum of squares by two, so that moves are at most half of
                // it.
                Tokens squares = 0;
                for (const Tokens load : loads)
                    squares += load * load;
                options.stop.steps_max =
                    (static_cast<Step>(squares) / 2 + 1) * (schedule.period() + 1);
                const auto outcome =
                    engine::run_rounds(protocols::Threshold2{}, schedule, loads, graph, options);
                ASSERT_EQ(outcome.stopped_because, model::StopReason::quiet);
                ASSERT_LE(outcome.costs.exchanges, static_cast<std::uint64_t>(squares) / 2);
                ASSERT_LE(load::local_imbalance(graph, outcome.loads), 1);
            }
}

TEST(Lemma4, ARoundOfThreshold2KeepsTheLoadsExactlyWhenNoEdgeHasDiscrepancyTwo) {
    RandomStream random(5, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const auto& colouring : {greedy_colouring(graph), random_colouring(graph, random)})
                for_each_loads(nodes, 3, [&](const load::Loads& loads) {
                    Play<protocols::Threshold2> play({}, graph, colouring, loads);
                    const Tokens largest = play.steps_of(play.chi());
                    const bool flat = load::local_imbalance(graph, loads) <= 1;
                    // A token that moved lowered the sum of squares for good: the same loads never
                    // come back, so that one round decides stability.
                    EXPECT_EQ(play.copy() == loads && largest <= 1, flat);
                });
}

}  // namespace
}  // namespace equipoise::test
