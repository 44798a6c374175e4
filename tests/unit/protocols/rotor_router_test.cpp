#include "equipoise/protocols/rotor_router.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using protocols::RotorRouter;
using Variant = RotorRouter::Variant;

/// What a node with two links and this state deals out, by port; changes the state.
std::vector<Tokens> dealt(const RotorRouter& rule, Tokens load, RotorRouter::NodeState& state) {
    const std::vector<Tokens> neighbour_loads(2, 1000);
    const std::vector<Port> neighbour_degrees(2, 2);
    std::vector<Tokens> out(2, -1);
    rule.propose({load, 1, state, neighbour_loads, {}, neighbour_degrees, NodeId{0}, Step{0}, 1},
                 out);
    return out;
}

TEST(RotorRouter, GoesOnWhereItStopped) {
    const RotorRouter rule(2, Variant::plain);  // two links, two places of the node's own
    RotorRouter::NodeState state;
    EXPECT_EQ(dealt(rule, 1, state), (std::vector<Tokens>{1, 0}));
    EXPECT_EQ(dealt(rule, 1, state), (std::vector<Tokens>{0, 1}));
    EXPECT_EQ(dealt(rule, 3, state), (std::vector<Tokens>{1, 0}));
    EXPECT_EQ(state.next, 1);
    EXPECT_EQ(dealt(rule, 5, state), (std::vector<Tokens>{1, 2}));
    EXPECT_EQ(state.next, 2);
}

TEST(RotorRouter, KeepsTheCeilingOfItsShareInTheStarVariant) {
    const RotorRouter rule(2, Variant::star);  // D = 4, two links and one place in the rotor
    RotorRouter::NodeState state;
    EXPECT_EQ(dealt(rule, 1, state), (std::vector<Tokens>{0, 0}));
    EXPECT_EQ(state.next, 0);
    EXPECT_EQ(dealt(rule, 3, state), (std::vector<Tokens>{1, 1}));
    EXPECT_EQ(state.next, 2);
    EXPECT_EQ(dealt(rule, 4, state), (std::vector<Tokens>{1, 1}));
    EXPECT_EQ(state.next, 2);
    EXPECT_EQ(dealt(rule, 5, state), (std::vector<Tokens>{1, 1}));
}

TEST(RotorRouter, IsTheSameInThePlainAndInTheFastBody) {
    RandomStream random(8, Purpose::sampling);
    const network::Network graph = test::random_connected_graph(40, 60, random);
    load::Loads loads(40, 0);
    loads[3] = 900;
    for (const Variant variant : {Variant::plain, Variant::star}) {
        const RotorRouter rule(graph.degree_max(), variant);
        engine::RoundOptions options = test::steps(200, 4);
        const auto fast = engine::run_rounds(rule, loads, graph, options);
        options.body = engine::Body::reference;
        const auto plain = engine::run_rounds(rule, loads, graph, options);
        EXPECT_EQ(fast.loads, plain.loads);
        EXPECT_EQ(fast.costs, plain.costs);
        EXPECT_LE(load::discrepancy(fast.loads), 2 * Tokens{graph.degree_max()});
    }
}

}  // namespace
}  // namespace equipoise
