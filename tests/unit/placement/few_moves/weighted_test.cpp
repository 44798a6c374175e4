#include "equipoise/placement/few_moves/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/placement/targets.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

using Weights = std::vector<double>;

double sum(const Weights& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// Plays all ranks in one process; returns the items of each afterwards.
std::vector<Weights> levelled(const std::vector<Weights>& ranks, const std::vector<Tokens>& pinned,
                              const Weights& targets) {
    std::vector<WeightedRank> parts;
    std::vector<Cut> cuts;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        cuts.push_back(cut_at(ranks[rank], pinned[rank], targets[rank]));
        parts.push_back(
            {sum(ranks[rank]), targets[rank], cuts[rank].kept_weight, cuts[rank].next_weight});
    }
    const WeightedLines lines = weighted_lines(parts);
    std::vector<Weights> result(ranks.size());
    std::vector<Weights> arrived(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Tokens kept = cuts[rank].kept + (lines.keeps_next[rank] ? 1 : 0);
        const auto parcels = weighted_parcels(lines, static_cast<int>(rank), ranks[rank], kept);
        const auto size = static_cast<Tokens>(ranks[rank].size());
        auto place = ranks[rank].begin() + (parcels.empty() ? size : kept);
        result[rank].insert(result[rank].end(), ranks[rank].begin(), place);
        for (const WeightedParcel& parcel : parcels) {
            EXPECT_NE(static_cast<int>(rank), parcel.to);
            auto& taker = arrived[static_cast<std::size_t>(parcel.to)];
            taker.insert(taker.end(), place, place + parcel.items);
            place += parcel.items;
        }
        EXPECT_TRUE(place == ranks[rank].end());
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        result[rank].insert(result[rank].end(), arrived[rank].begin(), arrived[rank].end());
    return result;
}

TEST(CutAt, KeepsTheFirstItemsUpToTheTarget) {
    const Weights weights = {3, 4, 5, 0, 1};
    const Cut cut = cut_at(weights, 0, 8);
    EXPECT_EQ(2, cut.kept);
    EXPECT_EQ(7, cut.kept_weight);
    EXPECT_EQ(5, cut.next_weight);
    EXPECT_EQ(6, cut.given_after);
    EXPECT_EQ(5, cut_at(weights, 0, 13).kept);
    EXPECT_EQ(4, cut_at(weights, 0, 12.5).kept) << "items without weight stay";
    EXPECT_EQ(3, cut_at(weights, 3, 12).kept - 1);
}

TEST(WeightedParcels, LevelItemsOfEqualWeightAsCountsAreLevelled) {
    const auto result = levelled({Weights(9, 2.0), Weights(2, 2.0), Weights(5, 2.0), {}},
                                 {0, 0, 0, 0}, Weights(4, 8));
    for (const Weights& rank : result)
        EXPECT_EQ(4U, rank.size());
}

TEST(WeightedParcels, EndWithinTheLargestItemOfTheTarget) {
    EXPECT_TRUE(test::holds("|load - target| <= largest weight", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 9);
        std::vector<Weights> items(ranks);
        std::vector<Tokens> pinned(ranks, 0);
        Weights loads(ranks);
        Weights pinned_loads(ranks);
        Weights speeds(ranks);
        double largest = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto size = *rc::gen::inRange<std::size_t>(0, *rc::gen::element(1U, 4U, 40U));
            for (std::size_t i = 0; i < size; ++i) {
                // Sixteenths, whose sums are exact, so that the bound holds without rounding.
                items[rank].push_back(*rc::gen::inRange(0, *rc::gen::element(2, 50, 5000)) / 16.0);
                largest = std::max(largest, items[rank].back());
            }
            pinned[rank] = *rc::gen::inRange<Tokens>(0, static_cast<Tokens>(size / 3) + 1);
            loads[rank] = sum(items[rank]);
            pinned_loads[rank] =
                sum(Weights(items[rank].begin(), items[rank].begin() + pinned[rank]));
            speeds[rank] = *rc::gen::inRange(1, 4);
        }
        const Weights targets = weight_targets(loads, pinned_loads, speeds);
        const auto result = levelled(items, pinned, targets);
        double total = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const double load = sum(result[rank]);
            total += load;
            RC_ASSERT(std::abs(load - targets[rank]) <= largest + 1e-9 * sum(loads));
            RC_ASSERT(std::equal(items[rank].begin(), items[rank].begin() + pinned[rank],
                                 result[rank].begin()));
        }
        RC_ASSERT(total == sum(loads));
    }));
}

TEST(WeightedParcels, NoRankBothGivesAndTakes) {
    const auto result = levelled({{8, 1, 1, 1, 1}, {1}, {1}}, {0, 0, 0}, Weights(3, 14.0 / 3));
    // Rank 0 cannot be lighter than its first item, which it keeps.
    EXPECT_EQ(8, result[0].front());
    EXPECT_EQ(14, sum(result[0]) + sum(result[1]) + sum(result[2]));
}

}  // namespace
}  // namespace equipoise::placement
