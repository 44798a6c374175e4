// docs/results/stateless-diffusion.md, what the rotor-router keeps.
//
// Theorem 3. On every bipartite network whose nodes have the same degree d, the rotor-router with d
// own places comes back to a discrepancy of 2 d in every second round, for ever.
// The numbers for tiny networks are the largest discrepancies of all states that recur.

#include "equipoise/analysis/rotor_states.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/generators/hypercubic.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/protocols/rotor_router.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/played_rule.hpp"

namespace equipoise::test::rotor_states {
namespace {

using analysis::recurrent_rotor_states;
using analysis::RecurrentRotorStates;
using analysis::rotor_ports;
using protocols::RotorRouter;
using Play = PlayedRule<RotorRouter>;

RotorRouter plain(const network::Network& network) {
    return {network.degree_max(), RotorRouter::Variant::plain};
}

network::Network complete_bipartite(NodeId side) {
    std::vector<Ends> links;
    for (NodeId tail = 0; tail < side; ++tail)
        for (NodeId head = side; head < 2 * side; ++head)
            links.push_back({tail, head});
    return {2 * side, std::move(links)};
}

network::Network torus(NodeId rows, NodeId columns) {
    const network::AnyNetwork grid(network::Grid({rows, columns}, network::Grid::Shape::torus));
    return {grid.node_count(), network::all_links(grid)};
}

/// The state of Theorem 3: one side holds 2 d tokens a node, and its rotors begin with the links.
Play::Moment swinging(const network::Network& network) {
    const auto sides = network::bipartition(network).sides;
    Play::Moment moment;
    const Tokens degree = network.degree_max();
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const bool full = sides[node] == 0;
        moment.loads.push_back(full ? 2 * degree : 0);
        moment.states.push_back({full ? 0 : degree});
    }
    return moment;
}

TEST(RotorRouterTheorem3, ComesBackToTwiceTheDegreeOnBipartiteRegularNetworks) {
    std::vector<network::Network> networks;
    for (const NodeId nodes : {4U, 6U, 10U, 64U})
        networks.push_back(network::make_cycle(nodes));
    for (const NodeId side : {1U, 2U, 3U, 4U, 7U})
        networks.push_back(complete_bipartite(side));
    for (const unsigned dimension : {1U, 2U, 3U, 4U, 8U})
        networks.push_back(network::make_hypercube(dimension));
    networks.push_back(torus(4, 4));
    networks.push_back(torus(6, 8));
    for (const network::Network& network : networks) {
        Play play(plain(network), network);
        const Play::Moment start = swinging(network);
        Play::Moment at = start;
        const Tokens twice = 2 * Tokens{network.degree_max()};
        for (const Tokens expected : {twice, Tokens{0}, twice, Tokens{0}}) {
            EXPECT_EQ(load::discrepancy(at.loads), expected);
            play.round(at);
        }
        EXPECT_EQ(at, start);
    }
}

/// The states that recur on a triangle, by playing all loads and all rotors. Loads of D tokens a
/// node or more on average, for every number of tokens modulo n D: a state of discrepancy D or less
/// then has no load below 0.
std::size_t recurring_on_a_triangle(const network::Network& triangle) {
    constexpr Tokens ports = 4;
    constexpr NodeId nodes = 3;
    Play play(plain(triangle), triangle);
    std::size_t recurring = 0;
    for (Tokens tokens = ports * nodes; tokens < 2 * ports * nodes; ++tokens) {
        std::vector<std::vector<Tokens>> states;  // loads, then rotors
        for_all_loads(nodes, tokens, [&](const std::vector<Tokens>& loads) {
            for (Tokens turn = 0; turn < ports * ports * ports; ++turn)
                states.push_back({loads[0], loads[1], loads[2], turn % ports, turn / ports % ports,
                                  turn / ports / ports});
        });
        while (true) {
            std::vector<std::vector<Tokens>> after;
            for (const auto& state : states) {
                Play::Moment at{{state[0], state[1], state[2]},
                                {{state[3]}, {state[4]}, {state[5]}}};
                play.round(at);
                after.push_back({at.loads[0], at.loads[1], at.loads[2], at.states[0].next,
                                 at.states[1].next, at.states[2].next});
            }
            std::sort(after.begin(), after.end());
            after.erase(std::unique(after.begin(), after.end()), after.end());
            std::sort(states.begin(), states.end());
            if (after == states) break;
            states = std::move(after);
        }
        recurring += states.size();
    }
    return recurring;
}

TEST(RotorStates, AreAsManyAsComeBackWhenAllLoadsAndRotorsOfATriangleArePlayed) {
    const network::Network triangle = network::make_cycle(3);
    EXPECT_EQ(recurrent_rotor_states(rotor_ports(triangle)).count,
              recurring_on_a_triangle(triangle));
}

/// The largest discrepancy, after playing the state that has it until it comes back.
Tokens kept(const network::Network& network) {
    const RecurrentRotorStates found = recurrent_rotor_states(rotor_ports(network));
    Play::Moment start{found.loads, {}};
    for (const std::uint32_t next : found.rotors)
        start.states.push_back({Tokens{next}});
    EXPECT_EQ(load::discrepancy(found.loads), found.discrepancy);
    Play play(plain(network), network);
    Play::Moment at = start;
    int rounds = 0;
    do
        play.round(at);
    while (at != start && ++rounds < 10'000);
    EXPECT_EQ(at, start);
    return found.discrepancy;
}

TEST(RotorStates, KeepAtMostThreeOnATriangleAndFourOnRingsOfFourAndFiveAndOnFourThatAreAllLinked) {
    EXPECT_EQ(kept(network::make_cycle(3)), 3);
    EXPECT_EQ(kept(network::make_cycle(4)), 4);
    EXPECT_EQ(kept(network::make_cycle(5)), 4);
    EXPECT_EQ(kept(network::make_complete(4)), 4);
}

TEST(RotorStatesLong, KeepAtMostFourOnARingOfSix) {
    EXPECT_EQ(kept(network::make_cycle(6)), 4);
}

/// Links and own places in turn: link, own, link, own.
analysis::RotorPorts in_turn(analysis::RotorPorts ports) {
    for (auto& of_node : ports) {
        const std::size_t degree = of_node.size() / 2;
        analysis::RotorPorts::value_type turned;
        for (std::size_t port = 0; port < degree; ++port) {
            turned.push_back(of_node[port]);
            turned.push_back(of_node[degree + port]);
        }
        of_node = std::move(turned);
    }
    return ports;
}

/// With every order of the two links at every node.
TEST(RotorStates, KeepOneLessOnRingsOfThreeAndFourIfLinksAndOwnPlacesTakeTurns) {
    for (const NodeId nodes : {3U, 4U}) {
        Tokens most = 0;
        Tokens most_in_turn = 0;
        for (std::uint32_t order = 0; order < 1U << nodes; ++order) {
            analysis::RotorPorts ports = rotor_ports(network::make_cycle(nodes));
            for (NodeId node = 0; node < nodes; ++node)
                if ((order >> node & 1U) != 0) std::swap(ports[node][0], ports[node][1]);
            most = std::max(most, recurrent_rotor_states(ports).discrepancy);
            most_in_turn =
                std::max(most_in_turn, recurrent_rotor_states(in_turn(ports)).discrepancy);
        }
        EXPECT_EQ(most, nodes == 3 ? 3 : 4);
        EXPECT_EQ(most_in_turn, most - 1);
    }
}

TEST(RotorStates, AreRefusedForOtherPortsAndForNetworksThatAreTooLarge) {
    EXPECT_THROW((void)recurrent_rotor_states({}), UnsuitableError);
    EXPECT_THROW((void)recurrent_rotor_states({{1, 0}, {0, 1}, {2}}), UnsuitableError);
    EXPECT_THROW((void)recurrent_rotor_states({{0, 0}, {1, 1}}), UnsuitableError);
    EXPECT_THROW((void)rotor_ports(network::make_path(3)), UnsuitableError);
    EXPECT_THROW((void)recurrent_rotor_states(rotor_ports(network::make_hypercube(3))),
                 UnsuitableError);
    EXPECT_THROW((void)recurrent_rotor_states(rotor_ports(network::make_cycle(9))),
                 UnsuitableError);
}

}  // namespace
}  // namespace equipoise::test::rotor_states
