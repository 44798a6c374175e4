// Placements that are level and near the present one.

#include "equipoise/replication/search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/replication_draw.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::replication {
namespace {

Tokens mean_of(const Problem& problem) {
    const Tokens total = std::accumulate(problem.loads.begin(), problem.loads.end(), Tokens{0});
    return load_of_copy(total, Tokens{problem.machines});
}

/// Machines with items of a Zipf law, each slot of the present placement in turn.
Problem zipf(std::uint32_t items, std::uint32_t machines, std::uint32_t slots) {
    Problem problem;
    for (std::uint32_t item = 0; item < items; ++item)
        problem.loads.push_back(Tokens{1'000'000'000} / (1 + (item * 37 + 11) % items));
    problem.machines = machines;
    problem.slots = slots;
    for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
        problem.placement.push_back(slot % items);
    return problem;
}

TEST(ReplicationSearch, FindsAnAllowedPlacementWhateverIsThere) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = test::draw_replication(seed);
        for (const Tokens limit : {Tokens{0}, mean_of(problem) * 3 / 2}) {
            const std::vector<ItemId> found = search_placement(problem, {.limit = limit});
            EXPECT_TRUE(stand(problem, found).allowed) << "seed " << seed << ", limit " << limit;
        }
    }
}

TEST(ReplicationSearch, LeavesWhatIsAllowedAndKeepsTheLimit) {
    int left = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.placement.empty() || !stand(problem, problem.placement).allowed) continue;
        const Tokens largest = stand(problem, problem.placement).largest;
        EXPECT_EQ(search_placement(problem, {.limit = largest}), problem.placement) << seed;
        ++left;
    }
    EXPECT_GT(left, 20);
}

TEST(ReplicationSearch, RepairsWithAsFewCopiesAsRulesNeedWhereAnyLevelWillDo) {
    int repaired = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.placement.empty() || problem.groups != 0) continue;
        // Copies that are twice on a machine make room, first for items that are missing.
        const Standing before = stand(problem, problem.placement);
        const Standing after = stand(problem, search_placement(problem, {.limit = tokens_max}));
        EXPECT_EQ(after.copied, std::max(before.twice, before.missing)) << seed;
        repaired += before.allowed ? 0 : 1;
    }
    EXPECT_GT(repaired, 50);
}

TEST(ReplicationSearch, WhatStaysOnAMachineKeepsItsSlot) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.placement.empty()) continue;
        const std::vector<ItemId> found = search_placement(problem, {.effort = 2'000});
        const Standing standing = stand(problem, found);
        std::uint64_t others = 0;
        for (std::size_t slot = 0; slot < found.size(); ++slot)
            others += found[slot] != problem.placement[slot] ? 1 : 0;
        EXPECT_EQ(others, standing.copied) << seed;
    }
}

TEST(ReplicationSearch, IsTheSameInEveryRunAndSeedsDiffer) {
    const Problem problem = zipf(64, 16, 5);
    const Tokens limit = mean_of(problem) * 21 / 20;
    const std::vector<ItemId> found = search_placement(problem, {.limit = limit});
    EXPECT_EQ(search_placement(problem, {.limit = limit}), found);
    EXPECT_NE(search_placement(problem, {.limit = limit, .seed = 2}), found);
    EXPECT_LE(stand(problem, found).largest, limit);
}

