// Weighted items on ranks that have room for so many items, or so many bytes.

#include "equipoise/placement/few_moves/rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "tests/support/property.hpp"
#include "tests/unit/placement/judge.hpp"

namespace equipoise::placement::rooms_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A placement, or what is said instead of one.
struct Outcome {
    std::optional<Placement> placement;
    std::string refusal;
};
Outcome outcome_of(const Ranks& ranks, const PlaceOptions& options) {
    try {
        return {place(ranks.views(), options), {}};
    } catch (const InputError& error) {
        return {std::nullopt, error.what()};
    }
}

// Whether what is found, for items that are all looked at, is the best of all placements.
std::string faults(const Ranks& ranks, const PlaceOptions& options) {
    const Judge judge(ranks, options);
    const Merit best = judge.best();
    const Outcome outcome = outcome_of(ranks, options);
    if (!std::isfinite(best.level))
        return outcome.placement ? "it is said to be possible" : std::string();
    if (!outcome.placement) return "refused: " + outcome.refusal;
    const Placement& placement = *outcome.placement;
    if (!judge.has_room(judge.at(placement))) return "it exceeds a limit";
    const Merit found = judge.merit(placement);
    if (clearly_better(best, found) || clearly_better(found, best))
        return "level " + std::to_string(found.level) + " with " + std::to_string(found.items) +
               " items moved, possible is " + std::to_string(best.level) + " with " +
               std::to_string(best.items);
    std::string below;
    judge.for_all([&](const Merit& merit, double largest) {
        if (!std::isfinite(merit.level)) return;
        if (largest < placement.largest_at_least * (1 - 1e-9)) below = "a bound on loads is wrong";
        if (merit.level > found.level * (1 + 1e-9)) return;
        if (merit.items < static_cast<double>(placement.moved_at_least) ||
            merit.bytes < placement.bytes_at_least * (1 - 1e-9))
            below = "a bound on moves is wrong";
    });
    return below;
}

TEST(PlaceInRooms, IsTheBestOfAllPlacementsOfFourItemsOnThreeRanks) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    static constexpr double weight[] = {0, 1, 3};
    static constexpr double size[] = {1, 2, 4};
    for (unsigned drawn = 0; drawn < 81 * 81; drawn += 7) {
        Ranks ranks;
        ranks.weights.resize(3);
        ranks.sizes.resize(3);
        ranks.machines = {0, 1, 0};
        ranks.pinned.assign(3, 0);
        unsigned rest = drawn;
        for (unsigned item = 0; item < 4; ++item, rest /= 9) {
            const std::size_t home = item < 3 ? 0 : drawn % 3;
            ranks.weights[home].push_back(weight[rest % 3]);
            ranks.sizes[home].push_back(size[rest / 3 % 3]);
        }
        for (const auto& most : {std::array<Tokens, 3>{2, 2, 2}, std::array<Tokens, 3>{0, 4, 1},
                                 std::array<Tokens, 3>{4, 4, 4}, std::array<Tokens, 3>{1, 1, 1}})
            for (const auto& bytes : {std::array{infinite, infinite, infinite},
                                      std::array{5.0, 5.0, 5.0}, std::array{3.0, 8.0, infinite}})
                for (const bool machines : {false, true}) {
                    ranks.most.assign(most.begin(), most.end());
                    ranks.bytes_most.assign(bytes.begin(), bytes.end());
                    ASSERT_EQ(faults(ranks, {.machines_first = machines}), "")
                        << drawn << ": " << most[0] << ", " << bytes[0] << ", " << machines;
                }
    }
}

// Numbers and choices that follow from a seed.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed, Purpose::loads, 0) {}
    std::size_t below(std::size_t limit) { return random_.below(limit); }
    double real_below(std::size_t limit) { return static_cast<double>(random_.below(limit)); }
    bool one_in(std::size_t limit) { return random_.below(limit) == 0; }
    template <class Value>
    Value one_of(std::initializer_list<Value> values) {
        return *(values.begin() + random_.below(values.size()));
    }

  private:
    RandomStream random_;
};

