#include "equipoise/load/targets.hpp"

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::load {
namespace {

TEST(MeanLoad, IsFloorAndCeilingWithTheNumberOfNodesAtTheCeiling) {
    EXPECT_EQ(mean_load(10, 4), (MeanLoad{2, 3, 2}));
    EXPECT_EQ(mean_load(8, 4), (MeanLoad{2, 2, 0}));
    EXPECT_EQ(mean_load(-1, 4), (MeanLoad{-1, 0, 3}));
    EXPECT_EQ(even_targets(10, 4), (Loads{3, 3, 2, 2}));
}

TEST(TargetsBySpeed, GiveLeftoverTokensToTheLargestRemaindersThenTheSmallestNumbers) {
    EXPECT_EQ(targets_by_speed(10, std::vector<std::uint64_t>{1, 1, 1}), (Loads{4, 3, 3}));
    EXPECT_EQ(targets_by_speed(7, std::vector<std::uint64_t>{1, 2, 4}), (Loads{1, 2, 4}));
    EXPECT_EQ(targets_by_speed(5, std::vector<std::uint64_t>{1, 0, 2}), (Loads{2, 0, 3}));
}

TEST(SharesBySpeed, LeaveOpenWhichOfTheNodesThatTieGetTheLastTokens) {
    const Shares even = shares_by_speed(10, std::vector<std::uint64_t>{1, 1, 1});
    EXPECT_EQ(even.least, (Loads{3, 3, 3}));
    EXPECT_EQ(even.tied, (std::vector<NodeId>{0, 1, 2}));
    EXPECT_EQ(even.odd, 1);
    const Shares paired = shares_by_speed(9, std::vector<std::uint64_t>{1, 2, 1, 2});
    EXPECT_EQ(paired.least, (Loads{1, 3, 1, 3}));
    EXPECT_EQ(paired.tied, (std::vector<NodeId>{0, 2}));
    EXPECT_EQ(paired.odd, 1);
    // Nothing is open where all that tie get one more, or nothing is left.
    for (const Tokens tokens : {Tokens{8}, Tokens{6}}) {
        const Shares settled = shares_by_speed(tokens, std::vector<std::uint64_t>{1, 2, 1, 2});
        EXPECT_EQ(total(settled.least), tokens);
        EXPECT_TRUE(settled.tied.empty());
        EXPECT_EQ(settled.odd, 0);
    }
}

TEST(TargetsBySpeed, AreExactAtTheEdgeOfSixtyFourBits) {
    const std::vector<std::uint64_t> speeds = {UINT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    const Loads targets = targets_by_speed(tokens_max, speeds);
    EXPECT_EQ(total(targets), tokens_max);
    EXPECT_LE(discrepancy(targets), 1);
}

TEST(TargetsBySpeed, NeedASpeedAboveZero) {
    EXPECT_THROW(static_cast<void>(targets_by_speed(1, std::vector<std::uint64_t>{0, 0})),
                 InputError);
    EXPECT_THROW(static_cast<void>(targets_by_speed(-1, std::vector<std::uint64_t>{1})),
                 InputError);
}

TEST(DistanceFromShares, IsBelowOneExactlyWhereEveryNodeHoldsFloorOrCeiling) {
    const std::vector<Tokens> speeds = {1, 2, 0, 4};
    for (Tokens tokens = 0; tokens <= 15; ++tokens)
        for (Tokens a = 0; a <= tokens; ++a)
            for (Tokens b = 0; a + b <= tokens; ++b)
                for (Tokens c = 0; a + b + c <= tokens; ++c) {
                    const Loads loads = {a, b, c, tokens - a - b - c};
                    bool fine = true;
                    for (std::size_t i = 0; i < 4; ++i)
                        fine = fine && loads[i] >= tokens * speeds[i] / 7 &&
                               loads[i] <= ceil_divide(tokens * speeds[i], 7);
                    const Fraction distance = distance_from_shares(loads, speeds);
                    EXPECT_EQ(distance.numerator < distance.denominator, fine);
                }
    EXPECT_DOUBLE_EQ(distance_from_shares(Loads{7, 0, 0, 0}, speeds).value(), 6);
}

TEST(ImbalanceBySpeed, LeavesNodesWithoutSpeedOut) {
    const std::vector<Tokens> speeds = {0, 2, 0, 4};
    EXPECT_DOUBLE_EQ(imbalance_by_speed(Loads{9, 4, 0, 4}, speeds).value(), 1);
    EXPECT_DOUBLE_EQ(imbalance_by_speed(Loads{1}, std::vector<Tokens>{0}).value(), 0);
}

}  // namespace
}  // namespace equipoise::load
