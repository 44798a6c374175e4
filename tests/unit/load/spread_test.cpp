// Very many tokens at random nodes: none is lost, parts are those of the whole, and the numbers are
// binomial.

#include "equipoise/load/spread.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::load {
namespace {

TEST(Binomial, HasItsMeanAndVarianceInEveryRegime) {
    struct Case {
        std::uint64_t trials, part, whole;
    };
    for (const auto& [trials, part, whole] :
         {Case{1, 1, 2}, Case{7, 3, 7}, Case{40, 1, 3}, Case{41, 1, 2}, Case{500, 2, 5},
          Case{100000, 1, 2}, Case{100000, 4, 5}, Case{std::uint64_t{1} << 30U, 1, 2},
          Case{std::uint64_t{1} << 40U, 3, 7}, Case{std::uint64_t{1} << 62U, 1, 2}}) {
        RandomStream random(11, Purpose::loads, trials, part);
        const double p = static_cast<double>(part) / static_cast<double>(whole);
        const double mean = static_cast<double>(trials) * p;
        const double deviation = std::sqrt(mean * (1 - p));
        constexpr int draws = 20000;
        double sum = 0;
        double squares = 0;
        for (int draw = 0; draw < draws; ++draw) {
            const std::uint64_t drawn = binomial(trials, part, whole, random);
            ASSERT_LE(drawn, trials);
            const double off = (static_cast<double>(drawn) - mean) / deviation;
            sum += off;
            squares += off * off;
        }
        // Five standard errors.
        EXPECT_NEAR(sum / draws, 0, 5 / std::sqrt(draws)) << trials;
        EXPECT_NEAR(squares / draws, 1, 5 * std::sqrt(2.0 / draws) + 0.01) << trials;
    }
}

TEST(Binomial, AgreesWithExactProbabilities) {
    // 60 trials of 1/2: drawn by rejection.
    constexpr int trials = 60;
    constexpr int draws = 200000;
    std::vector<int> counts(trials + 1);
    RandomStream random(5, Purpose::loads);
    for (int draw = 0; draw < draws; ++draw)
        ++counts[binomial(trials, 1, 2, random)];
    double chi = 0;
    double probability = std::pow(0.5, trials);
    int classes = 0;
    for (int k = 0; k <= trials; ++k) {
        const double expected = probability * draws;
        if (expected >= 20) {
            const double over = counts[static_cast<std::size_t>(k)] - expected;
            chi += over * over / expected;
            ++classes;
        }
        probability *= static_cast<double>(trials - k) / (k + 1);
    }
    EXPECT_LT(chi, classes + 5 * std::sqrt(2.0 * classes));
}

TEST(Spread, LosesNoTokenAndPartsAreThoseOfTheWhole) {
    for (const Tokens tokens : {Tokens{0}, Tokens{5}, Tokens{1} << 31U, tokens_max})
        for (const NodeId nodes : {NodeId{1}, NodeId{2}, NodeId{7}, NodeId{1000}}) {
            Loads whole(nodes);
            spread_at_random(tokens, nodes, 0, whole, 3);
            EXPECT_EQ(total(whole), tokens);
            for (const NodeId first : {NodeId{0}, nodes / 3, nodes / 2}) {
                Loads part(nodes - first);
                spread_at_random(tokens, nodes, first, part, 3);
                EXPECT_EQ(part, Loads(whole.begin() + first, whole.end()));
            }
        }
}

TEST(Spread, MakesUniformLoadsOfAnyNumberOfTokensInParts) {
    const network::AnyNetwork network = network::generate("path:n=50", 1);
    for (const char* spec :
         {"uniform:tokens=1073741825,seed=8", "uniform:tokens=2305843009213693951",
          "even:tokens=2305843009213693951", "staircase:rise=3", "staircase:rise=0",
          "even:tokens=7"}) {
        const Loads whole = make_loads(spec, network, 6);
        for (const NodeId first : {NodeId{0}, NodeId{13}, NodeId{50}})
            EXPECT_EQ(make_part_loads(spec, 50, first, 50, 6),
                      Loads(whole.begin() + first, whole.end()))
                << spec;
    }
    EXPECT_THROW(
        static_cast<void>(make_part_loads("staircase:rise=2305843009213693951", 50, 0, 2, 6)),
        OverflowError);
}

}  // namespace
}  // namespace equipoise::load
