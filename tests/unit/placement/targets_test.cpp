#include "equipoise/placement/targets.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/matching.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

Tokens sum(const std::vector<Tokens>& values) {
    return std::accumulate(values.begin(), values.end(), Tokens{0});
}

// The fewest moves to any choice of floors and ceilings, by trying all.
Tokens fewest_moves(const std::vector<Tokens>& counts) {
    const auto ranks = static_cast<Tokens>(counts.size());
    const Tokens floor = sum(counts) / ranks;
    std::vector<Tokens> targets(counts.size(), floor);
    std::fill_n(targets.rbegin(), sum(counts) % ranks, floor + 1);
    Tokens fewest = std::numeric_limits<Tokens>::max();
    do {
        fewest = std::min(fewest, surplus(counts, targets));
    } while (std::next_permutation(targets.begin(), targets.end()));
    return fewest;
}

TEST(LevelTargets, NeedTheFewestMovesOfAllChoicesOfFloorsAndCeilings) {
    for (std::size_t ranks = 1; ranks <= 4; ++ranks) {
        std::vector<Tokens> counts(ranks, 0);
        do {
            const std::vector<Tokens> targets = level_targets({counts, {}, {}});
            EXPECT_EQ(sum(counts), sum(targets));
            EXPECT_LE(*std::max_element(targets.begin(), targets.end()) -
                          *std::min_element(targets.begin(), targets.end()),
                      1);
            EXPECT_EQ(fewest_moves(counts), surplus(counts, targets));
            std::size_t rank = 0;
            while (rank < ranks && counts[rank] == 6)
                counts[rank++] = 0;
            if (rank < ranks) ++counts[rank];
        } while (std::any_of(counts.begin(), counts.end(), [](Tokens c) { return c > 0; }));
    }
}

TEST(LevelTargets, LeaveTheOddItemWithTheFullestRank) {
    EXPECT_EQ((std::vector<Tokens>{2, 2, 3}),
              level_targets({std::vector<Tokens>{1, 1, 5}, {}, {}}));
    EXPECT_EQ((std::vector<Tokens>{3, 2, 2}),
              level_targets({std::vector<Tokens>{3, 1, 3}, {}, {}}));
}

TEST(LevelTargets, FollowSpeedsByLargestRemainder) {
    const std::vector<Tokens> counts = {10, 0, 0};
    EXPECT_EQ((std::vector<Tokens>{2, 3, 5}),
              level_targets({counts, {}, std::vector<double>{1, 2, 3}}));
    EXPECT_EQ((std::vector<Tokens>{2, 3, 5}),
              level_targets({counts, {}, std::vector<double>{0.125, 0.25, 0.375}}));
    EXPECT_EQ((std::vector<Tokens>{0, 10, 0}),
              level_targets({counts, {}, std::vector<double>{0, 0.1, 0}}));
    EXPECT_THROW((void)level_targets({counts, {}, std::vector<double>{0, 0, 0}}), InputError);
}

TEST(LevelTargets, LeaveTheOddItemWithTheFullestOfRanksThatTieBySpeed) {
    // Shares of 7 items are 7/6, 7/6, 14/6 and 14/6.
    const std::vector<double> speeds = {1, 1, 2, 2};
    EXPECT_EQ((std::vector<Tokens>{1, 1, 2, 3}),
              level_targets({std::vector<Tokens>{1, 1, 2, 3}, {}, speeds}));
    EXPECT_EQ((std::vector<Tokens>{1, 1, 3, 2}),
              level_targets({std::vector<Tokens>{3, 0, 2, 2}, {}, speeds}));
    EXPECT_EQ((std::vector<Tokens>{1, 2}),
              level_targets({std::vector<Tokens>{0, 3}, {}, std::vector<double>{2, 2}}));
}

// The fewest moves to any shares by largest remainder, by trying all.
Tokens fewest_moves(const std::vector<Tokens>& counts, const std::vector<Tokens>& speeds) {
    const Tokens items = sum(counts);
    const Tokens speed = sum(speeds);
    Tokens fewest = items;
    for (unsigned up = 0; up < 1U << counts.size(); ++up) {
        std::vector<Tokens> targets;
        Tokens least_up = speed;  // remainder of a share that is rounded up
        Tokens most_down = 0;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            const bool more = (up >> rank & 1U) != 0;
            const Tokens remainder = items * speeds[rank] % speed;
            if (more)
                least_up = std::min(least_up, remainder);
            else
                most_down = std::max(most_down, remainder);
            targets.push_back(items * speeds[rank] / speed + (more ? 1 : 0));
        }
        if (sum(targets) == items && least_up >= most_down)
            fewest = std::min(fewest, surplus(counts, targets));
    }
    return fewest;
}

