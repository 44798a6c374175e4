#include "equipoise/protocols/coin_averaging.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::EdgeEnd;
using model::Nothing;
using protocols::CoinAveraging;

TEST(CoinAveraging, HalvesPairsAndTossesForTheOddToken) {
    const Nothing state;
    int odd_at_tail = 0;
    for (Tokens tail = 0; tail <= 20; ++tail)
        for (Tokens head = 0; head <= 20; ++head)
            for (Step step = 0; step < 20; ++step) {
                const Tokens flow =
                    CoinAveraging()
                        .evaluate(EdgeEnd<Nothing>{tail, 1, 1, state},
                                  EdgeEnd<Nothing>{head, 1, 1, state}, Nothing{}, {step, 3, 0})
                        .flow;
                const Tokens difference = (tail - flow) - (head + flow);
                EXPECT_EQ(std::abs(difference), (tail + head) % 2);
                odd_at_tail += difference > 0 ? 1 : 0;
            }
    // 220 odd pairs, 20 tosses of one coin each step: about half of the steps.
    EXPECT_GT(odd_at_tail, 220 * 4);
    EXPECT_LT(odd_at_tail, 220 * 16);
}

TEST(CoinAveraging, SendsTheOddTokenToTheHeadWithProbabilityAlpha) {
    const Nothing state;
    constexpr int steps = 20'000;
    for (const double alpha : {0.0, 0.1, 0.25, 0.5}) {
        const CoinAveraging rule(alpha);
        int at_head = 0;
        for (Step step = 0; step < steps; ++step) {
            const Tokens flow =
                rule.evaluate(EdgeEnd<Nothing>{5, 1, 1, state}, EdgeEnd<Nothing>{2, 1, 1, state},
                              Nothing{}, {step, 3, 0})
                    .flow;
            ASSERT_TRUE(flow == 1 || flow == 2);
            at_head += flow == 2 ? 1 : 0;
        }
        EXPECT_NEAR(at_head, alpha * steps, 5 * std::sqrt(alpha * (1 - alpha) * steps));
    }
}

template <class Schedule>
load::Loads play(Schedule& schedule, const network::Network& graph, load::Loads loads, int steps,
                 std::uint64_t seed) {
    engine::EdgeRounds rounds(CoinAveraging{}, schedule, loads, graph, test::steps(0, seed));
    for (int step = 0; step < steps; ++step) {
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        rounds.step();
        const auto [lower, upper] =
            std::minmax_element(rounds.loads().begin(), rounds.loads().end());
        EXPECT_GE(*lower, *least);
        EXPECT_LE(*upper, *most);
        EXPECT_EQ(load::total(rounds.loads()), load::total(loads));
        loads.assign(rounds.loads().begin(), rounds.loads().end());
    }
    return loads;
}

TEST(CoinAveraging, ExtremesNeverSpreadAndATorusEndsAtDiscrepancyOne) {
    const network::Network torus = test::torus(8, 8);
    model::RandomMatching fresh(torus, 4);
    EXPECT_EQ(load::discrepancy(play(fresh, torus, test::loads_8x8(), 4000, 4)), 1);
    model::PeriodicSchedule periodic(
        network::natural_matchings(network::Grid({8, 8}, network::Grid::Shape::torus)));
    EXPECT_LE(load::discrepancy(play(periodic, torus, test::loads_8x8(), 4000, 4)), 2);
}

}  // namespace
}  // namespace equipoise
