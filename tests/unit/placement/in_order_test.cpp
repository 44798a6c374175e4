#include "equipoise/placement/in_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/placement/in_order/cut_choice.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"
#include "tests/support/property.hpp"
#include "tests/unit/placement/judge.hpp"

namespace equipoise::placement {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double slack = 1 + 1e-9;

// All cuts of a line of items, in real numbers: the levels of parts, and what cuts cost.
class Line {
  public:
    explicit Line(const Ranks& ranks) : ranks_(ranks), sums_(1, std::vector<double>(kinds(), 0)) {
        for (std::size_t rank = 0; rank < parts(); ++rank) {
            for (std::size_t item = 0; item < ranks.items(rank); ++item) {
                owner_.push_back(rank);
                bytes_.push_back(bytes_.back() +
                                 (ranks.sizes.empty() ? 0 : ranks.sizes[rank][item]));
                sums_.push_back(sums_.back());
                for (std::size_t kind = 0; kind < kinds(); ++kind)
                    sums_.back()[kind] += ranks.weights[rank][item * kinds() + kind];
            }
        }
        speed_ = std::accumulate(ranks.speeds.begin(), ranks.speeds.end(), 0.0);
    }

    [[nodiscard]] std::size_t parts() const { return ranks_.weights.size(); }
    [[nodiscard]] std::size_t items() const { return owner_.size(); }
    // How many items a part may have.
    [[nodiscard]] std::size_t room(std::size_t part) const {
        if (ranks_.speeds[part] == 0) return 0;
        return ranks_.most.empty() ? items() : static_cast<std::size_t>(ranks_.most[part]);
    }

    [[nodiscard]] double level(std::size_t part, std::size_t from, std::size_t to) const {
        double level = 0;
        if (to - from > room(part)) return infinite;
        if (!ranks_.bytes_most.empty() && bytes_[to] - bytes_[from] > ranks_.bytes_most[part])
            return infinite;
        for (std::size_t kind = 0; kind < kinds(); ++kind) {
            const double share = sums_.back()[kind] * ranks_.speeds[part] / speed_;
            if (share > 0) level = std::max(level, (sums_[to][kind] - sums_[from][kind]) / share);
        }
        return level;
    }
    [[nodiscard]] double level(const std::vector<std::size_t>& cuts) const {
        double most = 0;
        for (std::size_t part = 0; part < parts(); ++part)
            most = std::max(most, level(part, cuts[part], cuts[part + 1]));
        return most;
    }
    [[nodiscard]] MoveCost cost(std::size_t part, std::size_t from, std::size_t to) const {
        MoveCost cost;
        for (std::size_t item = from; item < to; ++item) {
            if (owner_[item] == part) continue;
            ++cost.moved;
            if (!ranks_.machines.empty() && ranks_.machines[owner_[item]] != ranks_.machines[part])
                ++cost.between;
        }
        return cost;
    }
    [[nodiscard]] MoveCost cost(const std::vector<std::size_t>& cuts) const {
        MoveCost sum;
        for (std::size_t part = 0; part < parts(); ++part)
            sum = sum + cost(part, cuts[part], cuts[part + 1]);
        return sum;
    }

    // The lowest level of all cuts.
    [[nodiscard]] double least_level() const {
        return over_all_cuts<double>(
            infinite, 0, [&](double before, std::size_t part, std::size_t from, std::size_t to) {
                return std::max(before, level(part, from, to));
            });
    }
    // The least cost of cuts up to a level.
    [[nodiscard]] MoveCost least_cost(double most) const {
        const MoveCost never = {Tokens{1} << 60U, 0};
        return over_all_cuts<MoveCost>(
            never, {},
            [&](const MoveCost& before, std::size_t part, std::size_t from, std::size_t to) {
                return before == never || level(part, from, to) > most * (1 + 1e-13)
                           ? never
                           : before + cost(part, from, to);
            });
    }

