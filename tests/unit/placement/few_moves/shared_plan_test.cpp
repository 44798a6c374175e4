#include "equipoise/placement/few_moves/shared_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/own_items.hpp"
#include "tests/unit/placement/judge.hpp"

namespace equipoise::placement {
namespace {

// What must hold of every placement.
void expect_consistent(const Ranks& ranks, const Placement& placement) {
    const std::size_t kinds = ranks.kinds;
    std::vector<double> loads(ranks.weights.size() * kinds, 0);
    double total = 0;
    for (std::size_t r = 0; r < ranks.weights.size(); ++r)
        for (std::size_t i = 0; i < ranks.weights[r].size(); ++i) {
            loads[r * kinds + i % kinds] += ranks.weights[r][i];
            total += ranks.weights[r][i];
        }
    double bytes = 0;
    Tokens between = 0;
    const Relocation* last = nullptr;
    for (const Relocation& move : placement.moves) {
        const auto from = static_cast<std::size_t>(move.from);
        const auto to = static_cast<std::size_t>(move.to);
        const auto item = static_cast<std::size_t>(move.place);
        ASSERT_NE(from, to);
        ASSERT_LT(item, ranks.items(from));
        ASSERT_TRUE(ranks.pinned.empty() || move.place >= ranks.pinned[from]);
        const bool rises = last == nullptr ||
                           std::pair(last->from, last->place) < std::pair(move.from, move.place);
        ASSERT_TRUE(rises);
        last = &move;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            loads[from * kinds + kind] -= ranks.weights[from][item * kinds + kind];
            loads[to * kinds + kind] += ranks.weights[from][item * kinds + kind];
        }
        if (!ranks.sizes.empty()) bytes += ranks.sizes[from][item];
        between += !ranks.machines.empty() && ranks.machines[from] != ranks.machines[to] ? 1 : 0;
    }
    EXPECT_EQ(placement.moved, static_cast<Tokens>(placement.moves.size()));
    EXPECT_NEAR(placement.bytes_moved, bytes, 1e-6 * (1 + bytes));
    EXPECT_EQ(placement.between_machines, between);
    ASSERT_EQ(placement.loads.size(), loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i)
        EXPECT_NEAR(placement.loads[i], loads[i], 1e-9 * (1 + total));
    if (kinds == 1) {
        double largest = 0;
        for (std::size_t r = 0; r < loads.size(); ++r)
            if (loads[r] > 1e-9 * total)
                largest =
                    std::max(largest, loads[r] / (ranks.speeds.empty() ? 1 : ranks.speeds[r]));
        EXPECT_NEAR(placement.largest, largest, 1e-9 * largest);
    }
    EXPECT_LE(placement.largest, placement.largest_before * (1 + 1e-12));
    EXPECT_LE(placement.largest_at_least, placement.largest);
    EXPECT_LE(placement.moved_at_least, std::max<Tokens>(placement.moved, 0));
    EXPECT_LE(placement.bytes_at_least, placement.bytes_moved * (1 + 1e-9));
}

// Many items on some ranks: more than are all gathered.
Ranks many(std::size_t count, std::size_t items, std::uint64_t seed, std::size_t kinds = 1) {
    RandomStream random(seed, Purpose::loads, 1);
    const auto unit = [&] { return static_cast<double>(random.below(1U << 20U)) / (1U << 20U); };
    Ranks ranks;
    ranks.kinds = kinds;
    ranks.weights.resize(count);
    for (std::size_t r = 0; r < count; ++r) {
        const double heavier = 1 + unit();
        const std::size_t own = seed % 3 == 0 ? (r == count / 2 ? items : 0) : items / count;
        for (std::size_t i = 0; i < own; ++i)
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                const double u = unit();
                ranks.weights[r].push_back(heavier * (seed % 3 == 1 ? u : 1 / (0.001 + u * u)));
            }
        ranks.machines.push_back(static_cast<int>(r % 3));
    }
    return ranks;
}

TEST(PlaceMany, ReachesTheToleranceWithHardlyMoreMovesThanAnyPlacementNeeds) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Ranks ranks = many(12, 30'000, seed);
        for (const double tolerance : {0.02, 0.2}) {
            const PlaceOptions options = {.tolerance = tolerance};
            const Placement placement = place(ranks.views(), options);
            expect_consistent(ranks, placement);
            EXPECT_LE(placement.largest, placement.share * (1 + tolerance) * (1 + 1e-9));
            EXPECT_LE(placement.moved, placement.moved_at_least + 12);
        }
    }
}

TEST(PlaceMany, LevelsToAFractionOfASmallItem) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Ranks ranks = many(12, 30'000, seed);
        const Placement placement = place(ranks.views());
        expect_consistent(ranks, placement);
        EXPECT_LE(placement.largest, placement.share * (1 + 1e-5));
    }
}

