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
#include "equipoise/placement/own_items.hpp"
#include "equipoise/placement/shared_plan.hpp"
#include "equipoise/placement/targets.hpp"
#include "equipoise/placement/weighted.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

// Weights, sizes and the rest of some ranks, with memory of their own.
struct Ranks {
    std::vector<std::vector<double>> weights;
    std::vector<std::vector<double>> sizes;
    std::vector<Tokens> pinned;
    std::vector<double> speeds;
    std::vector<int> machines;
    std::size_t kinds = 1;

    [[nodiscard]] std::vector<RankItems> views() const {
        std::vector<RankItems> all(weights.size());
        for (std::size_t r = 0; r < all.size(); ++r) {
            all[r].weights = weights[r];
            if (!sizes.empty()) all[r].sizes = sizes[r];
            if (!pinned.empty()) all[r].pinned = pinned[r];
            if (!speeds.empty()) all[r].speed = speeds[r];
            if (!machines.empty()) all[r].machine = machines[r];
        }
        return all;
    }
    [[nodiscard]] std::size_t items(std::size_t rank) const { return weights[rank].size() / kinds; }
};

// What decides between placements, from best to worst.
struct Merit {
    double level = 0;  // or the bound
    double between = 0;
    double bytes = 0;
    double items = 0;
};
bool clearly_better(const Merit& a, const Merit& b) {
    constexpr double slack = 1e-9;
    if (std::abs(a.level - b.level) > slack * b.level) return a.level < b.level;
    if (std::abs(a.between - b.between) > slack) return a.between < b.between;
    if (std::abs(a.bytes - b.bytes) > slack) return a.bytes < b.bytes;
    return a.items < b.items - slack;
}

// Judges placements by itself, in real numbers.
class Judge {
  public:
    Judge(const Ranks& ranks, const PlaceOptions& options) : ranks_(&ranks), options_(&options) {
        for (std::size_t r = 0; r < ranks.weights.size(); ++r) {
            for (std::size_t i = 0; i < ranks.items(r); ++i)
                if (static_cast<Tokens>(i) >= pinned(r)) free_.push_back({r, i});
        }
        shares_.resize(ranks.kinds);
        for (std::size_t kind = 0; kind < ranks.kinds; ++kind)
            shares_[kind] = share(kind);
    }

    // By free item: its rank.
    [[nodiscard]] Merit merit(const std::vector<std::size_t>& at) const {
        const std::size_t kinds = ranks_->kinds;
        const std::size_t count = ranks_->weights.size();
        std::vector<double> loads = stays();
        Merit merit;
        for (std::size_t f = 0; f < free_.size(); ++f) {
            const auto [home, item] = free_[f];
            for (std::size_t kind = 0; kind < kinds; ++kind)
                loads[at[f] * kinds + kind] += ranks_->weights[home][item * kinds + kind];
            if (at[f] == home) continue;
            const double size = ranks_->sizes.empty() ? 1 : ranks_->sizes[home][item];
            merit.items += 1;
            if (!ranks_->sizes.empty()) merit.bytes += size;
            if (options_->machines_first && ranks_->machines[home] != ranks_->machines[at[f]])
                merit.between += size;
        }
        const std::vector<double> pinned = stays();
        for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                const double load = loads[r * kinds + kind];
                if (load > pinned[r * kinds + kind])
                    merit.level = std::max(merit.level, load / (shares_[kind] * speed(r)));
            }
        }
        merit.level = std::max(merit.level, 1 + options_->tolerance);
        return merit;
    }

    // The best of all placements.
    [[nodiscard]] Merit best() const {
        const std::size_t count = ranks_->weights.size();
        std::vector<std::size_t> at(free_.size(), 0);
        Merit best = merit(at);
        while (true) {
            std::size_t f = 0;
            while (f < at.size() && ++at[f] == count)
                at[f++] = 0;
            if (f == at.size()) return best;
            const Merit found = merit(at);
            if (clearly_better(found, best)) best = found;
        }
    }

    // Calls `each(merit, largest)` for all placements.
    template <class Each>
    void for_all(const Each& each) const {
        const std::size_t count = ranks_->weights.size();
        std::vector<std::size_t> at(free_.size(), 0);
        while (true) {
            each(merit(at), largest(at));
            std::size_t f = 0;
            while (f < at.size() && ++at[f] == count)
                at[f++] = 0;
            if (f == at.size()) return;
        }
    }

    // The largest load per unit of speed, in averages if there are several kinds.
    [[nodiscard]] double largest(const std::vector<std::size_t>& at) const {
        const std::size_t kinds = ranks_->kinds;
        std::vector<double> loads = stays();
        for (std::size_t f = 0; f < free_.size(); ++f)
            for (std::size_t kind = 0; kind < kinds; ++kind)
                loads[at[f] * kinds + kind] +=
                    ranks_->weights[free_[f].first][free_[f].second * kinds + kind];
        double most = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            double total = 0;
            double speeds = 0;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r) {
                total += loads[r * kinds + kind];
                speeds += speed(r);
            }
            const double unit = kinds == 1 || total <= 0 ? 1 : total / speeds;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
                if (loads[r * kinds + kind] > 0)
                    most = std::max(most, loads[r * kinds + kind] / speed(r) / unit);
        }
        return most;
    }

    [[nodiscard]] std::vector<std::size_t> homes() const {
        std::vector<std::size_t> at;
        for (const auto& [home, item] : free_)
            at.push_back(home);
        return at;
    }

    [[nodiscard]] Merit merit(const Placement& placement) const {
        std::vector<std::size_t> at(free_.size());
        for (std::size_t f = 0; f < free_.size(); ++f)
            at[f] = free_[f].first;
        for (const Relocation& move : placement.moves) {
            const auto found = std::find(free_.begin(), free_.end(),
                                         std::pair(static_cast<std::size_t>(move.from),
                                                   static_cast<std::size_t>(move.place)));
            EXPECT_NE(found, free_.end()) << "a pinned item moves";
            EXPECT_NE(move.from, move.to);
            at[static_cast<std::size_t>(found - free_.begin())] = static_cast<std::size_t>(move.to);
        }
        return merit(at);
    }

  private:
    [[nodiscard]] Tokens pinned(std::size_t rank) const {
        return ranks_->pinned.empty() ? 0 : ranks_->pinned[rank];
    }
    [[nodiscard]] double speed(std::size_t rank) const {
        return ranks_->speeds.empty() ? 1 : ranks_->speeds[rank];
    }
    [[nodiscard]] std::vector<double> stays() const {
        std::vector<double> loads(ranks_->weights.size() * ranks_->kinds, 0);
        for (std::size_t r = 0; r < ranks_->weights.size(); ++r) {
            for (Tokens i = 0; i < pinned(r); ++i)
                for (std::size_t kind = 0; kind < ranks_->kinds; ++kind)
                    loads[r * ranks_->kinds + kind] +=
                        ranks_->weights[r][static_cast<std::size_t>(i) * ranks_->kinds + kind];
        }
        return loads;
    }
    // The level of water that is poured over what is pinned, in vessels as wide as speeds.
    [[nodiscard]] double share(std::size_t kind) const {
        const std::vector<double> pinned = stays();
        double total = 0;
        double most = 0;
        for (const auto& weights : ranks_->weights)
            for (std::size_t i = kind; i < weights.size(); i += ranks_->kinds)
                total += weights[i];
        for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
            if (speed(r) > 0) most = std::max(most, total / speed(r));
        double low = 0;
        double high = most;
        for (int step = 0; step < 200; ++step) {
            const double middle = (low + high) / 2;
            double held = 0;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
                held += std::max(middle * speed(r), pinned[r * ranks_->kinds + kind]);
            (held < total ? low : high) = middle;
        }
        return high;
    }

    const Ranks* ranks_;
    const PlaceOptions* options_;
    std::vector<std::pair<std::size_t, std::size_t>> free_;  // rank and place
    std::vector<double> shares_;
};

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