TEST(LevelTargets, NeedTheFewestMovesOfAllSharesByLargestRemainder) {
    for (const std::vector<Tokens>& speeds :
         {std::vector<Tokens>{1, 3}, {1, 1, 2}, {1, 3, 5}, {0, 1, 3}, {1, 1, 2, 2}, {1, 3, 3, 5}}) {
        const std::vector<double> real(speeds.begin(), speeds.end());
        std::vector<Tokens> counts(speeds.size(), 0);
        do {
            const std::vector<Tokens> targets = level_targets({counts, {}, real});
            ASSERT_EQ(sum(counts), sum(targets));
            ASSERT_EQ(fewest_moves(counts, speeds), surplus(counts, targets))
                << ::testing::PrintToString(counts) << ::testing::PrintToString(speeds);
            std::size_t rank = 0;
            while (rank < counts.size() && counts[rank] == 6)
                counts[rank++] = 0;
            if (rank < counts.size()) ++counts[rank];
        } while (std::any_of(counts.begin(), counts.end(), [](Tokens c) { return c > 0; }));
    }
}

TEST(LevelTargets, OfEqualSpeedsAreThoseWithoutSpeeds) {
    EXPECT_TRUE(test::holds("2.5 everywhere is 1 everywhere", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 9);
        const auto counts =
            *rc::gen::container<std::vector<Tokens>>(ranks, rc::gen::inRange<Tokens>(0, 40));
        std::vector<Tokens> pinned(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            pinned[rank] = *rc::gen::inRange<Tokens>(0, counts[rank] + 1);
        const std::vector<double> speeds(ranks, 2.5);
        RC_ASSERT(level_targets({counts, pinned, {}}) == level_targets({counts, pinned, speeds}));
        RC_ASSERT(lowest_targets({counts, pinned, {}}) == lowest_targets({counts, pinned, speeds}));
    }));
}

TEST(LowestTargets, LeaveTheOddItemsWithTheLowestRanks) {
    EXPECT_EQ((std::vector<Tokens>{3, 2, 2}),
              lowest_targets({std::vector<Tokens>{1, 1, 5}, {}, {}}));
    EXPECT_EQ(
        (std::vector<Tokens>{1, 1, 3, 2}),
        lowest_targets({std::vector<Tokens>{1, 1, 2, 3}, {}, std::vector<double>{1, 1, 2, 2}}));
}

TEST(LevelTargets, LetARankKeepWhatIsPinnedAndLevelTheRestBelow) {
    const std::vector<Tokens> counts = {10, 6, 0, 0};
    EXPECT_EQ((std::vector<Tokens>{10, 2, 2, 2}),
              level_targets({counts, std::vector<Tokens>{10, 0, 0, 0}, {}}));
    EXPECT_EQ((std::vector<Tokens>{7, 5, 2, 2}),
              level_targets({counts, std::vector<Tokens>{7, 5, 0, 0}, {}}));
    // Capping one rank lowers the level below what another has pinned.
    EXPECT_EQ((std::vector<Tokens>{9, 3, 2, 2}),
              level_targets({counts, std::vector<Tokens>{9, 3, 0, 0}, {}}));
}

TEST(LevelTargets, AreTheLevelOrWhatIsPinnedForAllRanks) {
    EXPECT_TRUE(test::holds("water-filling is capped and level", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 9);
        const auto counts =
            *rc::gen::container<std::vector<Tokens>>(ranks, rc::gen::inRange<Tokens>(0, 40));
        std::vector<Tokens> pinned(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            pinned[rank] = *rc::gen::inRange<Tokens>(0, counts[rank] + 1);
        const std::vector<Tokens> targets = level_targets({counts, pinned, {}});
        RC_ASSERT(sum(targets) == sum(counts));
        Tokens most_free = 0;  // largest target that pinned items do not explain
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            RC_ASSERT(targets[rank] >= pinned[rank]);
            if (targets[rank] > pinned[rank]) most_free = std::max(most_free, targets[rank]);
        }
        for (const Tokens target : targets)
            RC_ASSERT(target >= most_free - 1);
    }));
}

