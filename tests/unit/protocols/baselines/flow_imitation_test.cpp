#include "equipoise/protocols/baselines/flow_imitation.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "equipoise/model/run/colour_schedule.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using protocols::baselines::FlowImitation;
using Rounding = FlowImitation::Rounding;

constexpr Tokens one = FlowImitation::one;

void expect_invariants(const network::Network& graph, const load::Loads& loads, Rounding rounding,
                       int steps) {
    model::AllLinks schedule(graph);
    engine::EdgeRounds rounds(FlowImitation(rounding), schedule, loads, graph, test::steps(0, 9));
    for (int step = 0; step < steps; ++step) {
        rounds.step();
        Tokens ideal = 0;
        Tokens dummies = 0;
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            const auto& state = rounds.node_states()[node];
            ideal += state.ideal;
            dummies += state.dummies;
            EXPECT_GE(rounds.loads()[node], 0);
            EXPECT_GE(state.dummies, 0);
            const Tokens apart = (rounds.loads()[node] - state.dummies) * one - state.ideal;
            EXPECT_LT(std::abs(apart), Tokens{graph.degree(node)} * one);
            if (rounding == Rounding::towards_zero) {
                EXPECT_LT(std::abs(rounds.loads()[node] * one - state.ideal),
                          Tokens{graph.degree(node)} * one);
            }
        }
        EXPECT_EQ(ideal, load::total(loads) * one);
        EXPECT_EQ(load::total(rounds.loads()), load::total(loads) + dummies);
        for (LinkId link = 0; link < graph.link_count(); ++link)
            EXPECT_LT(std::abs(rounds.link_states()[link].behind), one);
    }
}

TEST(FlowImitation, StaysWithinOneTokenOfTheIdealFlowAndTheDegreeOfTheIdealLoad) {
    RandomStream random(3, Purpose::sampling);
    for (const Rounding rounding : {Rounding::towards_zero, Rounding::random}) {
        for (int run = 0; run < 30; ++run) {
            const network::Network graph = test::random_connected_graph(15, 12, random);
            for (const load::Loads& loads : test::uneven_loads(15, 40, 2, random))
                expect_invariants(graph, loads, rounding, 30);
        }
    }
}

TEST(FlowImitation, RemovesAllDummiesAgainWhereTheMeanIsTheDegreeOrMore) {
    const network::Network torus = test::torus(5, 5);
    for (const Rounding rounding : {Rounding::towards_zero, Rounding::random}) {
        load::Loads loads(25, 0);
        loads[7] = 150;  // 6 a node
        model::AllLinks schedule(torus);
        const auto run = engine::run_rounds(FlowImitation(rounding), schedule, loads, torus,
                                            test::steps(200, 0));
        EXPECT_EQ(run.created, run.destroyed);
        EXPECT_EQ(load::total(run.loads), 25 * 6);
        EXPECT_LE(load::discrepancy(run.loads), 2 * 4);
    }
}

TEST(FlowImitation, MakesDummiesWhereANodeOwesMoreThanItHolds) {
    // The centre of a star owes each of five leaves a sixth of its only token.
    const network::Network star(6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}});
    bool created = false;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        model::AllLinks schedule(star);
        const auto run = engine::run_rounds(FlowImitation(Rounding::random), schedule,
                                            {1, 0, 0, 0, 0, 0}, star, test::steps(20, seed));
        created = created || run.created > 0;
        EXPECT_EQ(load::total(run.loads), 1 + run.created - run.destroyed);
    }
    EXPECT_TRUE(created);
}

TEST(FlowImitation, LevelsATorusToAFewTokens) {
    const network::Network torus = test::torus(8, 8);
    for (const Rounding rounding : {Rounding::towards_zero, Rounding::random}) {
        model::AllLinks schedule(torus);
        const auto run = engine::run_rounds(FlowImitation(rounding), schedule, test::loads_8x8(),
                                            torus, test::steps(300, 0));
        EXPECT_LE(load::discrepancy(run.loads), 8);
    }
}

}  // namespace
}  // namespace equipoise
