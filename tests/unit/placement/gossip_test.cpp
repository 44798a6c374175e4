#include "equipoise/placement/gossip.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::placement {
namespace {

/// Plays the rounds, in which no rank may meet two others or give what it does not hold.
std::vector<Tokens> sizes_after(std::vector<Tokens> held,
                                const std::vector<std::vector<Transfer>>& rounds) {
    for (const std::vector<Transfer>& round : rounds) {
        EXPECT_FALSE(round.empty());
        std::set<int> busy;
        for (const Transfer& transfer : round) {
            EXPECT_TRUE(busy.insert(transfer.from).second);
            EXPECT_TRUE(busy.insert(transfer.to).second);
            EXPECT_GE(transfer.items, 1);
            held[static_cast<std::size_t>(transfer.from)] -= transfer.items;
            held[static_cast<std::size_t>(transfer.to)] += transfer.items;
            EXPECT_GE(held[static_cast<std::size_t>(transfer.from)],
                      held[static_cast<std::size_t>(transfer.to)]);
        }
    }
    return held;
}

TEST(RandomPairRounds, LevelAnyCountsToFloorAndCeilingInPairs) {
    RandomStream random(5, Purpose::sampling);
    for (int instance = 0; instance < 200; ++instance) {
        std::vector<Tokens> counts(1 + random.below(40));
        for (Tokens& count : counts)
            count = random.below(3) == 0 ? static_cast<Tokens>(random.below(1000)) : 0;
        const std::vector<Tokens> after = sizes_after(counts, random_pair_rounds(counts));
        const auto [least, most] = std::minmax_element(after.begin(), after.end());
        EXPECT_LE(*most - *least, 1);
        EXPECT_EQ(std::accumulate(after.begin(), after.end(), Tokens{0}),
                  std::accumulate(counts.begin(), counts.end(), Tokens{0}));
    }
}

TEST(RandomPairRounds, AreNoneForLevelCountsAndTheSameEveryTime) {
    EXPECT_TRUE(random_pair_rounds(std::vector<Tokens>{}).empty());
    EXPECT_TRUE(random_pair_rounds(std::vector<Tokens>{9}).empty());
    EXPECT_TRUE(random_pair_rounds(std::vector<Tokens>{3, 4, 4, 3}).empty());
    const std::vector<Tokens> counts = {70, 0, 0, 3, 12, 5, 0};
    EXPECT_EQ(random_pair_rounds(counts), random_pair_rounds(counts));
}

}  // namespace
}  // namespace equipoise::placement
