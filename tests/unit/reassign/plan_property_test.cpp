#include <array>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/plan.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

using Parts = std::array<Int128, 6>;

Parts parts_of(const Score& score) {
    return {score.broken, score.over_thresholds, score.over_levels,
            score.cost,   score.fewest,          score.moves};
}

std::array<const Bound*, 6> bounds_of_parts(const Bounds& bounds) {
    return {&bounds.broken, &bounds.over_thresholds, &bounds.over_levels,
            &bounds.cost,   &bounds.fewest,          &bounds.moves};
}

/// What is said about the plans of many problems.
struct Tally {
    int problems = 0;
    int feasible = 0;      ///< can end with rules, thresholds and levels
    int claimed = 0;       ///< feasible, and "fewest" is claimed
    int fewest_waves = 0;  ///< as few as any schedule to a placement as good has
    int waves_claimed = 0;
};

/// No plan that is as good as this one in the parts of the score before undercuts a bound.
void expect_bounds_hold(const Plan& plan, const test::AllSchedules& all) {
    const Parts reached = parts_of(plan.replayed.end.score);
    const auto bounds = bounds_of_parts(plan.at_least);
    for (const auto& [number, reach] : all.reached()) {
        const Parts other = parts_of(all.placements().score(number));
        for (std::size_t part = 0; part < reached.size(); ++part) {
            ASSERT_TRUE(other[part] >= bounds[part]->at_least)
                << "part " << part << " of a plan is " << static_cast<double>(other[part])
                << ", below the bound: " << bounds[part]->reason;
            if (other[part] > reached[part]) break;
        }
    }
    const auto fewest = all.reach_score(plan.replayed.end.score);
    ASSERT_TRUE(plan.at_least.waves.at_least <= Int128{static_cast<Tokens>(fewest.waves)})
        << plan.at_least.waves.reason;
    ASSERT_GE(plan.replayed.waves, fewest.waves);
    ASSERT_GE(static_cast<Tokens>(plan.moves.size()), fewest.moves);
}

/// No schedule to an end as good has fewer moves: no detour can be left out.
void expect_needed_detours(const Plan& plan, const test::AllSchedules& all) {
    if (plan.detours == 0) return;
    const auto fewest = all.reach_score(plan.replayed.end.score);
    ASSERT_EQ(static_cast<Tokens>(plan.moves.size()), fewest.moves);
}

void expect_good_plan(const Problem& problem, Tally& tally) {
    SearchOptions options;
    options.seconds.reset();
    options.effort = 20'000;
    const Plan plan = make_plan(problem, options);
    const Replayed replayed = replay(problem, plan.moves);
    ASSERT_TRUE(replayed.allowed) << replayed.fault;
    ASSERT_EQ(replayed.end.score, plan.replayed.end.score);
    ASSERT_TRUE(replayed.within_budget);
    const test::AllSchedules all(problem, 300'000);
    if (!all.is_complete()) return;
    expect_bounds_hold(plan, all);
    const Score best = all.best();
    if (problem.objective.given && all.reach_score(best).moves > best.moves) {
        // Its detours may cost more than it gains.
        ASSERT_GE(plan.replayed.end.score, best);
    } else {
        ASSERT_EQ(plan.replayed.end.score, best) << "some schedule does better";
    }
    expect_needed_detours(plan, all);
    ++tally.problems;
    if (plan.replayed.waves == all.reach_score(best).waves) ++tally.fewest_waves;
    if (plan.waves_exact()) ++tally.waves_claimed;
    if (!plan.reached()) return;
    ++tally.feasible;
    if (plan.fewest_exact() && plan.moves_exact()) ++tally.claimed;
}

Tally plans_of_drawn_problems(std::uint64_t first_seed, int count, const test::DrawnSize& size) {
    Tally tally;
    for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count);
         ++seed) {
        SCOPED_TRACE(seed);
        expect_good_plan(test::ReassignDraw(seed).draw(size), tally);
        if (testing::Test::HasFatalFailure()) break;
    }
    return tally;
}