  private:
    template <class Value, class Join>
    [[nodiscard]] Value over_all_cuts(Value never, Value start, const Join& join) const {
        std::vector<Value> best(items() + 1, never);
        best[0] = start;
        for (std::size_t part = 0; part < parts(); ++part) {
            std::vector<Value> next(items() + 1, never);
            for (std::size_t from = 0; from <= items(); ++from)
                for (std::size_t to = from; to <= items(); ++to)
                    next[to] = std::min(next[to], join(best[from], part, from, to));
            best = next;
        }
        return best.back();
    }
    [[nodiscard]] std::size_t kinds() const { return ranks_.kinds; }

    const Ranks& ranks_;
    std::vector<std::vector<double>> sums_;
    std::vector<std::size_t> owner_;
    std::vector<double> bytes_ = {0};  // of the items before one
    double speed_ = 0;
};

std::vector<std::size_t> cuts_of(const std::vector<Tokens>& sizes) {
    std::vector<std::size_t> cuts = {0};
    for (const Tokens size : sizes)
        cuts.push_back(cuts.back() + static_cast<std::size_t>(size));
    return cuts;
}

// A sketch of all places, one of a few, and none: how cuts are found must not show.
constexpr std::array<std::size_t, 3> sketches = {SharedCuts::sketch_words_max, 12, 0};

// Whether the placement by a sketch is the best of all, and says so.
std::string faults_by(std::size_t sketch, Ranks ranks, const PlaceOptions& options) {
    if (!options.machines_first) ranks.machines.clear();
    const Line line(ranks);
    if (!ranks.sizes.empty() && std::all_of(ranks.bytes_most.begin(), ranks.bytes_most.end(),
                                            [](double most) { return most == infinite; }))
        ranks.sizes.clear();
    const double least = line.least_level();
    if (least == infinite) {
        try {
            (void)place_in_order(ranks.views(), options, sketch);
        } catch (const InputError&) {
            return {};
        }
        return "there is not room for all, and nobody says so";
    }
    const OrderPlacement placed = place_in_order(ranks.views(), options, sketch);
    const std::vector<std::size_t> cuts = cuts_of(placed.sizes);
    if (cuts.size() != line.parts() + 1 || cuts.back() != line.items())
        return "the parts are not all items";
    const double limit = std::max(1 + options.tolerance, least);
    if (line.level(cuts) > limit * slack)
        return "level " + std::to_string(line.level(cuts)) + ", possible is " +
               std::to_string(least);
    const MoveCost cost = line.cost(cuts);
    const MoveCost best = line.least_cost(limit);
    // Levels that hardly differ may count as equal, or not.
    if (cost < line.least_cost(limit * slack) || cost > best)
        return std::to_string(cost.between) + ", " + std::to_string(cost.moved) + " moved, " +
               std::to_string(best.between) + ", " + std::to_string(best.moved) + " would do";
    const PlacementFigures& figures = placed.figures;
    if (figures.moved != cost.moved) return "another number of moves is said";
    if (options.machines_first && figures.between_machines != cost.between)
        return "another number of moves between machines is said";
    if (!options.machines_first && figures.moved_at_least != cost.moved)
        return "that no cuts move fewer is not said";
    if (figures.moved_at_least > cost.moved) return "the bound on moves is above them";
    const double largest = line.level(cuts) * figures.share;
    if (std::abs(figures.largest - largest) > 1e-9 * largest) return "another largest load is said";
    if (figures.largest_at_least > least * figures.share * slack)
        return "the bound on the largest load is above what is possible";
    if (least > (1 + options.tolerance) * slack &&
        figures.largest_at_least < least * figures.share / slack)
        return "that no cuts have a lower largest load is not said";
    return {};
}

std::string faults(const Ranks& ranks, const PlaceOptions& options) {
    for (const std::size_t sketch : sketches)
        if (const std::string found = faults_by(sketch, ranks, options); !found.empty())
            return found + " (sketch of " + std::to_string(sketch) + " words)";
    return {};
}

Ranks three_ranks(unsigned items, unsigned weights, std::array<std::size_t, 2> cuts,
                  std::array<double, 3> speeds) {
    static constexpr double weight[] = {0, 1, 2, 5};
    Ranks ranks;
    ranks.weights.resize(3);
    for (unsigned item = 0; item < items; ++item, weights /= 4)
        ranks.weights[(item >= cuts[0] ? 1U : 0U) + (item >= cuts[1] ? 1U : 0U)].push_back(
            weight[weights % 4]);
    ranks.speeds.assign(speeds.begin(), speeds.end());
    ranks.machines = {0, 1, 0};
    return ranks;
}

TEST(InOrder, HasTheLowestLevelAndThenTheFewestMovesOfAllCutsOfFiveItems) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (unsigned weights = 0; weights < 1024; weights += 3)
        for (std::size_t first = 0; first <= 5; ++first)
            for (std::size_t second = first; second <= 5; ++second)
                for (const auto& speeds : {std::array{1.0, 1.0, 1.0}, std::array{2.0, 1.0, 0.0},
                                           std::array{0.0, 1.0, 3.0}})
                    for (const double tolerance : {0.0, 0.4})
                        for (const bool machines : {false, true}) {
                            const Ranks ranks = three_ranks(5, weights, {first, second}, speeds);
                            PlaceOptions options;
                            options.tolerance = tolerance;
                            options.machines_first = machines;
                            ASSERT_EQ(faults(ranks, options), "")
                                << weights << " cut at " << first << ", " << second << ", speeds "
                                << speeds[0] << ", tolerance " << tolerance << machines;
                        }
}

