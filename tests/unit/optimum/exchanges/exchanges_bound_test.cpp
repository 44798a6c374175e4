#include "equipoise/optimum/exchanges/exchanges_bound.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::optimum {
namespace {

TEST(ExchangesBound, IsNeverAboveTheFewestExchangesAndReachesThemFromOneNodeWithoutExtras) {
    RandomStream random(3, Purpose::sampling);
    for (int round = 0; round < 3000; ++round) {
        auto [network, loads] = test::random_distribution(9, random);
        Problem problem;
        problem.network = &network;
        problem.loads = loads;
        problem.target = round % 3 == 0 ? exact_up_to(loads, static_cast<Tokens>(random.below(3)))
                                        : floor_or_ceiling(loads);
        EXPECT_LE(exchanges_at_least(problem), Int128{cheapest_exchanges(problem).exchanges});
        const Tokens all = load::total(loads);
        problem.loads.assign(loads.size(), 0);
        problem.loads[random.below(loads.size())] = all;
        const Int128 fewest = cheapest_exchanges(problem).exchanges;
        EXPECT_LE(exchanges_at_least(problem), fewest);
        if (problem.target.extras == 0) {
            EXPECT_EQ(exchanges_at_least(problem), fewest);
        }
    }
}

TEST(ExchangesBound, CountsAboveTheirLimitsAreNamedBeforeAnythingIsSearched) {
    const network::Network path = test::stored_network("path:n=100");
    Problem problem;
    problem.network = &path;
    problem.loads.assign(100, 0);
    problem.loads[0] = tokens_max;
    problem.target = floor_or_ceiling(problem.loads);
    const std::string thrown = test::thrown_by([&] { expect_countable_exchanges(problem); });
    EXPECT_NE(thrown.find("a plan for 2305843009213693951 tokens makes at least 114139228956077"),
              std::string::npos)
        << thrown;
    EXPECT_NE(thrown.find("more than the 9223372036854775807 that can be counted"),
              std::string::npos);
    problem.loads[0] = 1000;
    problem.target = floor_or_ceiling(problem.loads);
    expect_countable_exchanges(problem);
    expect_writable_moves(problem, {.written_max = 49'500});
    EXPECT_NE(
        test::thrown_by([&] {
            expect_writable_moves(problem, {.written_max = 49'499});
        }).find("the schedule has at least 49500 moves, more than the 49499 that are written"),
        std::string::npos);
}

}  // namespace
}  // namespace equipoise::optimum
