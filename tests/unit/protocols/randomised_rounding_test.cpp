#include "equipoise/protocols/randomised_rounding.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::Nothing;
using protocols::RandomisedRounding;

/// A node with two neighbours, in one round.
struct Sender {
    Tokens load = 0;
    std::vector<Tokens> neighbour_loads;
    std::vector<Tokens> ports;
    Step step = 0;
    std::uint64_t seed = 0;
    std::vector<Tokens> speeds = {};
    Tokens speed = 1;
    Nothing state = {};
    std::vector<Port> degrees = {2, 2};

    [[nodiscard]] std::vector<Tokens> sent(const RandomisedRounding& rule) {
        std::vector<Tokens> out(2, -1);
        rule.propose(
            {load, speed, state, neighbour_loads, speeds, degrees, NodeId{0}, step, seed, ports},
            out);
        return out;
    }
};

TEST(RandomisedRounding, SendsWholeFlowsWithoutDrawing) {
    const RandomisedRounding rule(1.5, 2, 10);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        // The first round has beta = 1: (12 - 3) / 3 and nothing to a fuller neighbour.
        EXPECT_EQ((Sender{12, {3, 15}, {0, 0}, 0, seed}.sent(rule)), (std::vector<Tokens>{3, 0}));
        // (1/2) 4 + (3/2) 9 / 3 takes no fraction, and (1/2) 8 - (3/2) 3 / 3 outlives the slope.
        EXPECT_EQ((Sender{12, {3, 18}, {4, 8}, 1, seed}.sent(rule))[1], 1);
        // From the switch on nothing is remembered.
        EXPECT_EQ((Sender{12, {3, 15}, {4, 9}, 10, seed}.sent(rule)), (std::vector<Tokens>{3, 0}));
    }
}

TEST(RandomisedRounding, SendsTowardsLoadsInProportionToSpeeds) {
    const RandomisedRounding rule(1.5, 2, 10);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        // 12 / 2 against 3 / 1 and 24 / 4: (6 - 3) min(2, 1) / 3 = 1, and level.
        EXPECT_EQ((Sender{12, {3, 24}, {0, 0}, 0, seed, {1, 4}, 2}.sent(rule)),
                  (std::vector<Tokens>{1, 0}));
    }
}

TEST(RandomisedRounding, RemembersWhatWasSentLessWhatCame) {
    const RandomisedRounding rule(1.5, 2, 10);
    Sender around{12, {3, 15}, {7, 7}, 0, 1};
    static_cast<void>(around.sent(rule));
    EXPECT_EQ(around.ports, (std::vector<Tokens>{3, 0}));
    std::vector<Tokens> taken(2, -1);
    rule.accept({12,
                 1,
                 around.state,
                 around.neighbour_loads,
                 {},
                 around.degrees,
                 NodeId{0},
                 Step{0},
                 1,
                 around.ports},
                std::vector<Tokens>{0, 2}, taken);
    EXPECT_EQ(taken, (std::vector<Tokens>{0, 2}));
    EXPECT_EQ(around.ports, (std::vector<Tokens>{3, -2}));
}

TEST(RandomisedRounding, HoldsBetaInThirtyTwoBits) {
    EXPECT_EQ(RandomisedRounding(1.5, 4, 0).held_beta(), Tokens{3} << 31U);
    EXPECT_EQ(RandomisedRounding(1, 4, 0).held_beta(), Tokens{1} << 32U);
}

TEST(RandomisedRounding, EndsNearerToLevelAfterTheSwitchThanBeforeIt) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    const network::Network torus = test::torus(16, 16);
    load::Loads loads(256, 0);
    loads[0] = 16'512;
    double before = 0;
    double after = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const RandomisedRounding second(1.605, 4, RandomisedRounding::never);
        const RandomisedRounding hybrid(1.605, 4, 88);
        before += static_cast<double>(load::discrepancy(
            engine::run_rounds(second, loads, torus, test::steps(350, seed)).loads));
        after += static_cast<double>(load::discrepancy(
            engine::run_rounds(hybrid, loads, torus, test::steps(350, seed)).loads));
    }
    EXPECT_LE(before / 10, 9);
    EXPECT_GE(before / 10, 5);
    EXPECT_LE(after / 10, 4);
}

}  // namespace
}  // namespace equipoise