TEST(InOrder, HasTheLowestLevelOfAllCutsThatKeepLimitsOfBytes) {
    static constexpr double size[] = {0, 1, 4};
    for (unsigned drawn = 0; drawn < 243; ++drawn)
        for (std::size_t first = 0; first <= 5; ++first)
            for (const auto& speeds : {std::array{1.0, 1.0, 1.0}, std::array{0.0, 3.0, 1.0}})
                for (const auto& bytes :
                     {std::array{5.0, 5.0, 5.0}, std::array{infinite, 1.0, 4.0},
                      std::array{4.0, infinite, 0.0}, std::array{3.5, 8.0, 4.0}})
                    for (const bool machines : {false, true}) {
                        Ranks ranks = three_ranks(5, 1024 - 4 * drawn, {first, 5}, speeds);
                        ranks.sizes.resize(3);
                        unsigned rest = drawn;
                        for (std::size_t rank = 0; rank < 3; ++rank)
                            for (std::size_t i = 0; i < ranks.items(rank); ++i, rest /= 3)
                                ranks.sizes[rank].push_back(size[rest % 3]);
                        ranks.bytes_most.assign(bytes.begin(), bytes.end());
                        if (drawn % 3 == 0) ranks.most = {2, 3, 5};
                        PlaceOptions options;
                        options.machines_first = machines;
                        ASSERT_EQ(faults(ranks, options), "")
                            << drawn << " cut at " << first << ", speeds " << speeds[0]
                            << ", bytes " << bytes[0] << machines;
                    }
}

Ranks drawn_line(std::size_t ranks_max, std::size_t items_max) {
    Ranks ranks;
    ranks.kinds = *rc::gen::element<std::size_t>(1, 1, 1, 3);
    const auto parts = *rc::gen::inRange<std::size_t>(1, ranks_max + 1);
    const int shape = *rc::gen::inRange(0, 4);
    ranks.weights.resize(parts);
    for (auto& weights : ranks.weights) {
        const auto items =
            *rc::gen::inRange<std::size_t>(0, *rc::gen::element<std::size_t>(1, items_max + 1));
        for (std::size_t i = 0; i < items * ranks.kinds; ++i) {
            const double unit = *rc::gen::inRange(0, 1000) / 999.0;
            weights.push_back(shape == 0   ? 1
                              : shape == 1 ? unit
                              : shape == 2 ? std::floor(unit * 4)
                                           : std::pow(unit, 20) * 1e6);
        }
    }
    const bool limited = *rc::gen::arbitrary<bool>();
    const bool bytes_limited = *rc::gen::arbitrary<bool>();
    const int bytes_max = *rc::gen::element(9, 30, 90);
    for (std::size_t part = 0; part < parts; ++part) {
        if (limited)
            ranks.most.push_back(*rc::gen::inRange<Tokens>(0, static_cast<Tokens>(items_max) + 4));
        ranks.speeds.push_back(part == 0 ? 1 : *rc::gen::element(1.0, 1.0, 0.0, 2.5));
        ranks.machines.push_back(*rc::gen::inRange(0, 3));
        if (!bytes_limited) continue;
        ranks.bytes_most.push_back(
            *rc::gen::element(infinite, 0.0 + *rc::gen::inRange(0, bytes_max)));
        ranks.sizes.emplace_back();
        for (std::size_t i = 0; i < ranks.items(part); ++i)
            ranks.sizes.back().push_back(*rc::gen::inRange(0, 9));
    }
    return ranks;
}