void expect_claims(const Tally& tally) {
    testing::Test::RecordProperty("problems", tally.problems);
    testing::Test::RecordProperty("feasible", tally.feasible);
    testing::Test::RecordProperty("fewest_claimed", tally.claimed);
    testing::Test::RecordProperty("fewest_waves", tally.fewest_waves);
    testing::Test::RecordProperty("fewest_waves_claimed", tally.waves_claimed);
    EXPECT_GE(tally.claimed * 100, tally.feasible * 95);
    EXPECT_GE(tally.fewest_waves * 100, tally.problems * 98);
}

TEST(ReassignPlans, EndAsWellAsAnyScheduleAndNearlyAlwaysClaimTheFewest) {
    expect_claims(plans_of_drawn_problems(0, 300, {5, 4}));
}

TEST(ReassignPlans, EndAsWellAsAnyWithinBudgetsAndByWeightedCosts) {
    expect_claims(plans_of_drawn_problems(
        0, 200, {.items = 5, .machines = 3, .objectives = true, .budgets = true}));
}

TEST(ReassignPlans, OfCopiesFromLeadersAndFromOutsideEndAsWellAsAnySchedule) {
    expect_claims(plans_of_drawn_problems(0, 300, {.items = 3, .machines = 3, .copies = true}));
    expect_claims(plans_of_drawn_problems(
        300, 200,
        {.items = 3, .machines = 3, .objectives = true, .budgets = true, .copies = true}));
}

TEST(ReassignPlans, InHalfDuplexEndAsWellAsAnyScheduleAndNearlyAlwaysClaimTheFewest) {
    expect_claims(plans_of_drawn_problems(
        0, 200, {.items = 5, .machines = 3, .budgets = true, .half_duplex = true}));
}

TEST(ReassignPlans, OfLargerProblemsAreAllowedAndKeepToTheirBounds) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    SearchOptions options;
    options.seconds.reset();
    options.effort = 20'000;
    int reached = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = test::ReassignDraw(seed).draw({.items = 40,
                                                               .machines = 8,
                                                               .objectives = seed % 2 == 0,
                                                               .budgets = seed % 3 == 0,
                                                               .copies = seed >= 16 && seed < 20,
                                                               .half_duplex = seed >= 20});
        const Plan plan = make_plan(problem, options);
        const Replayed replayed = replay(problem, plan.moves);
        ASSERT_TRUE(replayed.allowed) << replayed.fault;
        ASSERT_TRUE(replayed.within_budget);
        ASSERT_EQ(replayed.end.score, plan.replayed.end.score);
        ASSERT_TRUE(replayed.end.score <= plan.before.score);
        ASSERT_TRUE(is_no_worse(replayed.end, plan.before));
        const Parts parts = parts_of(replayed.end.score);
        const auto bounds = bounds_of_parts(plan.at_least);
        for (std::size_t part = 0; part < parts.size(); ++part)
            ASSERT_TRUE(parts[part] >= bounds[part]->at_least) << bounds[part]->reason;
        ASSERT_TRUE(Int128{static_cast<Tokens>(replayed.waves)} >= plan.at_least.waves.at_least);
        if (plan.reached()) ++reached;
    }
    EXPECT_GE(reached, 2);
}

TEST(ReassignPlansLong, EndAsWellAsAnyScheduleAndNearlyAlwaysClaimTheFewest) {
    expect_claims(plans_of_drawn_problems(1'000, 5'000, {5, 4}));
}

TEST(ReassignPlansLong, OfCopiesFromLeadersAndFromOutsideEndAsWellAsAnySchedule) {
    expect_claims(plans_of_drawn_problems(
        1'000, 5'000, {.items = 3, .machines = 3, .budgets = true, .copies = true}));
}

TEST(ReassignPlansLong, EndAsWellAsAnyWithinBudgetsAndByWeightedCosts) {
    expect_claims(plans_of_drawn_problems(
        1'000, 5'000, {.items = 5, .machines = 3, .objectives = true, .budgets = true}));
}

}  // namespace
}  // namespace equipoise::reassign
