#include "equipoise/theory/ring_distribution.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace {

using equipoise::Tokens;
using namespace equipoise::theory;

TEST(RingDistribution, NeedsNoStepsOffLineForEqualLoadsAndHalfOfASpikeEachWay) {
    EXPECT_EQ(ring_off_line_steps_bound(std::vector<Tokens>{5, 5, 5}), 0U);
    // 8 of 10 tokens leave node 0; after 4 steps the last two are on their way, at most 4 links.
    EXPECT_EQ(ring_off_line_steps_bound(std::vector<Tokens>{10, 0, 0, 0, 0}), 8U);
}

TEST(RingDistribution, StepsStayWithin64BitsForAnyNumberOfTokens) {
    constexpr Tokens many = Tokens{1} << 62;
    const std::vector<Tokens> loads = {many - 1, 0, 0, 0};
    EXPECT_LT(ring_off_line_steps_bound(loads), std::uint64_t{1} << 62);
    EXPECT_EQ(ring_distribution_steps(4, 10), 44U);
    EXPECT_EQ(ring_distribution_steps(4, ~std::uint64_t{0} / 2), ~std::uint64_t{0});
}

}  // namespace
