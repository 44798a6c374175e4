// Bounds on the largest machine and on what is copied, beside all placements of small problems.

#include "equipoise/replication/bounds.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::replication {
namespace {

constexpr std::uint64_t no_end = std::uint64_t{1} << 40;

/// By largest machine: the fewest copied of all allowed placements; every content of every slot.
std::map<Tokens, std::uint64_t> every_placement(const Problem& problem) {
    std::map<Tokens, std::uint64_t> fewest;
    std::vector<ItemId> placement(problem.all_slots(), 0);
    while (true) {
        const Standing standing = stand(problem, placement);
        if (standing.allowed) {
            const auto [entry, fresh] = fewest.emplace(standing.largest, standing.copied);
            if (!fresh) entry->second = std::min(entry->second, standing.copied);
        }
        std::size_t slot = 0;
        while (slot < placement.size() && ++placement[slot] == problem.items())
            placement[slot++] = 0;
        if (slot == placement.size()) return fewest;
    }
}

/// How often bounds are what some placement has.
struct Tight {
    std::uint64_t problems = 0;
    std::uint64_t largest = 0;
    std::uint64_t levels = 0;
    std::uint64_t copied = 0;
};

/// Compares both bounds, and the search, with all placements.
void compare(const Problem& problem, Tight& tight) {
    const std::map<Tokens, std::uint64_t> all = every_placement(problem);
    ASSERT_FALSE(all.empty());
    const Tokens least = all.begin()->first;
    const Bound largest = largest_at_least(problem);
    ASSERT_LE(largest.at_least, least) << largest.reason;
    EXPECT_FALSE(largest.reason.empty());
    ++tight.problems;
    tight.largest += largest.at_least == least ? 1 : 0;
    const std::optional<BestPlacement> best = best_placement(problem, std::nullopt, no_end);
    ASSERT_TRUE(best);
    EXPECT_EQ(best->largest, least);
    EXPECT_EQ(best->copied, all.begin()->second);
    std::uint64_t fewest = problem.all_slots();
    for (const auto& [level, copied] : all) {
        fewest = std::min(fewest, copied);
        const Bound bound = copied_at_least(problem, level);
        ASSERT_LE(bound.at_least, static_cast<Tokens>(fewest)) << level << ": " << bound.reason;
        EXPECT_EQ(bound.reason.empty(), bound.at_least == 0);
        ++tight.levels;
        tight.copied += bound.at_least == static_cast<Tokens>(fewest) ? 1 : 0;
    }
    const Tokens middle =
        std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 2))->first;
    const std::optional<BestPlacement> within = best_placement(problem, middle, no_end);
    ASSERT_TRUE(within);
    std::uint64_t fewest_within = problem.all_slots();
    for (const auto& [level, copied] : all)
        if (level <= middle) fewest_within = std::min(fewest_within, copied);
    EXPECT_EQ(within->largest, least);
    EXPECT_EQ(within->copied, fewest_within);
    const Standing standing = stand(problem, within->placement);
    EXPECT_TRUE(standing.allowed);
    EXPECT_LE(standing.largest, middle);
    EXPECT_EQ(standing.copied, fewest_within);
}

/// All vectors of a given length, of numbers from 0 to `most`, none larger than the one before.
std::vector<std::vector<Tokens>> falling_loads(std::size_t items, Tokens most) {
    std::vector<std::vector<Tokens>> all = {{}};
    for (std::size_t item = 0; item < items; ++item) {
        std::vector<std::vector<Tokens>> longer;
        for (const std::vector<Tokens>& loads : all)
            for (Tokens load = 0; load <= (loads.empty() ? most : loads.back()); ++load) {
                longer.push_back(loads);
                longer.back().push_back(load);
            }
        all = std::move(longer);
    }
    return all;
}

struct Shape {
    std::uint32_t items;
    std::uint32_t machines;
    std::uint32_t slots;
    std::uint32_t hosts = 1;
    std::uint32_t groups = 0;
};
constexpr Shape shapes[] = {{1, 2, 1},       {2, 2, 1},       {2, 3, 1},       {3, 3, 1},
                            {2, 2, 2},       {3, 2, 2},       {4, 2, 2},       {3, 2, 3},
                            {4, 2, 3},       {3, 3, 2},       {4, 3, 2},       {2, 2, 1, 2, 2},
                            {4, 2, 2, 2, 2}, {4, 4, 1, 2, 2}, {4, 4, 1, 2, 4}, {4, 2, 2, 2, 4}};