std::uint64_t drawn_seed() {
    return *rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()));
}

// Limits of any kind, often exceeded at first; a placement that keeps them exists, unless items are
// pinned.
Ranks drawn(std::uint64_t seed, std::size_t count, std::size_t items, bool may_pin) {
    Draw draw(seed);
    Ranks ranks;
    ranks.kinds = draw.one_in(4) ? 2 : 1;
    const auto weight_max = draw.one_of<std::size_t>({1, 3, 100, 5000});
    const auto size_max = draw.one_of<std::size_t>({1, 4, 1000});
    const bool skewed = draw.one_in(2);
    const std::size_t pile = draw.below(count);
    ranks.weights.resize(count);
    ranks.sizes.resize(count);
    std::vector<Tokens> some_items(count, 0);
    std::vector<double> some_bytes(count, 0);
    const bool speeds = draw.one_in(3);
    for (std::size_t r = 0; r < count; ++r) {
        ranks.speeds.push_back(!speeds ? 1 : r == 0 ? 1 + draw.real_below(3) : draw.real_below(4));
        ranks.machines.push_back(static_cast<int>(draw.below(2)));
    }
    for (std::size_t i = 0; i < items; ++i) {
        const std::size_t home = skewed && i % 3 != 0 ? pile : draw.below(count);
        for (std::size_t kind = 0; kind < ranks.kinds; ++kind)
            ranks.weights[home].push_back(draw.real_below(weight_max + 1) / 16);
        ranks.sizes[home].push_back(draw.real_below(size_max + 1));
        std::size_t to = draw.below(count);
        if (ranks.speeds[to] == 0) to = 0;
        ++some_items[to];
        some_bytes[to] += ranks.sizes[home].back();
    }
    const bool pins = may_pin && draw.one_in(3);
    const bool items_limited = draw.one_in(2);
    const bool bytes_limited = !items_limited || draw.one_in(2);
    for (std::size_t r = 0; r < count; ++r) {
        const std::size_t pinned = pins ? draw.below(ranks.items(r) / 2 + 1) : 0;
        ranks.pinned.push_back(static_cast<Tokens>(pinned));
        const auto first = ranks.sizes[r].begin();
        const double pinned_bytes =
            std::accumulate(first, first + static_cast<std::ptrdiff_t>(pinned), 0.0);
        const auto more = draw.one_of<Tokens>({0, 0, 1, 3});
        const auto more_bytes = draw.one_of<double>({0, 1, 5, static_cast<double>(size_max)});
        if (items_limited)
            ranks.most.push_back(std::max(ranks.pinned.back(), some_items[r] + more));
        if (bytes_limited)
            ranks.bytes_most.push_back(
                draw.one_in(5) ? infinite : std::max(pinned_bytes, some_bytes[r] + more_bytes));
    }
    if (!bytes_limited && draw.one_in(2)) ranks.sizes.clear();
    return ranks;
}

PlaceOptions drawn_options(std::uint64_t seed, const Ranks& ranks) {
    Draw draw(seed + 1);
    return {.tolerance = draw.one_of({0.0, 0.0, 0.05, 0.25, 1.0}),
            .weights_per_item = ranks.kinds,
            .machines_first = draw.one_in(2)};
}

TEST(PlaceInRooms, IsTheBestOfAllPlacementsOfDrawnItems) {
    EXPECT_TRUE(test::holds("no placement is better", [] {
        const std::uint64_t seed = drawn_seed();
        const std::size_t count = 2 + seed % 3;
        const Ranks ranks = drawn(seed, count, 3 + seed / 3 % (count < 4 ? 4 : 3), true);
        const PlaceOptions options = drawn_options(seed, ranks);
        const Judge judge(ranks, options);
        // With several kinds of weights, levels above the first are measured otherwise.
        if (ranks.kinds > 1 && !judge.has_room(judge.homes())) return;
        const std::string found = faults(ranks, options);
        if (!found.empty()) RC_LOG() << found << ", seed " << seed;
        RC_ASSERT(found.empty());
    }));
}

