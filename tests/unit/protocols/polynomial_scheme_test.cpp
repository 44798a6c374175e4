#include "equipoise/protocols/polynomial_scheme.hpp"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using protocols::PolynomialScheme;
using protocols::SchemeRound;

constexpr Int128 one_token = Int128{1} << 64;

TEST(SchemeRound, DividesByWholeRootsToTheNearest) {
    const SchemeRound third(3, 0, true);
    EXPECT_TRUE(third.flow(0, 7) == 2);
    EXPECT_TRUE(third.flow(0, 8) == 3);
    EXPECT_TRUE(third.flow(0, -8) == -3);
    EXPECT_TRUE(SchemeRound(2, 0, true).flow(0, 5) == 3);
    EXPECT_TRUE(SchemeRound(2, 0, true).flow(0, -5) == -3);
}

TEST(SchemeRound, DividesByRealRootsUpToOneUnitAndSixtyThreeBits) {
    RandomStream random(3, Purpose::sampling);
    for (const double root : {1.0, 2.0, 3.0, 0.75, 7.3, 1e-4, 6e5, 0x1p-30, 0x1p40}) {
        const SchemeRound round(root);
        for (int i = 0; i < 2000; ++i) {
            const auto bits = static_cast<unsigned>(random.below(root < 1 ? 90 : 120));
            const Int128 value = Int128{static_cast<std::int64_t>(random.below(1U << 20U))}
                                 << (bits > 20 ? bits - 20 : 0);
            const Int128 flow = round.flow(0, value);
            const auto truth = static_cast<long double>(value) / static_cast<long double>(root);
            const long double apart = std::abs(static_cast<long double>(flow) - truth);
            EXPECT_LE(static_cast<double>(apart), 0.5 + 0x1p-61 * static_cast<double>(truth));
            EXPECT_TRUE(round.flow(0, -value) == -flow);
        }
    }
}

TEST(SchemeRound, AddsAPartOfTheFlowBefore) {
    const SchemeRound half(4, std::uint64_t{1} << 63U);
    EXPECT_TRUE(half.flow(100, 40) == 60);
    EXPECT_TRUE(half.flow(-100, 40) == -40);
    EXPECT_TRUE(half.flow(-100, -40) == -60);
}

TEST(SchemeRound, RefusesRootsAndFlowsBeyondItsRange) {
    EXPECT_THROW(SchemeRound(1e-40), OverflowError);
    EXPECT_THROW(SchemeRound(1e30), OverflowError);
    EXPECT_THROW(static_cast<void>(SchemeRound(0x1p-20).flow(0, Int128{1} << 120)), OverflowError);
}

PolynomialScheme::LinkState state_after(const PolynomialScheme& scheme, Int128 tail, Int128 head,
                                        Tokens& flow, Step step = 0) {
    const PolynomialScheme::NodeState from{tail};
    const PolynomialScheme::NodeState to{head};
    const auto move = scheme.evaluate({0, 1, 1, from}, {0, 1, 1, to}, {}, {step, 1, 0});
    flow = move.flow;
    return move.link;
}

TEST(PolynomialScheme, SendsTheNearestNumberOfTokensAndTheEvenOneOfTwo) {
    const PolynomialScheme scheme({SchemeRound(2, 0, true)}, one_token);
    for (const auto& [difference, expected] :
         {std::pair<Tokens, Tokens>{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 2}, {7, 4}, {9, 4}}) {
        Tokens flow = 0;
        const auto link = state_after(scheme, difference * one_token, 0, flow);
        EXPECT_EQ(flow, expected);
        EXPECT_TRUE(link.behind == difference * one_token / 2 - expected * one_token);
        state_after(scheme, 0, difference * one_token, flow);
        EXPECT_EQ(flow, -expected);
    }
}

TEST(PolynomialScheme, MovesNothingAfterItsLastRound) {
    const PolynomialScheme scheme({SchemeRound(1)}, one_token);
    Tokens flow = 1;
    const auto link = state_after(scheme, 10 * one_token, 0, flow, 1);
    EXPECT_EQ(flow, 0);
    EXPECT_TRUE(link == PolynomialScheme::LinkState{});
}

TEST(PolynomialScheme, RefusesLoadsThatLeaveItsRange) {
    EXPECT_THROW(
        static_cast<void>(PolynomialScheme({}, Int128{1} << 100).start_node({tokens_max, 1, 1})),
        OverflowError);
    const PolynomialScheme steep({SchemeRound(0x1p-30)}, one_token);
    Tokens flow = 0;
    EXPECT_THROW(state_after(steep, one_token << 50, 0, flow), OverflowError);
}

TEST(PolynomialScheme, LevelsATorusInARoundForEachEigenvalue) {
    // 4 x 4: the eigenvalues are 2, 4, 6 and 8.
    const network::Network torus = test::torus(4, 4);
    PolynomialScheme::Rounds rounds;
    for (const double root : {8.0, 6.0, 4.0, 2.0})
        rounds.emplace_back(root, 0, true);
    load::Loads loads(16, 0);
    loads[5] = 16 * 384;
    model::AllLinks schedule(torus);
    const auto run = engine::run_rounds(PolynomialScheme(rounds, 384 * one_token), schedule, loads,
                                        torus, test::steps(4));
    EXPECT_EQ(run.loads, load::Loads(16, 384));
}

}  // namespace
}  // namespace equipoise
