#include "equipoise/placement/few_moves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "tests/support/property.hpp"
#include "tests/unit/placement/judge.hpp"

namespace equipoise::placement {
namespace {

Ranks drawn(std::size_t ranks_max, std::size_t items_max) {
    Ranks ranks;
    const auto count = *rc::gen::inRange<std::size_t>(1, ranks_max + 1);
    ranks.kinds = *rc::gen::element(1U, 1U, 1U, 2U, 3U);
    const auto items = *rc::gen::inRange<std::size_t>(0, items_max + 1);
    const int weight_max = *rc::gen::element(1, 3, 10, 100, 5000);
    const bool with_sizes = *rc::gen::arbitrary<bool>();
    ranks.weights.resize(count);
    if (with_sizes) ranks.sizes.resize(count);
    for (std::size_t i = 0; i < items; ++i) {
        const auto home = *rc::gen::inRange<std::size_t>(0, count);
        for (std::size_t kind = 0; kind < ranks.kinds; ++kind)
            ranks.weights[home].push_back(*rc::gen::inRange(0, weight_max + 1) / 16.0);
        if (with_sizes) ranks.sizes[home].push_back(*rc::gen::inRange(0, 9));
    }
    const bool pins = *rc::gen::inRange(0, 3) == 0;
    const bool speeds = *rc::gen::inRange(0, 3) == 0;
    for (std::size_t r = 0; r < count; ++r) {
        const auto held = static_cast<Tokens>(ranks.items(r));
        ranks.pinned.push_back(pins ? *rc::gen::inRange<Tokens>(0, held / 2 + 1) : 0);
        ranks.speeds.push_back(speeds ? *rc::gen::inRange(r == 0 ? 1 : 0, 4) : 1);
        ranks.machines.push_back(*rc::gen::inRange(0, 2));
    }
    return ranks;
}

PlaceOptions drawn_options(const Ranks& ranks) {
    PlaceOptions options;
    options.weights_per_item = ranks.kinds;
    options.tolerance = *rc::gen::element(0.0, 0.0, 0.05, 0.25, 1.0);
    options.machines_first = *rc::gen::arbitrary<bool>();
    return options;
}

// The best level and then the fewest moves of items of one kind on ranks that are alike, by a
// search that shares nothing with the library.
class Exhaustive {
  public:
    explicit Exhaustive(const Ranks& ranks) {
        for (std::size_t r = 0; r < ranks.weights.size(); ++r)
            for (const double weight : ranks.weights[r])
                items_.push_back({weight, r});
        std::sort(items_.begin(), items_.end(), std::greater<>());
        loads_.resize(ranks.weights.size(), 0);
        lowest_ = std::numeric_limits<double>::infinity();
        find_lowest(0, 0);
    }
    [[nodiscard]] double lowest() const { return lowest_; }
    // Over all placements with no load above `most`.
    [[nodiscard]] std::size_t fewest(double most) {
        fewest_ = items_.size() + 1;
        find_fewest(0, 0, most);
        return fewest_;
    }

  private:
    void find_lowest(std::size_t item, double largest) {
        if (largest >= lowest_) return;
        if (item == items_.size()) {
            lowest_ = largest;
            return;
        }
        for (double& load : loads_) {
            load += items_[item].first;
            find_lowest(item + 1, std::max(largest, load));
            load -= items_[item].first;
        }
    }
    void find_fewest(std::size_t item, std::size_t moves, double most) {
        if (moves >= fewest_) return;
        if (item == items_.size()) {
            fewest_ = moves;
            return;
        }
        for (std::size_t r = 0; r < loads_.size(); ++r) {
            if (loads_[r] + items_[item].first > most + 1e-9) continue;
            loads_[r] += items_[item].first;
            find_fewest(item + 1, moves + (r == items_[item].second ? 0 : 1), most);
            loads_[r] -= items_[item].first;
        }
    }