// What must hold of every outcome; whether there is a placement.
bool expect_limits_kept(const Ranks& ranks, const PlaceOptions& options) {
    const Judge judge(ranks, options);
    const Outcome outcome = outcome_of(ranks, options);
    const bool stays_allowed = judge.has_room(judge.homes());
    if (!outcome.placement) {
        EXPECT_FALSE(stays_allowed) << outcome.refusal;
        EXPECT_FALSE(ranks.bytes_most.empty()) << outcome.refusal;
        EXPECT_NE(outcome.refusal.find("though there may be one: rank "), std::string::npos)
            << outcome.refusal;
        return false;
    }
    const Placement& placement = *outcome.placement;
    EXPECT_TRUE(judge.has_room(judge.at(placement)));
    EXPECT_LE(placement.moved_at_least, placement.moved);
    EXPECT_LE(placement.bytes_at_least, placement.bytes_moved * (1 + 1e-9));
    EXPECT_LE(placement.largest_at_least, placement.largest);
    const Merit found = judge.merit(placement);
    EXPECT_TRUE(!stays_allowed || !clearly_better(judge.merit(judge.homes()), found));
    return true;
}

TEST(PlaceInRooms, KeepsLimitsThatDrawnItemsCanKeep) {
    int refused = 0;
    EXPECT_TRUE(test::holds("limits are kept", [&] {
        const std::uint64_t seed = drawn_seed();
        const std::size_t count = 2 + seed % 9;
        const Ranks ranks = drawn(seed, count, 13 + seed / 9 % (count * 30), false);
        SCOPED_TRACE(seed);
        if (!expect_limits_kept(ranks, drawn_options(seed, ranks))) ++refused;
        RC_ASSERT(!::testing::Test::HasFailure());
    }));
    EXPECT_LE(refused, 5) << "of a hundred";
}

// The largest load with limits on items of equal weight is that of water poured into vessels.
TEST(PlaceInRooms, LevelsWhatOtherRanksHaveNoRoomFor) {
    Ranks ranks;
    ranks.weights = {std::vector<double>(60, 1), {}, {}, {}};
    ranks.most = {100, 3, 7, 100};
    const Placement placement = place(ranks.views());
    EXPECT_DOUBLE_EQ(25, placement.largest);
    EXPECT_DOUBLE_EQ(25, placement.largest_at_least);
    EXPECT_EQ(35, placement.moved);
    EXPECT_EQ(35, placement.moved_at_least);
}

// Half of the heavy items must leave, which have no bytes, and half of those with bytes, which have
// no weight: no item serves both.
TEST(PlaceInRooms, CountsWhatWeightsAndBytesDemandTogether) {
    Ranks ranks;
    ranks.weights = {std::vector<double>(20, 0), {}};
    ranks.sizes = {std::vector<double>(20, 2), {}};
    std::fill_n(ranks.weights[0].begin(), 10, 2);
    std::fill_n(ranks.sizes[0].begin(), 10, 0);
    ranks.bytes_most = {10, 100};
    const Placement placement = place(ranks.views());
    EXPECT_DOUBLE_EQ(10, placement.largest);
    EXPECT_EQ(10, placement.moved_at_least);
    EXPECT_EQ(10, placement.moved);
    EXPECT_DOUBLE_EQ(10, placement.bytes_at_least);
}

TEST(PlaceInRooms, GivesHeavyItemsToRanksWithRoomForFew) {
    // Half of the weight is in 4 items; a rank with room for 2 can hold a fourth of it.
    Ranks ranks;
    ranks.weights = {{10, 10, 10, 10}, std::vector<double>(40, 1), {}, {}};
    ranks.most = {30, 30, 2, 2};
    const Placement placement = place(ranks.views());
    EXPECT_DOUBLE_EQ(20, placement.largest);
    EXPECT_DOUBLE_EQ(20, placement.largest_at_least);
}

