#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

/// Of small problems; from some seed on, of those with leaders and copies that are to be made, and
/// then of those in which giving and taking count together.
test::DrawnSize size_of(std::uint64_t seed) {
    if (seed >= 500) return {.items = 4, .machines = 3, .half_duplex = true};
    if (seed < 300) return {4, 3};
    return {.items = 3, .machines = 3, .copies = true};
}

TEST(ReassignSchedules, OfSmallProblemsAreFoundWhereverThereAreAnyInTheFewestWaves) {
    std::size_t unreachable = 0;
    // Without leaders and copies that are to be made, and with them.
    std::array<std::size_t, 2> reached = {};
    std::array<std::size_t, 2> bounded = {};
    std::size_t detours = 0;
    for (std::uint64_t seed = 0; seed < 650; ++seed) {
        Problem problem = test::ReassignDraw(seed).draw(size_of(seed));
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete()) continue;
        for (const Places& ends : test::some_ends(problem, all.placements(), seed, 12)) {
            const Schedule schedule = schedule_moves(problem, ends, {});
            const Replayed replayed = replay(problem, schedule.moves);
            ASSERT_TRUE(replayed.allowed) << "seed " << seed << ": " << replayed.fault;
            const Bound bound = waves_at_least(problem, ends);
            const auto reach = all.reach(ends);
            ASSERT_EQ(schedule.complete, reach.has_value()) << "seed " << seed;
            if (!reach) {
                ++unreachable;
                continue;
            }
            ASSERT_EQ(replayed.places, ends);
            ASSERT_EQ(replayed.moved[items_resource], reach->moves) << "seed " << seed;
            ASSERT_EQ(schedule.waves(), reach->waves_of_fewest_moves) << "seed " << seed;
            ASSERT_LE(bound.at_least, Int128{static_cast<Tokens>(reach->waves)})
                << "seed " << seed << ": " << bound.reason;
            const std::size_t kind = problem.leads.empty() ? 0 : 1;
            ++reached[kind];
            if (schedule.detours > 0) ++detours;
            if (bound.at_least == Int128{static_cast<Tokens>(schedule.waves())}) ++bounded[kind];
        }
    }
    EXPECT_GT(reached[0], 500U);
    EXPECT_GT(reached[1], 300U);
    EXPECT_GT(unreachable, 50U);
    EXPECT_GT(detours, 10U);
    // The bound is met in most cases; the schedule has the fewest waves in all.
    EXPECT_GE(bounded[0] * 20, reached[0] * 19);
    EXPECT_GE(bounded[1] * 10, reached[1] * 9) << bounded[1] << " of " << reached[1];
}

TEST(ReassignSchedules, OfSmallProblemsReachTheBestScoreOfAllWithinBudgets) {
    std::size_t cases = 0;
    std::size_t budgets = 0;
    std::size_t not_the_best_placement = 0;
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw({.items = 4,
                                                               .machines = 3,
                                                               .objectives = true,
                                                               .budgets = true,
                                                               .copies = seed >= 1300});
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete() || !all.placements().best()) continue;
        const auto schedule = best_schedule(problem, *all.placements().best(), {});
        ASSERT_TRUE(schedule) << "seed " << seed;
        const Replayed replayed = replay(problem, schedule->moves);
        ASSERT_TRUE(replayed.allowed) << "seed " << seed << ": " << replayed.fault;
        ASSERT_TRUE(replayed.within_budget) << "seed " << seed;
        ASSERT_EQ(replayed.end.score, all.best()) << "seed " << seed;
        const auto reach = all.reach_score(all.best());
        ASSERT_EQ(replayed.moved[items_resource], reach.moves) << "seed " << seed;
        ASSERT_EQ(replayed.waves, reach.waves_of_fewest_moves) << "seed " << seed;
        ++cases;
        if (!problem.budget.amounts.empty()) ++budgets;
        if (all.best() != *all.placements().best()) ++not_the_best_placement;
    }
    EXPECT_GT(cases, 200U);
    EXPECT_GT(budgets, 50U);
    EXPECT_GT(not_the_best_placement, 3U);
}

/// Ends to which there may be no schedule at all.
Places drawn_ends(const Problem& problem, RandomStream& random) {
    Places ends = problem.places;
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const auto machine = static_cast<MachineId>(random.below(problem.machine_count()));
        if (random.below(3) == 0 && problem.may_be_on(item, machine)) ends[item] = machine;
    }
    return ends;
}