std::string described(const Ranks& ranks, const PlaceOptions& options) {
    std::string text = "tolerance " + std::to_string(options.tolerance) +
                       (options.machines_first ? ", machines first" : "");
    for (std::size_t rank = 0; rank < ranks.weights.size(); ++rank) {
        text += "\nspeed " + std::to_string(ranks.speeds[rank]) + ", machine " +
                std::to_string(ranks.machines[rank]) + ":";
        for (const double weight : ranks.weights[rank])
            text += " " + std::to_string(weight);
        if (!ranks.most.empty()) text += ", room for " + std::to_string(ranks.most[rank]);
        if (ranks.bytes_most.empty()) continue;
        text += ", for " + std::to_string(ranks.bytes_most[rank]) + " bytes, sizes";
        for (const double size : ranks.sizes[rank])
            text += " " + std::to_string(size);
    }
    return text;
}

TEST(InOrder, IsTheBestOfAllCutsOfDrawnItems) {
    EXPECT_TRUE(test::holds("no cuts are better", [] {
        const Ranks ranks = drawn_line(7, 12);
        PlaceOptions options;
        options.weights_per_item = ranks.kinds;
        options.tolerance = *rc::gen::element(0.0, 0.0, 0.03, 0.3, 2.0);
        options.machines_first = *rc::gen::arbitrary<bool>();
        const std::string found = faults(ranks, options);
        if (!found.empty()) RC_LOG() << found << " for " << described(ranks, options);
        RC_ASSERT(found.empty());
    }));
}

// Where the lowest cuts of the nearest places would cost more later: one item more on the first
// rank saves three on the second.
TEST(InOrder, MovesMoreAtOneCutWhereThatSavesMovesAtTheNext) {
    Ranks ranks;
    ranks.weights = {{4, 4}, {3, 1, 1, 1, 1, 1, 1, 1, 1}, {}};
    ranks.speeds = {1, 1, 1};
    PlaceOptions options;
    options.tolerance = 0.5;
    EXPECT_EQ(faults(ranks, options), "");
}

TEST(InOrder, KeepsWhatIsWithinTheTolerance) {
    Ranks ranks;
    ranks.weights = {{1, 1, 1}, {1, 1}, {1}};
    const std::vector<Tokens> before = {3, 2, 1};
    PlaceOptions options;
    options.tolerance = 0.5;
    EXPECT_EQ(place_in_order(ranks.views(), options).sizes, before);
    options.tolerance = 0.4;
    EXPECT_EQ(place_in_order(ranks.views(), options).sizes, (std::vector<Tokens>{2, 2, 2}));
}

// The lowest level is above the bound by a gap that counts as none, but is no mere rounding.
TEST(InOrder, CutsWhereTheLowestLevelIsHardlyAboveTheBound) {
    for (const double gap : {1e-13, 1e-12, 3e-12, 1e-11, 1.9e-11, 1e-10})
        for (const double tolerance : {0.0, 0.1}) {
            const double heavy = (1 + tolerance) * (1 + gap);
            Ranks ranks;
            ranks.weights = {{1 - tolerance, heavy}, {}};
            for (const std::size_t sketch : sketches) {
                const OrderPlacement found =
                    place_in_order(ranks.views(), {.tolerance = tolerance}, sketch);
                EXPECT_EQ((std::vector<Tokens>{1, 1}), found.sizes);
                EXPECT_NEAR(1, found.figures.largest / heavy, 1e-14);
            }
        }
}