TEST(ReplicationBounds, AreNeverUndercutByAnyPlacementOfSmallLoads) {
    Tight tight;
    RandomStream random(1, Purpose::sampling);
    for (const Shape& shape : shapes) {
        for (std::vector<Tokens> loads : falling_loads(shape.items, shape.items < 4 ? 6 : 3)) {
            for (std::size_t i = loads.size(); i > 1; --i)
                std::swap(loads[i - 1], loads[random.below(i)]);
            Problem problem{loads, shape.machines, shape.slots, shape.hosts, shape.groups, {}};
            problem.check();
            compare(problem, tight);
            if (HasFatalFailure()) return;
            for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
                problem.placement.push_back(static_cast<ItemId>(random.below(shape.items)));
            compare(problem, tight);
            if (HasFatalFailure()) return;
        }
    }
    RecordProperty("problems", std::to_string(tight.problems));
    RecordProperty("largest is reached", std::to_string(tight.largest));
    RecordProperty("copied is reached", std::to_string(tight.copied));
    EXPECT_GT(tight.problems, 1000U);
    EXPECT_GT(10 * tight.largest, 9 * tight.problems);
    EXPECT_GT(10 * tight.copied, 7 * tight.levels);
}

/// Different items on each machine, of the groups of its host; as the loads were in the past.
std::vector<ItemId> past_placement(Problem problem, RandomStream& random) {
    problem.placement.clear();
    for (Tokens& load : problem.loads)
        load = load / 2 + static_cast<Tokens>(random.below(20));
    return best_placement(problem, std::nullopt, no_end)->placement;
}

TEST(ReplicationBounds, HoldFromPlacementsThatWereLevelBefore) {
    constexpr Shape larger[] = {{5, 3, 2}, {6, 3, 2},       {5, 4, 2},       {6, 3, 3},
                                {4, 5, 1}, {4, 4, 2, 2, 2}, {6, 4, 2, 2, 2}, {8, 4, 2, 2, 4}};
    Tight tight;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const Shape& shape = larger[random.below(std::size(larger))];
        Problem problem{{}, shape.machines, shape.slots, shape.hosts, shape.groups, {}};
        for (std::uint32_t item = 0; item < shape.items; ++item)
            problem.loads.push_back(static_cast<Tokens>(random.below(60)));
        problem.placement = past_placement(problem, random);
        const std::optional<BestPlacement> best = best_placement(problem, std::nullopt, no_end);
        const Bound largest = largest_at_least(problem);
        ASSERT_LE(largest.at_least, best->largest) << "seed " << seed << ": " << largest.reason;
        ++tight.problems;
        tight.largest += largest.at_least == best->largest ? 1 : 0;
        for (const Tokens above : {0, 3, 10}) {
            const Tokens level = best->largest + best->largest * above / 100;
            const Bound bound = copied_at_least(problem, level);
            const auto fewest = static_cast<Tokens>(best_placement(problem, level, no_end)->copied);
            ASSERT_LE(bound.at_least, fewest) << "seed " << seed << ": " << bound.reason;
            ++tight.levels;
            tight.copied += bound.at_least == fewest ? 1 : 0;
        }
    }
}

TEST(ReplicationBounds, HoldForLargeLoadsFromDrawnPlacements) {
    Tight tight;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const Shape& shape = shapes[random.below(std::size(shapes))];
        Problem problem{{}, shape.machines, shape.slots, shape.hosts, shape.groups, {}};
        for (std::uint32_t item = 0; item < shape.items; ++item)
            problem.loads.push_back(static_cast<Tokens>(random() >> (6 + 5 * random.below(4))));
        for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
            problem.placement.push_back(static_cast<ItemId>(random.below(shape.items)));
        problem.check();
        compare(problem, tight);
        if (HasFatalFailure()) return;
    }
}