TEST(ReassignSchedules, OfMiddleSizedProblemsNeverMakeAMoveThatIsNotAllowed) {
    std::size_t complete = 0;
    std::size_t moved = 0;
    std::size_t wanted = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw({.items = 60,
                                                               .machines = 12,
                                                               .budgets = true,
                                                               .copies = seed % 2 == 1,
                                                               .half_duplex = seed >= 40});
        RandomStream random(seed, Purpose::sampling, 3);
        const Places ends = drawn_ends(problem, random);
        ScheduleOptions options;
        options.effort = 50'000;
        for (const bool within_waves : {false, true}) {
            const Schedule schedule = within_waves ? schedule_within(problem, ends, options)
                                                   : schedule_moves(problem, ends, options);
            const Replayed replayed = replay(problem, schedule.moves);
            ASSERT_TRUE(replayed.allowed) << "seed " << seed << ": " << replayed.fault;
            ASSERT_EQ(schedule.complete, replayed.places == ends);
            if (within_waves) {
                ASSERT_LE(schedule.waves(), static_cast<Step>(problem.budget.waves));
                continue;
            }
            const Bound bound = waves_at_least(problem, ends);
            if (schedule.complete) {
                ASSERT_LE(bound.at_least, Int128{static_cast<Tokens>(schedule.waves())})
                    << "seed " << seed << ": " << bound.reason;
                ++complete;
            }
            moved += schedule.moves.size();
            wanted += static_cast<std::size_t>(stand(problem, ends).moved[items_resource]);
        }
    }
    EXPECT_GT(complete, 8U);
    EXPECT_GT(moved * 10, wanted * 3);
}

TEST(ReassignSchedules, ToEndsAsGoodHaveNoHigherScoreAndNoMoreWaves) {
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw({.items = 30,
                                                               .machines = 8,
                                                               .copies = seed >= 40 && seed < 60,
                                                               .half_duplex = seed >= 60});
        RandomStream random(seed, Purpose::sampling, 3);
        const Places ends = drawn_ends(problem, random);
        ScheduleOptions options;
        options.effort = 20'000;
        const Schedule straight = schedule_moves(problem, ends, options);
        const Schedule schedule = schedule_as_good(problem, ends, options);
        const Replayed replayed = replay(problem, schedule.moves);
        ASSERT_TRUE(replayed.allowed) << "seed " << seed << ": " << replayed.fault;
        ASSERT_LE(schedule.blocked.size(), straight.blocked.size());
        if (!straight.complete) continue;
        ASSERT_LE(replayed.end.score, stand(problem, ends).score) << "seed " << seed;
        ASSERT_LE(schedule.moves.size(), straight.moves.size());
        if (schedule.moves.size() == straight.moves.size()) {
            ASSERT_LE(schedule.waves(), straight.waves());
            ++compared;
        }
    }
    EXPECT_GT(compared, 5U);
}

/// Against the best score that any schedule reaches in as many waves.
TEST(ReassignSchedules, WithinFewWavesAreMostlyTheBest) {
    std::size_t cases = 0;
    std::size_t best = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Problem problem = test::ReassignDraw(seed).draw({4, 3});
        const test::AllPlacements placements(problem);
        Places ends(problem.item_count(), 0);
        while (placements.score(placements.number_of(ends)) != placements.best())
            if (!placements.advance(ends)) break;
        problem.budget.waves = 1;
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete()) continue;
        const Schedule schedule = schedule_within(problem, ends, {});
        const Replayed replayed = replay(problem, schedule.moves);
        ASSERT_TRUE(replayed.allowed) << "seed " << seed << ": " << replayed.fault;
        ASSERT_TRUE(replayed.within_budget);
        ASSERT_LE(replayed.end.score, stand(problem, problem.places).score) << "seed " << seed;
        if (all.best() == stand(problem, problem.places).score) continue;
        ++cases;
        if (replayed.end.score == all.best()) ++best;
    }
    EXPECT_GT(cases, 100U);
    EXPECT_GE(best * 100, cases * 85) << best << " of " << cases;
}

TEST(ReassignWaveBounds, AreNeverAboveTheFewestWavesToAnyPlacementAsGoodAndMostlyMeetThem) {
    std::size_t cases = 0;
    std::size_t met = 0;
    for (std::uint64_t seed = 0; seed < 650; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw(size_of(seed));
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete()) continue;
        std::vector<Score> scores = {all.best()};
        // And what some other placement reaches.
        Places places = problem.places;
        (void)all.placements().advance(places);
        if (all.reach(places)) scores.push_back(stand(problem, places).score);
        for (const Score& score : scores) {
            const Bound bound = waves_at_least(problem, score);
            const auto waves = static_cast<Tokens>(all.reach_score(score).waves);
            ASSERT_LE(bound.at_least, Int128{waves}) << "seed " << seed << ": " << bound.reason;
            ASSERT_EQ(bound.reason.empty(), bound.at_least == 0);
            ++cases;
            if (bound.at_least == waves) ++met;
        }
    }
    EXPECT_GT(cases, 200U);
    EXPECT_EQ(met, cases);
}

}  // namespace
}  // namespace equipoise::reassign