// Calls `take` with all targets between what is pinned and what there is room for.
template <class Take>
void each_targets(const std::vector<Tokens>& pinned, const std::vector<Tokens>& most, Tokens items,
                  std::vector<Tokens>& targets, const Take& take) {
    const std::size_t rank = targets.size();
    if (rank == pinned.size()) {
        if (items == 0) take(targets);
        return;
    }
    for (Tokens target = pinned[rank]; target <= std::min(most[rank], items); ++target) {
        targets.push_back(target);
        each_targets(pinned, most, items - target, targets, take);
        targets.pop_back();
    }
}

TEST(LevelTargets, AreAsLevelAsRoomAllowsWithTheFewestMoves) {
    EXPECT_TRUE(test::holds("no targets with room are more level, or need fewer moves", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 5);
        std::vector<Tokens> counts(ranks);
        std::vector<Tokens> pinned(ranks);
        std::vector<Tokens> most(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            counts[rank] = *rc::gen::inRange<Tokens>(0, 7);
            pinned[rank] = *rc::gen::inRange<Tokens>(0, counts[rank] + 1);
            most[rank] = pinned[rank] + *rc::gen::inRange<Tokens>(0, 7);
        }
        const Demand demand = {counts, pinned, {}, most};
        if (sum(most) < sum(counts)) {
            RC_ASSERT_THROWS_AS((void)level_targets(demand), InputError);
            return;
        }
        const std::vector<Tokens> targets = level_targets(demand);
        const auto merit = [&](std::vector<Tokens> of) {
            const Tokens moves = surplus(counts, of);
            std::sort(of.rbegin(), of.rend());
            return std::pair(of, moves);
        };
        RC_ASSERT(sum(targets) == sum(counts));
        std::vector<Tokens> other;
        each_targets(pinned, most, sum(counts), other, [&](const std::vector<Tokens>& of) {
            RC_ASSERT(merit(targets) <= merit(of));
        });
        for (std::size_t rank = 0; rank < ranks; ++rank)
            RC_ASSERT(pinned[rank] <= targets[rank] && targets[rank] <= most[rank]);
    }));
}

TEST(LevelTargets, FollowSpeedsAsFarAsThereIsRoom) {
    const std::vector<Tokens> counts = {12, 0, 0};
    const std::vector<double> speeds = {1, 2, 3};
    EXPECT_EQ((std::vector<Tokens>{2, 4, 6}), level_targets({counts, {}, speeds}));
    EXPECT_EQ((std::vector<Tokens>{3, 6, 3}),
              level_targets({counts, {}, speeds, std::vector<Tokens>{12, 12, 3}}));
    EXPECT_EQ((std::vector<Tokens>{7, 2, 3}),
              level_targets({counts, {}, speeds, std::vector<Tokens>{12, 2, 3}}));
    try {
        (void)level_targets({counts, {}, speeds, std::vector<Tokens>{1, 2, 3}});
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ(
            "expected room for 12 items on ranks with a speed above 0, found room for 6: 6 too "
            "few",
            error.what());
    }
}

TEST(WholeSpeeds, AreExactWhereSpeedsAreWholeAndScaledElsewhere) {
    EXPECT_EQ((std::vector<std::uint64_t>{3, 0, 7}), whole_speeds(std::vector<double>{3, 0, 7}));
    EXPECT_EQ((std::vector<std::uint64_t>{1ULL << 52U, 1ULL << 51U, 0}),
              whole_speeds(std::vector<double>{0.5, 0.25, 0}));
}

TEST(WeightTargets, FollowSpeedsAndKeepPinnedWeight) {
    const std::vector<double> weights = {10, 6, 0, 0};
    EXPECT_EQ((std::vector<double>{4, 4, 4, 4}),
              weight_targets(weights, std::vector<double>(4, 0), {}));
    EXPECT_EQ((std::vector<double>{10, 2, 2, 2}),
              weight_targets(weights, std::vector<double>{10, 0, 0, 0}, {}));
    EXPECT_EQ((std::vector<double>{2, 6, 4, 4}),
              weight_targets(weights, std::vector<double>(4, 0), std::vector<double>{1, 3, 2, 2}));
    EXPECT_THROW((void)weight_targets(weights, weights, std::vector<double>(4, 0)), InputError);
}

}  // namespace
}  // namespace equipoise::placement