// Where the rule of weighted.hpp puts each item that is not pinned, in real numbers.
std::vector<std::size_t> by_lines(const Ranks& ranks) {
    const std::size_t count = ranks.weights.size();
    std::vector<double> loads(count, 0);
    std::vector<double> pinned(count, 0);
    for (std::size_t r = 0; r < count; ++r) {
        loads[r] = std::accumulate(ranks.weights[r].begin(), ranks.weights[r].end(), 0.0);
        pinned[r] = std::accumulate(ranks.weights[r].begin(),
                                    ranks.weights[r].begin() + ranks.pinned[r], 0.0);
    }
    const std::vector<double> targets = weight_targets(loads, pinned, ranks.speeds);
    std::vector<Cut> cuts;
    std::vector<WeightedRank> parts;
    for (std::size_t r = 0; r < count; ++r) {
        cuts.push_back(cut_at(ranks.weights[r], ranks.pinned[r], targets[r]));
        parts.push_back({loads[r], targets[r], cuts[r].kept_weight, cuts[r].next_weight});
    }
    const WeightedLines lines = weighted_lines(parts);
    std::vector<std::size_t> at;
    for (std::size_t r = 0; r < count; ++r) {
        const Tokens kept = cuts[r].kept + (lines.keeps_next[r] ? 1 : 0);
        const auto parcels = weighted_parcels(lines, static_cast<int>(r), ranks.weights[r], kept);
        const auto stay = parcels.empty() ? static_cast<Tokens>(ranks.weights[r].size()) : kept;
        for (Tokens i = ranks.pinned[r]; i < stay; ++i)
            at.push_back(r);
        for (const WeightedParcel& parcel : parcels)
            at.insert(at.end(), static_cast<std::size_t>(parcel.items),
                      static_cast<std::size_t>(parcel.to));
    }
    return at;
}

// The best level and then the fewest moves of items of one kind on ranks that are alike, by a search
// that shares nothing with the library.
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
        if (ranks.kinds == 1) RC_ASSERT(!clearly_better(judge.merit(by_lines(ranks)), found));
    }));
}

// What must hold of every placement.
void expect_consistent(const Ranks& ranks, const PlaceOptions& options,
                       const Placement& placement) {
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
    static_cast<void>(options);
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
            expect_consistent(ranks, options, placement);
            EXPECT_LE(placement.largest, placement.share * (1 + tolerance) * (1 + 1e-9));
            EXPECT_LE(placement.moved, placement.moved_at_least + 12);
        }
    }
}

TEST(PlaceMany, LevelsToAFractionOfASmallItem) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Ranks ranks = many(12, 30'000, seed);
        const Placement placement = place(ranks.views());
        expect_consistent(ranks, {}, placement);
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
            expect_consistent(ranks, options, placement);
            EXPECT_LE(placement.largest, placement.largest_before);
            // A pile whose pinned part is above its share cannot be level.
            if (seed == 0) continue;
            EXPECT_LE(placement.largest, placement.share * 1.1 * (1 + 1e-9));
        }
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
    expect_consistent(ranks, options, placement);
    EXPECT_LE(placement.largest, placement.share * 1.01 * (1 + 1e-9));
    EXPECT_LE(placement.moved, placement.moved_at_least * 101 / 100);
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
