#include "equipoise/protocols/baselines/quasirandom_diffusion.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "equipoise/model/run/colour_schedule.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::EdgeEnd;
using model::Nothing;
using protocols::metropolis_divisor;
using protocols::baselines::QuasirandomDiffusion;

TEST(QuasirandomDiffusion, RoundsToTheNearestAndCarriesTheRestExactly) {
    const Nothing state;
    for (Port tail_degree = 1; tail_degree <= 4; ++tail_degree)
        for (Tokens difference = -20; difference <= 20; ++difference)
            for (Tokens error = -2; error <= 2; ++error) {
                const Tokens divisor = metropolis_divisor(tail_degree, 3);
                if (2 * std::abs(error) > divisor) continue;
                const auto move = QuasirandomDiffusion().evaluate(
                    EdgeEnd<Nothing>{30 + difference, tail_degree, 1, state},
                    EdgeEnd<Nothing>{30, 3, 1, state}, error, {});
                EXPECT_EQ(move.flow * divisor + move.link, difference + error);
                EXPECT_LE(2 * std::abs(move.link), divisor);
            }
}

TEST(QuasirandomDiffusion, KeepsErrorsWithinOneHalfAndTokensTogetherOnRandomGraphs) {
    RandomStream random(5, Purpose::sampling);
    for (int run = 0; run < 40; ++run) {
        const network::Network graph = test::random_connected_graph(20, 15, random);
        const load::Loads loads = test::random_loads(20, 50, random);
        model::AllLinks schedule(graph);
        engine::EdgeRounds rounds(QuasirandomDiffusion{}, schedule, loads, graph, {});
        for (int step = 0; step < 100; ++step) {
            rounds.step();
            EXPECT_EQ(load::total(rounds.loads()), load::total(loads));
            for (LinkId link = 0; link < graph.link_count(); ++link) {
                const auto [tail, head] = graph.ends(link);
                EXPECT_LE(2 * std::abs(rounds.link_states()[link]),
                          metropolis_divisor(graph.degree(tail), graph.degree(head)));
            }
        }
    }
}

TEST(QuasirandomDiffusion, LevelsATorusToAFewTokens) {
    const network::Network torus = test::torus(8, 8);
    model::AllLinks schedule(torus);
    const auto run = engine::run_rounds(QuasirandomDiffusion{}, schedule, test::loads_8x8(), torus,
                                        test::steps(500));
    EXPECT_LE(load::discrepancy(run.loads), 8);
}

}  // namespace
}  // namespace equipoise
