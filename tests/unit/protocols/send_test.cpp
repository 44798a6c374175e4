#include "equipoise/protocols/send.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::Nothing;
using protocols::Send;

/// What a node with `load` tokens and three links sends, by port.
std::vector<Tokens> sent(const Send& rule, Tokens load) {
    Nothing state;
    const std::vector<Tokens> neighbour_loads(3, 1000);
    const std::vector<Port> neighbour_degrees(3, 4);
    std::vector<Tokens> out(3, -1);
    rule.propose({load, 1, state, neighbour_loads, {}, neighbour_degrees, NodeId{0}, Step{0}, 1},
                 out);
    return out;
}

TEST(Send, SendsItsLoadOverDRoundedThroughEachPort) {
    for (Tokens divisor = 1; divisor <= 12; ++divisor)
        for (Tokens load = 0; load <= 60; ++load) {
            const std::vector<Tokens> floors = sent(Send::floor(divisor), load);
            const std::vector<Tokens> rounds = sent(Send::round(divisor), load);
            for (std::size_t port = 0; port < 3; ++port) {
                EXPECT_EQ(floors[port], load / divisor);
                EXPECT_EQ(rounds[port], (2 * load + divisor) / (2 * divisor));
            }
        }
}

TEST(Send, KeepsLoadsFromFallingBelowZero) {
    RandomStream random(6, Purpose::sampling);
    for (int run = 0; run < 40; ++run) {
        const network::Network graph = test::random_connected_graph(20, 15, random);
        const load::Loads loads = test::random_loads(20, 40, random);
        const Tokens degree = graph.degree_max();
        for (const Send& rule : {Send::floor(degree), Send::floor(2 * degree),
                                 Send::round(2 * degree), Send::round(3 * degree)}) {
            engine::DealRounds rounds(rule, loads, graph, test::steps(0, 17));
            for (int step = 0; step < 100; ++step) {
                rounds.step();
                EXPECT_EQ(load::total(rounds.loads()), load::total(loads));
                EXPECT_GE(*std::min_element(rounds.loads().begin(), rounds.loads().end()), 0);
            }
        }
    }
}

TEST(Send, RaisesNoLoadFurtherThanItSays) {
    RandomStream random(7, Purpose::sampling);
    for (int run = 0; run < 200; ++run) {
        const network::Network graph = test::random_connected_graph(12, 10, random);
        const load::Loads loads = test::random_loads(12, 50, random);
        const Tokens most = *std::max_element(loads.begin(), loads.end());
        const Tokens degree = graph.degree_max();
        for (const Send& rule : {Send::floor(degree), Send::round(2 * degree)}) {
            engine::DealRounds rounds(rule, loads, graph, test::steps(0, 17));
            for (int step = 0; step < 30; ++step) {
                rounds.step();
                EXPECT_LE(*std::max_element(rounds.loads().begin(), rounds.loads().end()),
                          most + rule.rises_most());
            }
        }
    }
}

/// Plays the same steps in a body and returns loads and costs.
auto played(const Send& rule, const network::Network& graph, const load::Loads& loads,
            engine::Body body, Step rounds = 50) {
    engine::RoundOptions options = test::steps(rounds, 4);
    options.body = body;
    return engine::run_rounds(rule, loads, graph, options);
}

void expect_the_same_in_all_bodies(const Send& rule, const network::Network& graph,
                                   const load::Loads& loads) {
    const auto plain = played(rule, graph, loads, engine::Body::reference);
    for (const engine::Body body : {engine::Body("announced"), engine::Body("pushed")}) {
        const auto fast = played(rule, graph, loads, body);
        EXPECT_EQ(fast.loads, plain.loads);
        EXPECT_EQ(fast.costs, plain.costs);
    }
}

TEST(Send, IsTheSameInEveryBody) {
    RandomStream random(8, Purpose::sampling);
    for (const Tokens most : {Tokens{90}, Tokens{0xffff}, (Tokens{1} << 23U) - 1})
        for (int run = 0; run < 10; ++run) {
            const network::Network graph = test::random_connected_graph(30, 12, random);
            load::Loads loads = test::random_loads(30, 5, random);
            for (Tokens& load : loads)
                load = most - load;
            const Tokens degree = graph.degree_max();
            expect_the_same_in_all_bodies(Send::floor(2 * degree), graph, loads);
            expect_the_same_in_all_bodies(Send::round(3 * degree), graph, loads);
        }
}

/// The words that hold loads in announcements end at these numbers, multiples of these D: the hub
/// of a star, one below them, gets a token from every leaf.
TEST(Send, IsTheSameInEveryBodyWhereALoadRisesBeyondItsWord) {
    std::vector<Ends> links;
    for (NodeId leaf = 1; leaf <= 8; ++leaf)
        links.push_back({0, leaf});
    const network::Network star(9, std::move(links));
    for (const auto& [most, divisor] :
         {std::pair<Tokens, Tokens>{0xffff, 17}, {(Tokens{1} << 23U) - 1, 47}}) {
        load::Loads loads(9, most);
        loads[0] = most - 1;
        const auto once = played(Send::floor(divisor), star, loads, engine::Body::reference, 1);
        EXPECT_EQ(once.loads[0], most - 1 + 8);
        expect_the_same_in_all_bodies(Send::floor(divisor), star, loads);
    }
}

TEST(Send, LevelsATorusToLessThanTwiceTheDegree) {
    const network::Network torus = test::torus(8, 8);
    const auto run =
        engine::run_rounds(Send::floor(8), test::loads_8x8(), torus, test::steps(1000));
    EXPECT_LE(load::discrepancy(run.loads), 7);
}

}  // namespace
}  // namespace equipoise