// Many drawn weights, of which a few may have most of the weight: more than a sketch has places.
TEST(InOrder, IsTheSameByASketchAsByWalksThroughAllItems) {
    EXPECT_TRUE(test::holds("the same levels, moves and bounds", [] {
        const auto parts = *rc::gen::inRange<std::size_t>(1, 9);
        const auto kinds = *rc::gen::element<std::size_t>(1, 1, 3);
        const int shape = *rc::gen::inRange(0, 4);
        RandomStream random(*rc::gen::inRange<std::uint64_t>(0, 1000), Purpose::loads, 0);
        Ranks ranks;
        ranks.kinds = kinds;
        ranks.weights.resize(parts);
        for (auto& weights : ranks.weights) {
            const auto items = *rc::gen::element<std::size_t>(0, 300, 3000);
            for (std::size_t i = 0; i < items * kinds; ++i) {
                const double unit = random.unit();
                weights.push_back(shape == 0   ? 1
                                  : shape == 1 ? unit
                                  : shape == 2 ? std::pow(unit, -0.8)
                                               : std::floor(unit * 1.01));
            }
            ranks.speeds.push_back(*rc::gen::element(1.0, 1.0, 3.0));
            ranks.machines.push_back(*rc::gen::inRange(0, 3));
        }
        if (*rc::gen::arbitrary<bool>()) ranks.most.assign(parts, 3500);
        PlaceOptions options;
        options.weights_per_item = kinds;
        options.tolerance = *rc::gen::element(0.0, 0.0, 0.05);
        options.machines_first = *rc::gen::arbitrary<bool>();
        const OrderPlacement expected = place_in_order(ranks.views(), options, 0);
        for (const std::size_t sketch : {std::size_t{2}, std::size_t{200}, sketches.front()}) {
            const OrderPlacement found = place_in_order(ranks.views(), options, sketch);
            const PlacementFigures& figures = found.figures;
            RC_ASSERT(figures.moved == expected.figures.moved);
            RC_ASSERT(figures.moved_at_least == expected.figures.moved_at_least);
            RC_ASSERT(figures.between_machines == expected.figures.between_machines);
            if (expected.figures.largest <= figures.share * (1 + options.tolerance)) continue;
            RC_ASSERT(std::abs(figures.largest / expected.figures.largest - 1) < 1e-10);
            RC_ASSERT(std::abs(figures.largest_at_least / figures.largest - 1) < 1e-10);
        }
    }));
}

