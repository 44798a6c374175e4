// Lemma 2. Suppose a distribution on a graph G is stable at time t under the THRESHOLD-2 or the
// THRESHOLD-1 protocol. Then at every time step after t, the discrepancy of every active edge is at
// most one.
//
// Stable at time t: the same loads come back at a later time t' = t (mod chi).

#include <gtest/gtest.h>

#include "equipoise/protocols/threshold.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/threshold_play.hpp"

namespace equipoise::test {
namespace {

/// Plays until the loads are stable, then once around the cycle they are on; from there everything
/// repeats for ever.
template <class R>
void check_cycle(const network::Network& graph, const network::EdgeColouring& colouring,
                 const load::Loads& loads) {
    Play<R> play({}, graph, colouring, loads);
    const std::size_t rounds = play.play_until_stable();
    ASSERT_LE(play.steps_of(rounds * play.chi()), 1);
}

template <class R>
void check_lemma_2() {
    RandomStream random(3, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const auto& colouring : {greedy_colouring(graph), random_colouring(graph, random)})
                for_each_loads(nodes, 2, [&](const load::Loads& loads) {
                    if (!testing::Test::HasFatalFailure()) check_cycle<R>(graph, colouring, loads);
                });
    for (const network::Network& graph : connected_graphs(6))
        for (const load::Loads& loads : uneven_loads(6, 9, 10, random)) {
            check_cycle<R>(graph, random_colouring(graph, random), loads);
            if (testing::Test::HasFatalFailure()) return;
        }
}

TEST(Lemma2, StableLoadsUnderThreshold1MeetNoActiveEdgeOfDiscrepancyTwo) {
    check_lemma_2<protocols::Threshold1>();
}

TEST(Lemma2, StableLoadsUnderThreshold2MeetNoActiveEdgeOfDiscrepancyTwo) {
    check_lemma_2<protocols::Threshold2>();
}

}  // namespace
}  // namespace equipoise::test