TEST(ReplicationBounds, SayInWordsWhyTheLargestMachineIsNotLower) {
    const auto of = [](const Problem& problem) { return largest_at_least(problem); };
    const Bound mean = of({{4, 4, 2, 2}, 2, 2, 1, 0, {}});
    EXPECT_EQ(mean.at_least, 6);
    EXPECT_EQ(mean.reason, "all experts together, spread evenly over the GPUs");
    const Bound one = of({{30, 1, 1}, 2, 2, 1, 0, {}});
    EXPECT_EQ(one.at_least, 16);
    const Bound slots = of({{90, 90, 90, 10}, 4, 1, 1, 0, {}});
    EXPECT_EQ(slots.at_least, 90);
    EXPECT_EQ(slots.reason, "with less, experts would need 7 copies, and there are 4 slots");
    // Of five copies of 10, two are on one machine.
    const Bound pigeons = of({{10, 10, 10, 10, 10, 0, 0, 0}, 4, 2, 1, 0, {}});
    EXPECT_EQ(pigeons.at_least, 20);
    EXPECT_EQ(pigeons.reason,
              "with less, at most 1 copy above 0.72 times the mean would fit on a GPU, 4 in all, "
              "and however many copies experts have there are at least 5");
    const Bound hosts = of({{9, 9, 9, 9, 1, 1, 1, 1}, 4, 2, 2, 2, {}});
    EXPECT_EQ(hosts.at_least, 18);
    EXPECT_EQ(of({{0, 0}, 2, 1, 1, 0, {}}).at_least, 0);
}

TEST(ReplicationBounds, SayInWordsWhyFewerAreNotCopied) {
    Problem problem{{8, 8, 4, 4}, 2, 2, 1, 0, {}};
    EXPECT_EQ(copied_at_least(problem, 12).at_least, 4) << "nothing is there";
    problem.placement = {0, 2, 1, 3};
    EXPECT_EQ(copied_at_least(problem, 12).at_least, 0);
    problem.placement = {0, 1, 2, 3};
    const Bound above = copied_at_least(problem, 12);
    EXPECT_EQ(above.at_least, 2) << "no copy can go without being made elsewhere";
    EXPECT_EQ(above.reason,
              "1 GPU holds more than the level; fewer copies do not bring all of them down, "
              "whatever they replace and whatever shares they take over");
    problem.placement = {0, 0, 2, 2};
    const Bound twice = copied_at_least(problem, 24);
    EXPECT_EQ(twice.at_least, 2);
    EXPECT_EQ(twice.reason, "2 slots have an expert that another slot of the GPU has, too");
    const Problem lacking{{30, 1, 1}, 3, 2, 1, 0, {0, 1, 1, 2, 1, 2}};
    const Bound more = copied_at_least(lacking, 12);
    EXPECT_EQ(more.at_least, 2);
    EXPECT_EQ(more.reason, "experts need 2 more copies, so that none carries too much for a GPU");
}

TEST(ReplicationBounds, GroupsThatMustChangeHostAreCopiedWhole) {
    // Two heavy groups of four on one host: one of them changes place with a light one.
    Problem problem{{}, 4, 4, 2, 4, {}};
    for (const Tokens load : {9, 9, 1, 1})
        problem.loads.insert(problem.loads.end(), 4, load);
    problem.placement = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const Bound bound = copied_at_least(problem, 20);
    EXPECT_EQ(bound.at_least, 8);
    EXPECT_EQ(copied_at_least(problem, 36).at_least, 0);
}

TEST(ReplicationBounds, TheBestPlacementIsNotSearchedBeyondTheEffort) {
    const Problem problem{{5, 4, 3, 2, 1}, 3, 3, 1, 0, {}};
    EXPECT_FALSE(best_placement(problem, std::nullopt, 100));
    EXPECT_TRUE(best_placement(problem, std::nullopt, no_end));
    // Too low a level takes a second search, within the same effort.
    std::uint64_t enough = 1;
    while (!best_placement(problem, std::nullopt, enough))
        enough *= 2;
    EXPECT_FALSE(best_placement(problem, 1, enough));
    EXPECT_TRUE(best_placement(problem, 1, 2 * enough));
    EXPECT_EQ(test::thrown_by([] {
                  const Problem none{{1, 1, 1, 1}, 2, 3, 2, 2, {}};
                  static_cast<void>(best_placement(none, std::nullopt, no_end));
              }),
              "unsuitable: no placement is allowed: a host has fewer experts than a GPU has slots");
}

}  // namespace
}  // namespace equipoise::replication