// More places than may be gathered where cuts may be: walks pass through the ranks after all.
TEST(InOrder, IsTheSameWhereASketchLeavesTooManyPlaces) {
    Ranks ranks;
    ranks.weights.assign(9, std::vector<double>(50'000, 1));
    RandomStream random(3, Purpose::loads, 0);
    for (auto& weights : ranks.weights)
        for (double& weight : weights)
            weight = random.unit();
    ranks.weights[4].insert(ranks.weights[4].end(), 70'000, 0.5);
    const OrderPlacement expected = place_in_order(ranks.views(), {}, 0);
    for (const std::size_t sketch : {std::size_t{30}, sketches.front()}) {
        const OrderPlacement found = place_in_order(ranks.views(), {}, sketch);
        EXPECT_NEAR(1, found.figures.largest / expected.figures.largest, 1e-10);
        EXPECT_NEAR(1, found.figures.largest_at_least / found.figures.largest, 1e-10);
        EXPECT_EQ(expected.figures.moved, found.figures.moved);
    }
}

// Many drawn weights: places are too many for all to be looked at, and the bound must hold for all.
TEST(InOrder, BoundsTheMovesWherePlacesAreThinnedOut) {
    constexpr std::size_t parts = 6;
    constexpr std::size_t items = 120'000;
    Ranks ranks;
    ranks.weights.resize(parts);
    ranks.speeds.assign(parts, 1);
    unsigned state = 1;
    for (std::size_t item = 0; item < items; ++item) {
        state = state * 1'664'525U + 1'013'904'223U;
        const std::size_t rank = item < 3 * items / 5 ? 2 : item % 2 == 0 ? 4 : 5;
        ranks.weights[rank].push_back(static_cast<double>(state >> 24U));
    }
    PlaceOptions options;
    options.tolerance = 0.35;
    const OrderPlacement placed = place_in_order(ranks.views(), options);
    // All places of all cuts.
    CutPlaces places;
    std::vector<Tokens> firsts = {0};
    places.sums = {0};
    places.positions = {0};
    for (const auto& weights : ranks.weights) {
        for (const double weight : weights) {
            places.positions.push_back(places.positions.back() + 1);
            places.sums.push_back(places.sums.back() + static_cast<Units>(weight));
        }
        firsts.push_back(places.positions.back());
    }
    places.of_cut.assign(parts + 1, {0, items});
    places.of_cut.front() = {0, 0};
    places.of_cut.back() = {items, items};
    const std::vector<Tokens> most(parts, items);
    const std::vector<Units> caps(
        parts, static_cast<Units>(static_cast<double>(places.sums.back()) / parts * 1.35));
    const ChosenCuts best = choose_cuts(places, {firsts, {}}, {caps, most});
    EXPECT_EQ(best.at_least, best.cost);
    EXPECT_LE(placed.figures.moved_at_least, best.cost.moved);
    EXPECT_GE(placed.figures.moved, best.cost.moved);
    EXPECT_LE(placed.figures.largest, placed.figures.share * 1.35 * slack);
    EXPECT_LE(static_cast<double>(placed.figures.moved),
              1.01 * static_cast<double>(placed.figures.moved_at_least));
}

std::string refusal_of(const Ranks& ranks) {
    try {
        (void)place_in_order(ranks.views());
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(InOrder, SaysWhichItemsHaveNoRoom) {
    Ranks ranks;
    ranks.weights = {{1, 1, 1}, {1, 1}};
    ranks.sizes = {{3, 3, 3}, {3, 3}};
    ranks.bytes_most = {7, 7};
    EXPECT_EQ(refusal_of(ranks),
              "expected room for 15 bytes on ranks with a speed above 0, found room for 14 bytes: "
              "1 byte too few");
    ranks.bytes_most = {8, 8};
    EXPECT_EQ(refusal_of(ranks),
              "expected cuts that keep all limits, found that none do: with every rank filled in "
              "turn, no room is left for 1 item, from item 1 of rank 1 on");
    ranks.bytes_most = {2, infinite};
    EXPECT_EQ(place_in_order(ranks.views()).sizes, (std::vector<Tokens>{0, 5}));
    ranks.sizes[0][1] = 30;
    ranks.bytes_most = {29, 25};
    EXPECT_EQ(refusal_of(ranks),
              "expected a rank with room for item 1 of rank 0, of 30 bytes, found room for at most "
              "29 bytes");
    ranks.sizes[1].clear();
    EXPECT_EQ(refusal_of(ranks),
              "expected sizes of the items of all ranks, which limits of bytes need, found none on "
              "rank 1");
    ranks.bytes_most.clear();
    EXPECT_EQ(refusal_of(ranks),
              "sizes of items that keep their order are for limits of bytes: expected one on some "
              "rank, found none");
}

TEST(InOrder, RefusesWeightsWithoutAFiniteSumAndRanksWithoutSpeed) {
    Ranks ranks;
    ranks.weights = {{1e308, 1e308}};
    EXPECT_THROW((void)place_in_order(ranks.views()), InputError);
    ranks.weights = {{1}, {2}};
    ranks.speeds = {0, 0};
    EXPECT_THROW((void)place_in_order(ranks.views()), InputError);
}

}  // namespace
}  // namespace equipoise::placement