    std::vector<std::pair<double, std::size_t>> items_;
    std::vector<double> loads_;
    double lowest_ = 0;
    std::size_t fewest_ = 0;
};

// `count` items at random on four ranks.
Ranks twelve(std::uint64_t seed, std::size_t count) {
    RandomStream random(seed, Purpose::loads, 0);
    Ranks ranks;
    ranks.weights.resize(4);
    for (std::size_t i = 0; i < count; ++i)
        ranks.weights[random.below(4)].push_back(
            static_cast<double>(1 + random.below(seed % 2 == 0 ? 20 : 1000)));
    return ranks;
}

void expect_exact(const Ranks& ranks, double tolerance) {
    const Placement placement = place(ranks.views(), {.tolerance = tolerance});
    Exhaustive exhaustive(ranks);
    const double bound = std::max(exhaustive.lowest(), (1 + tolerance) * placement.share);
    EXPECT_LE(placement.largest, bound + 1e-9);
    EXPECT_EQ(static_cast<Tokens>(exhaustive.fewest(bound)), placement.moved);
    EXPECT_LE(placement.largest_at_least, exhaustive.lowest() + 1e-9);
    EXPECT_LE(placement.moved_at_least, placement.moved);
}

TEST(Place, IsTheBestOfAllPlacementsOfAFewItems) {
    EXPECT_TRUE(test::holds("as good as an exhaustive search", [] {
        const Ranks ranks = drawn(4, 6);
        const PlaceOptions options = drawn_options(ranks);
        const Judge judge(ranks, options);
        const Placement placement = place(ranks.views(), options);
        const Merit best = judge.best();
        const Merit found = judge.merit(placement);
        RC_ASSERT(!clearly_better(best, found));
        RC_ASSERT(!clearly_better(found, best));
    }));
}

TEST(Place, IsTheBestOfAllPlacementsOfTwelveItemsOnFourRanks) {
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        for (const double tolerance : {0.0, 0.1})
            expect_exact(twelve(seed, 12), tolerance);
}

TEST(PlaceLong, IsTheBestOfAllPlacementsOfTwelveItemsOnFourRanks) {
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        for (const double tolerance : {0.0, 0.02, 0.1, 0.5})
            expect_exact(twelve(seed, 9 + seed % 4), tolerance);
}

TEST(Place, ItsLowerBoundsHoldForEveryPlacement) {
    EXPECT_TRUE(test::holds("no placement is below the bounds", [] {
        const Ranks ranks = drawn(3, 6);
        const PlaceOptions options = drawn_options(ranks);
        const Judge judge(ranks, options);
        const Placement placement = place(ranks.views(), options);
        RC_ASSERT(placement.largest_at_least <= placement.largest);
        const double level = judge.merit(placement).level;
        judge.for_all([&](const Merit& merit, double largest) {
            RC_ASSERT(largest >= placement.largest_at_least * (1 - 1e-9));
            if (merit.level > level * (1 + 1e-9)) return;
            RC_ASSERT(merit.items >= static_cast<double>(placement.moved_at_least));
            RC_ASSERT(merit.bytes >= placement.bytes_at_least * (1 - 1e-9));
        });
    }));
}

TEST(Place, IsNeverWorseThanBeforeOrThanTheRuleOfLines) {
    EXPECT_TRUE(test::holds("neither in the level nor, at the same, in moves", [] {
        Ranks ranks = drawn(9, *rc::gen::element(20U, 60U, 200U));
        const PlaceOptions options = drawn_options(ranks);
        const Judge judge(ranks, options);
        const Placement placement = place(ranks.views(), options);
        const Merit found = judge.merit(placement);
        RC_ASSERT(!clearly_better(judge.merit(judge.homes()), found));
        RC_ASSERT(placement.largest <= placement.largest_before * (1 + 1e-9));
        if (ranks.kinds == 1) RC_ASSERT(!clearly_better(judge.merit(by_lines(ranks)), found));
    }));
}

TEST(Place, LowersNoKindOfWeightByALargerLoadOfAnother) {
    // What is pinned makes the shares of the two kinds different parts of their averages.
    const std::vector<double> first = {6, 1, 3, 6, 3, 8};
    const std::vector<double> second = {1e6, 7, 2, 1e6, 9, 4};
    const std::vector<RankItems> ranks = {{.weights = first, .pinned = 3, .speed = 0.5},
                                          {.weights = second, .pinned = 1, .speed = 1.5}};
    for (const double tolerance : {0.0, 0.05}) {
        const Placement placement = place(ranks, {.tolerance = tolerance, .weights_per_item = 2});
        EXPECT_LE(placement.largest, placement.largest_before * (1 + 1e-9));
        EXPECT_LE(placement.moved_at_least, placement.moved);
    }
}

TEST(Place, TakesThePlacementThatLowersTheLevelWithoutALargerLoad) {
    // With all on rank 0 the level is as low, and one item moves; but the first weights would then
    // be 2 averages there, where the largest load was 1.75.
    const std::vector<double> first = {4, 1};
    const std::vector<double> second = {0, 5, 1, 2};
    const std::vector<RankItems> ranks = {{.weights = first}, {.weights = second, .pinned = 1}};
    const Placement placement = place(ranks, {.weights_per_item = 2});
    EXPECT_DOUBLE_EQ(1.75, placement.largest_before);
    EXPECT_DOUBLE_EQ(1.6, placement.largest);
    EXPECT_EQ((std::vector<Relocation>{{0, 0, 1}, {1, 1, 0}}), placement.moves);
}

TEST(Place, EmptiesRanksOfSpeedZeroOfAllThatIsNotPinned) {
    for (const double part : {0.0, 1e-19, 1e-18, 1e-16, 1e-15, 1e-9, 0.1})
        for (const std::size_t items : {1U, 3U, 20U})
            for (const Tokens pinned : {0, 1})
                for (const std::size_t count : {2U, 3U, 5U}) {
                    Ranks ranks;
                    ranks.weights.assign(count, {});
                    ranks.weights[0] = {6};
                    ranks.weights.back() = std::vector<double>(items, 6 * part);
                    ranks.pinned.assign(count, 0);
                    ranks.pinned[0] = pinned;
                    ranks.speeds.assign(count, 1);
                    ranks.speeds.back() = 0;
                    const Placement placement = place(ranks.views(), {.tolerance = 0.2});
                    std::size_t left = 0;
                    for (const Relocation& move : placement.moves) {
                        EXPECT_LT(0, ranks.speeds[static_cast<std::size_t>(move.to)]);
                        left += move.from + 1 == static_cast<int>(count) ? 1U : 0U;
                    }
                    EXPECT_EQ(items, left) << count << " ranks, parts of " << part;
                    EXPECT_LE(items, static_cast<std::size_t>(placement.moved_at_least) +
                                         (part > 0.01 ? items : 0U));
                }
}

TEST(Place, SendsWhatWeighsNothingEvenlyAndOnItsMachineIfItCan) {
    Ranks ranks;
    ranks.weights = {std::vector<double>(7, 0), {0, 5, 0}, {5}, {5}, {}, {5}};
    ranks.sizes = {std::vector<double>(7, 2), {1, 1, 1}, {1}, {1}, {}, {1}};
    ranks.speeds = {0, 1, 1, 1, 0, 1};
    ranks.machines = {0, 1, 0, 0, 1, 1};
    const Placement near = place(ranks.views(), {.machines_first = true});
    EXPECT_EQ(7, near.moved);
    EXPECT_EQ(7, near.moved_at_least);
    EXPECT_EQ(0, near.between_machines);
    EXPECT_EQ(14, near.bytes_moved);
    EXPECT_EQ(14, near.bytes_at_least);
    for (const Relocation& move : near.moves)
        EXPECT_EQ(move.place < 4 ? 2 : 3, move.to);
    const Placement anywhere = place(ranks.views());
    EXPECT_EQ(7, anywhere.moved);
    EXPECT_EQ(3, anywhere.between_machines);
}

TEST(Place, IsExactForTheSmallestWeightsToo) {
    // Down to multiples of the smallest double above 0.
    for (const double unit : {1e-300, 1e-310, 5e-324}) {
        const std::vector<double> weights = {8 * unit, 5 * unit, 4 * unit, 3 * unit};
        const std::vector<RankItems> ranks = {{.weights = weights}, {}};
        const Placement placement = place(ranks);
        EXPECT_NEAR(1, placement.largest_before / (20 * unit), 1e-9);
        EXPECT_DOUBLE_EQ((8 * unit) + (3 * unit), placement.largest);
        EXPECT_LE(placement.largest_at_least, placement.largest);
        EXPECT_EQ(2, placement.moved);
    }
}

TEST(Place, SaysWhatIsWrong) {
    const std::vector<double> weights = {1, 2};
    const std::vector<RankItems> stopped = {{.weights = weights, .speed = 0}, {.speed = 0}};
    EXPECT_THROW(static_cast<void>(place(stopped)), InputError);
    const std::vector<double> huge(2, 1.7e308);
    const std::vector<RankItems> overflowing = {{.weights = huge}, {}};
    EXPECT_THROW(static_cast<void>(place(overflowing)), InputError);
    const std::vector<RankItems> some = {{.weights = weights, .sizes = weights},
                                         {.weights = weights}};
    EXPECT_THROW(static_cast<void>(place(some)), InputError);
}

TEST(Place, HeedsMachinesBeforeItems) {
    // Two machines of two ranks; ten items of weight 1 too many on rank 0: rank 1 takes what its
    // machine can hold, whatever is nearer.
    Ranks ranks;
    ranks.weights = {std::vector<double>(40, 1), std::vector<double>(16, 1),
                     std::vector<double>(20, 1), std::vector<double>(4, 1)};
    ranks.machines = {0, 0, 1, 1};
    const Placement first = place(ranks.views(), {.machines_first = true});
    EXPECT_DOUBLE_EQ(20, first.largest);
    EXPECT_EQ(16, first.between_machines);
    EXPECT_EQ(20, first.moved);
}

TEST(Place, LevelsEveryKindOfWeight) {
    // Phases that lie on different ranks: each must be level by itself.
    Ranks ranks;
    ranks.kinds = 2;
    ranks.weights.resize(4);
    for (int i = 0; i < 40; ++i) {
        for (const double weight : {1.0, 0.0})
            ranks.weights[0].push_back(weight);
        for (const double weight : {0.0, 1.0})
            ranks.weights[1].push_back(weight);
    }
    const Placement placement = place(ranks.views(), {.weights_per_item = 2});
    EXPECT_DOUBLE_EQ(1, placement.largest);
    EXPECT_DOUBLE_EQ(1, placement.largest_at_least);
    EXPECT_EQ(60, placement.moved);
    EXPECT_EQ(60, placement.moved_at_least);
}

}  // namespace
}  // namespace equipoise::placement