TEST(PlaceMany, FollowsSpeedsPinsBytesKindsAndMachines) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        for (const std::size_t kinds : {1U, 2U}) {
            Ranks ranks = many(9, 27'000, seed, kinds);
            for (std::size_t r = 0; r < 9; ++r) {
                ranks.pinned.push_back(static_cast<Tokens>(ranks.items(r) / 10));
                ranks.speeds.push_back(static_cast<double>(1 + r % 3));
                ranks.sizes.emplace_back();
                for (std::size_t i = 0; i < ranks.items(r); ++i)
                    ranks.sizes.back().push_back(static_cast<double>(i % 7));
            }
            const PlaceOptions options = {
                .tolerance = 0.1, .weights_per_item = kinds, .machines_first = true};
            const Placement placement = place(ranks.views(), options);
            expect_consistent(ranks, placement);
            EXPECT_LE(placement.largest, placement.largest_before);
            // A pile whose pinned part is above its share cannot be level.
            if (seed == 0) continue;
            EXPECT_LE(placement.largest, placement.share * 1.1 * (1 + 1e-9));
        }
    }
}

TEST(PlaceMany, MovesNothingWhereOneItemIsTheLargestLoad) {
    // Rank 1 is above its share, too, but nothing is gained by what leaves it.
    Ranks ranks;
    ranks.weights = {{1e6}, std::vector<double>(17'000, 53), {}};
    const Placement placement = place(ranks.views());
    expect_consistent(ranks, placement);
    EXPECT_EQ(0, placement.moved);
    EXPECT_EQ(1e6, placement.largest);
}

TEST(PlaceMany, EmptiesRanksOfSpeedZeroOfAllThatIsNotPinned) {
    for (const std::size_t kinds : {1U, 2U})
        for (const double part : {0.0, 1e-19, 1e-15, 1e-9, 1.0}) {
            Ranks ranks = many(7, 21'000, 1, kinds);
            ranks.speeds = {1, 0, 2, 1, 0, 1, 1};
            ranks.pinned = {0, 0, 0, 0, 50, 0, 0};
            ranks.machines = {0, 1, 0, 1, 2, 0, 0};
            for (const std::size_t stopped : {1U, 4U})
                for (double& weight : ranks.weights[stopped])
                    weight *= part;
            std::fill_n(ranks.weights[4].begin(), 50 * kinds, 0.0);
            const Placement placement =
                place(ranks.views(),
                      {.tolerance = 0.1, .weights_per_item = kinds, .machines_first = true});
            expect_consistent(ranks, placement);
            std::vector<Tokens> left(7, 0);
            for (const Relocation& move : placement.moves) {
                ++left[static_cast<std::size_t>(move.from)];
                EXPECT_LT(0, ranks.speeds[static_cast<std::size_t>(move.to)]);
            }
            EXPECT_EQ(3000, left[1]) << kinds << " kinds, " << part;
            EXPECT_EQ(2950, left[4]) << kinds << " kinds, " << part;
        }
}

TEST(PlaceMany, IsNeverWorseThanTheRuleOfLines) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Ranks ranks = many(5, 20'000, seed);
        ranks.pinned.resize(5, 0);
        ranks.speeds.resize(5, 1);
        const Judge judge(ranks, {});
        const std::vector<std::size_t> lines = by_lines(ranks);
        std::vector<double> loads(5, 0);
        std::size_t item = 0;
        for (std::size_t r = 0; r < 5; ++r)
            for (const double weight : ranks.weights[r])
                loads[lines[item++]] += weight;
        EXPECT_LE(place(ranks.views()).largest,
                  *std::max_element(loads.begin(), loads.end()) * (1 + 1e-12));
    }
}

TEST(PlaceMany, GathersWordsForRanksAndNotForItems) {
    const std::size_t count = 16;
    const Ranks ranks = many(count, 200'000, 1);
    std::vector<OwnItems> own;
    for (std::size_t r = 0; r < count; ++r)
        own.emplace_back(static_cast<int>(r), ranks.views()[r], 1);
    SharedPlan plan(count, {}, false);
    while (plan.step() != SharedPlan::Step::done) {
        std::vector<std::int64_t> all;
        std::vector<int> begins;
        for (OwnItems& items : own) {
            begins.push_back(static_cast<int>(all.size()));
            const auto words = items.words(plan);
            all.insert(all.end(), words.begin(), words.end());
        }
        EXPECT_LE(all.size(), SharedPlan::words_max(count, 1));
        EXPECT_LE(all.size(), 1000 * count) << "of 200,000 items";
        plan.take({all, begins});
    }
    EXPECT_EQ(SharedPlan::Choice::bulk, plan.choice());
}

TEST(PlaceLong, PlacesTenMillionItemsOn4096Ranks) {
    const Ranks ranks = many(4096, 10'000'000, 1);
    const PlaceOptions options = {.tolerance = 0.01};
    const Placement placement = place(ranks.views(), options);
    expect_consistent(ranks, placement);
    EXPECT_LE(placement.largest, placement.share * 1.01 * (1 + 1e-9));
    EXPECT_LE(placement.moved, placement.moved_at_least * 101 / 100);
}

}  // namespace
}  // namespace equipoise::placement