TEST(ReplicationSearch, ALowerLimitCostsCopiesAndMoreEffortSavesSome) {
    const Problem problem = zipf(64, 16, 5);
    const auto copied = [&](Tokens percent, std::uint64_t effort) {
        const Tokens limit = mean_of(problem) * percent / 100;
        const Standing standing =
            stand(problem, search_placement(problem, {.limit = limit, .effort = effort}));
        EXPECT_LE(standing.largest, limit);
        return standing.copied;
    };
    EXPECT_LT(copied(130, 200'000), copied(110, 200'000));
    EXPECT_LT(copied(110, 200'000), copied(102, 200'000));
    EXPECT_LT(copied(110, 1'000'000), copied(110, 20'000));
}

TEST(ReplicationSearch, MoreEffortThanARoundNeverMakesItWorse) {
    int better = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Problem problem = test::draw_replication(seed);
        const Tokens mean = mean_of(problem);
        const std::uint64_t round = std::max(10'000U, 2'000U * problem.all_slots());
        const std::vector<std::optional<std::uint64_t>> copies{std::nullopt, problem.slots};
        for (const Tokens limit : {mean * 9 / 10, mean * 21 / 20})
            for (const auto most : copies) {
                // More may be needed than is allowed; then it is refused whatever the effort is.
                if (most &&
                    stand(problem, search_placement(problem, {.limit = tokens_max})).copied > *most)
                    continue;
                std::optional<std::pair<Tokens, std::uint64_t>> before;
                for (const std::uint64_t effort :
                     {round, round + 1, 2 * round + round / 2, 5 * round}) {
                    const Standing found = stand(
                        problem,
                        search_placement(problem,
                                         {.limit = limit, .most_copied = most, .effort = effort}));
                    const std::pair now(std::max(found.largest, limit), found.copied);
                    if (before) {
                        EXPECT_LE(now, *before) << "seed " << seed << ", effort " << effort;
                        better += now < *before ? 1 : 0;
                    }
                    before = now;
                }
            }
    }
    EXPECT_GT(better, 10);
}

TEST(ReplicationSearch, NoEffortIsSeveralRoundsWhereSlotsAreFewAndOneWhereTheyAreMany) {
    const auto found = [](const Problem& problem, std::uint64_t effort) {
        const Tokens limit = mean_of(problem) * 21 / 20;
        return search_placement(problem, {.limit = limit, .effort = effort});
    };
    const Problem few = zipf(24, 8, 4);     // rounds of 64,000 steps
    const Problem some = zipf(64, 16, 5);   // 160,000
    const Problem many = zipf(160, 25, 8);  // 400,000
    EXPECT_EQ(found(few, 0), found(few, 5 * 64'000));
    EXPECT_EQ(found(some, 0), found(some, 400'000));
    EXPECT_EQ(found(some, 0), found(some, 3 * 160'000)) << "a round that is begun is finished";
    EXPECT_NE(found(some, 0), found(some, 160'000));
    EXPECT_EQ(found(many, 0), found(many, 400'000));
    EXPECT_NE(found(many, 0), found(many, 2 * 400'000));
}

TEST(ReplicationSearch, SeedsHardlyMatterWhereSlotsAreFew) {
    // Loads by a law of Zipf, in another order of the items for each stride. A long search has not
    // found fewer copies than these.
    const std::vector<std::pair<std::uint32_t, std::uint64_t>> fewest{
        {5, 5}, {7, 4}, {9, 4}, {13, 4}, {21, 6}};
    for (const auto& [stride, least] : fewest) {
        Problem problem;
        for (std::uint32_t item = 0; item < 32; ++item)
            problem.loads.push_back(Tokens{1'000'000'000} / (3 + (item * stride + 11) % 32));
        problem.machines = 8;
        problem.slots = 5;
        for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
            problem.placement.push_back(slot % 32);
        const Tokens limit = mean_of(problem) * 21 / 20;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const Standing found =
                stand(problem, search_placement(problem, {.limit = limit, .seed = seed}));
            EXPECT_LE(found.largest, limit);
            EXPECT_LE(found.copied, least + 1) << "stride " << stride << ", seed " << seed;
        }
    }
}

TEST(ReplicationSearch, NeverCopiesMoreThanIsAllowedAndIsLevellerTheMoreIsAllowed) {
    const Problem problem = zipf(64, 16, 5);
    Tokens before = std::numeric_limits<Tokens>::max();
    for (const std::uint64_t most : {0U, 3U, 8U, 20U, 80U}) {
        const Standing standing =
            stand(problem, search_placement(problem, {.limit = 0, .most_copied = most}));
        EXPECT_LE(standing.copied, most);
        EXPECT_LT(standing.largest, before);
        before = standing.largest;
    }
    EXPECT_LE(before, mean_of(problem) + mean_of(problem) / 100);
}

TEST(ReplicationSearch, FewerCopiesThanRulesNeedAreRefused) {
    const Problem problem{{4, 3, 2}, 2, 2, 1, 0, {0, 0, 1, 2}};
    EXPECT_EQ(stand(problem, search_placement(problem, {.limit = 0, .most_copied = 1})).copied, 1U);
    EXPECT_EQ(
        test::thrown_by([&] { (void)search_placement(problem, {.limit = 0, .most_copied = 0}); }),
        "unsuitable: found no placement with at most 0 copies in which each expert has a slot "
        "and none is twice on a GPU");
}

TEST(ReplicationSearch, SlotsAsManyAsItemsArePermuted) {
    // Without spare slots, only swaps are left. 1 .. 64 on 8 machines of 8: all can hold 260.
    Problem problem;
    problem.machines = 8;
    problem.slots = 8;
    for (std::uint32_t item = 0; item < 64; ++item) {
        problem.loads.push_back(item + 1);
        problem.placement.push_back(item);
    }
    EXPECT_EQ(stand(problem, search_placement(problem, {.limit = 260})).largest, 260);
    problem.placement.clear();
    EXPECT_EQ(stand(problem, search_placement(problem, {.limit = 260})).largest, 260);
}

TEST(ReplicationSearch, AnItemWithNineTenthsOfAllLoadGetsACopyOnEveryMachine) {
    Problem problem = zipf(64, 16, 6);
    const Tokens rest = std::accumulate(problem.loads.begin(), problem.loads.end(), Tokens{0});
    problem.loads[5] = rest * 9;
    const Tokens limit = mean_of(problem) * 21 / 20;
    const Standing standing = stand(problem, search_placement(problem, {.limit = limit}));
    EXPECT_LE(standing.largest, limit);
    EXPECT_GE(standing.copies[5], 15U);
}

TEST(ReplicationSearch, LoadsThatAreAllZeroCopyNothing) {
    Problem problem = zipf(64, 16, 6);
    std::fill(problem.loads.begin(), problem.loads.end(), Tokens{0});
    EXPECT_EQ(search_placement(problem, {.limit = 0}), problem.placement);
}

TEST(ReplicationSearch, HostsWithoutGroupsChangeNoPlacement) {
    Problem problem = zipf(64, 16, 6);
    const Tokens limit = mean_of(problem) * 21 / 20;
    const std::vector<ItemId> found = search_placement(problem, {.limit = limit});
    problem.hosts = 4;
    EXPECT_EQ(search_placement(problem, {.limit = limit}), found);
}

TEST(ReplicationSearch, LoadsUpToTheGreatestTotalAreSummedWithoutOverflow) {
    Problem problem = zipf(64, 16, 6);
    for (Tokens& load : problem.loads)
        load = tokens_max / 64;
    const Standing standing =
        stand(problem, search_placement(problem, {.limit = mean_of(problem) * 21 / 20}));
    EXPECT_LE(standing.largest, mean_of(problem) / 20 * 21);
}

TEST(ReplicationSearch, StopsWhenAskedWithAnAllowedPlacement) {
    const Problem problem = zipf(64, 16, 6);
    std::stop_source source;
    source.request_stop();
    const std::vector<ItemId> found = search_placement(
        problem, {.limit = 0, .effort = 1'000'000'000'000, .stop = source.get_token()});
    EXPECT_TRUE(stand(problem, found).allowed);
}

}  // namespace
}  // namespace equipoise::replication
