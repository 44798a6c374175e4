// Observation 2. For an arbitrary distribution on a graph, under the THRESHOLD-2 or the THRESHOLD-1
// protocol, the function sum over v of load_t(v)^2 is non-increasing with t.
//
// Observation 3. For an arbitrary distribution on a graph, the maximum load is non-increasing and
// the minimum load is non-decreasing with time, under the THRESHOLD-2 or the THRESHOLD-1 protocol.
//
// Beside Observation 2 the paper notes: across an active edge of discrepancy at least two the sum
// of squares falls by at least two; across others it does not change.

#include <algorithm>

#include <gtest/gtest.h>

#include "equipoise/protocols/threshold.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/threshold_play.hpp"

namespace equipoise::test {
namespace {

template <class R>
void check_steps(const network::Network& graph, const network::EdgeColouring& colouring,
                 const load::Loads& loads) {
    Play<R> play({}, graph, colouring, loads);
    const Step steps = 3 * play.chi();
    for (Step i = 0; i < steps; ++i) {
        const load::Loads before = play.copy();
        const Tokens largest = play.step();
        const Int128 fall = load::potential(before) - load::potential(play.loads());
        if (largest >= 2)
            ASSERT_GE(fall, Int128{2} * graph.node_count());
        else
            ASSERT_EQ(fall, 0);
        ASSERT_LE(*std::max_element(play.loads().begin(), play.loads().end()),
                  *std::max_element(before.begin(), before.end()));
        ASSERT_GE(*std::min_element(play.loads().begin(), play.loads().end()),
                  *std::min_element(before.begin(), before.end()));
    }
}

template <class R>
void check_observations() {
    RandomStream random(2, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            for (const auto& colouring : {greedy_colouring(graph), random_colouring(graph, random)})
                for (const load::Loads& loads : uneven_loads(nodes, 7, 20, random)) {
                    check_steps<R>(graph, colouring, loads);
                    if (testing::Test::HasFatalFailure()) return;
                }
}

TEST(Observations2And3, Threshold1NeverRaisesTheSumOfSquaresNorWidensTheExtremes) {
    check_observations<protocols::Threshold1>();
}

TEST(Observations2And3, Threshold2NeverRaisesTheSumOfSquaresNorWidensTheExtremes) {
    check_observations<protocols::Threshold2>();
}

}  // namespace
}  // namespace equipoise::test