TEST(PlaceInRooms, SaysThatThereIsTooLittle) {
    Ranks ranks;
    ranks.weights = {{1, 1, 1}, {1}};
    ranks.sizes = {{2, 3, 9}, {5}};
    ranks.most = {2, 1};
    EXPECT_EQ(outcome_of(ranks, {}).refusal,
              "expected room for 4 items on ranks with a speed above 0, found room for 3: 1 too "
              "few");
    ranks.most.clear();
    ranks.bytes_most = {8, 10};
    EXPECT_EQ(
        outcome_of(ranks, {}).refusal,
        "expected room for 19 bytes on ranks with a speed above 0, found room for 18 bytes: 1 "
        "byte too few");
    ranks.bytes_most = {13, 6};
    EXPECT_EQ(outcome_of(ranks, {}).refusal,
              "expected limits that some placement keeps, found that none does: rank 0 would hold "
              "1 byte more than it has room for");
    ranks.bytes_most = {8, 8};
    ranks.weights.emplace_back();
    ranks.sizes.emplace_back();
    ranks.bytes_most.push_back(8.5);
    EXPECT_EQ(
        outcome_of(ranks, {}).refusal,
        "expected a rank with room for item 2 of rank 0, of 9 bytes, found room for at most 8.5 "
        "bytes");
    ranks.sizes[1].clear();
    EXPECT_EQ(outcome_of(ranks, {}).refusal,
              "expected sizes of the items of all ranks or of none, found none on rank 1");
}

TEST(PlaceInRooms, DoesNotClaimThatThereIsNoPlacementWhereItCannotKnow) {
    // Sixteen items of 6 bytes for eight ranks of 11: two fit nowhere together.
    Ranks ranks;
    ranks.weights.assign(8, {});
    ranks.sizes.assign(8, {});
    ranks.weights[0].assign(16, 1);
    ranks.sizes[0].assign(16, 6);
    ranks.bytes_most.assign(8, 12);
    EXPECT_EQ(outcome_of(ranks, {}).refusal, "");
    ranks.bytes_most.assign(8, 11);
    ranks.bytes_most[0] = 40;
    EXPECT_EQ(outcome_of(ranks, {}).refusal.find(
                  "expected a placement that keeps all limits, found none, though there may be "
                  "one: rank "),
              0U);
}

// More items than are all gathered.
Ranks many(std::uint64_t seed, std::size_t count, std::size_t each, std::size_t kinds) {
    RandomStream random(seed, Purpose::loads, 3);
    Ranks ranks;
    ranks.kinds = kinds;
    ranks.weights.resize(count);
    ranks.sizes.resize(count);
    for (std::size_t r = 0; r < count; ++r) {
        const std::size_t items = seed % 2 == 0 && r > 0 ? each / 4 : 2 * each;
        for (std::size_t i = 0; i < items; ++i) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                ranks.weights[r].push_back(static_cast<double>(1 + random.below(1000)) *
                                           (r % 3 == 0 ? 1 : 7));
            ranks.sizes[r].push_back(static_cast<double>(1 + random.below(100)));
        }
        ranks.machines.push_back(static_cast<int>(r % 3));
    }
    return ranks;
}

// Room for `slack` times the average.
void limit_items(Ranks& ranks, double slack) {
    std::size_t items = 0;
    for (std::size_t r = 0; r < ranks.weights.size(); ++r)
        items += ranks.items(r);
    ranks.most.assign(ranks.weights.size(),
                      static_cast<Tokens>(std::ceil(static_cast<double>(items) * slack /
                                                    static_cast<double>(ranks.weights.size()))));
}
void limit_bytes(Ranks& ranks, double slack) {
    double bytes = 0;
    for (const auto& sizes : ranks.sizes)
        bytes = std::accumulate(sizes.begin(), sizes.end(), bytes);
    ranks.bytes_most.assign(ranks.weights.size(),
                            std::ceil(bytes * slack / static_cast<double>(ranks.weights.size())));
}

// The largest load, and that limits are kept.
double largest_of_many(const Ranks& ranks, const PlaceOptions& options) {
    const Placement placement = place(ranks.views(), options);
    std::vector<Tokens> items;
    std::vector<double> bytes;
    for (std::size_t r = 0; r < ranks.weights.size(); ++r) {
        items.push_back(static_cast<Tokens>(ranks.items(r)));
        bytes.push_back(std::accumulate(ranks.sizes[r].begin(), ranks.sizes[r].end(), 0.0));
    }
    for (const Relocation& move : placement.moves) {
        const auto from = static_cast<std::size_t>(move.from);
        const auto to = static_cast<std::size_t>(move.to);
        --items[from];
        ++items[to];
        const double size = ranks.sizes[from][static_cast<std::size_t>(move.place)];
        bytes[from] -= size;
        bytes[to] += size;
        EXPECT_TRUE(ranks.pinned.empty() || move.place >= ranks.pinned[from]);
    }
    for (std::size_t r = 0; r < items.size(); ++r) {
        EXPECT_TRUE(ranks.most.empty() || items[r] <= ranks.most[r]);
        EXPECT_TRUE(ranks.bytes_most.empty() || bytes[r] <= ranks.bytes_most[r]);
    }
    EXPECT_LE(placement.moved_at_least, placement.moved);
    EXPECT_LE(placement.largest_at_least, placement.largest);
    return placement.largest / placement.share;
}

TEST(PlaceManyInRooms, KeepsLimitsAndIsNearlyLevel) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (std::uint64_t seed = 0; seed < 2; ++seed)
        for (const std::size_t kinds : {1U, 2U})
            for (const bool machines : {false, true}) {
                const PlaceOptions options = {
                    .tolerance = 0.05, .weights_per_item = kinds, .machines_first = machines};
                Ranks ranks = many(seed, 8, 3000, kinds);
                limit_items(ranks, 1.1);
                EXPECT_LE(largest_of_many(ranks, options), 1.0501) << seed << ", " << kinds;
                limit_bytes(ranks, 1.2);
                EXPECT_LE(largest_of_many(ranks, options), 1.0501) << seed << ", " << kinds;
                ranks.most.clear();
                EXPECT_LE(largest_of_many(ranks, options), 1.0501) << seed << ", " << kinds;
            }
}

TEST(PlaceManyInRooms, FindsRoomForAllItemsWhereTheyNeedAllOfIt) {
    for (const bool stopped : {false, true}) {
        Ranks ranks = many(0, 6, 6000, 1);
        ranks.speeds.assign(6, 1);
        ranks.pinned.assign(6, 0);
        if (stopped) {
            ranks.speeds[0] = 0;
            ranks.pinned[0] = 17;
            std::fill_n(ranks.weights[0].begin() + 17, 5000, 0.0);
        }
        std::size_t items = 0;
        for (std::size_t r = 0; r < 6; ++r)
            items += ranks.items(r);
        for (Tokens r = 0; r < 5; ++r)
            ranks.most.push_back(1000 + 700 * r);
        const Tokens others = stopped ? 17 + 4 * 1000 + 700 * 10 : 5 * 1000 + 700 * 10;
        ranks.most.push_back(static_cast<Tokens>(items) - others);
        largest_of_many(ranks, {});
    }
}

TEST(PlaceManyInRooms, IsAsGoodAsWithoutLimitsThatDoNotMatter) {
    Ranks ranks = many(1, 6, 4000, 1);
    const Placement free = place(ranks.views(), {.tolerance = 0.01});
    limit_items(ranks, 1.9);
    limit_bytes(ranks, 1.9);
    const Placement limited = place(ranks.views(), {.tolerance = 0.01});
    EXPECT_EQ(free.moves, limited.moves);
    EXPECT_EQ(free.moved_at_least, limited.moved_at_least);
}

}  // namespace
}  // namespace equipoise::placement::rooms_test
