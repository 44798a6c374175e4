// Plans whose ends are given, and leaders of plans of all kinds.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/plan.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

SearchOptions of_little_effort() {
    SearchOptions options;
    options.seconds.reset();
    options.effort = 2'000;
    return options;
}

/// A drawn problem, in which the first item of each thing leads.
Problem led_problem(std::uint64_t seed) {
    Problem problem = test::ReassignDraw(seed).draw({4, 3});
    problem.leads.assign(problem.item_count(), false);
    std::vector<bool> is_led(problem.things.size(), false);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (is_led[problem.thing[item]]) continue;
        is_led[problem.thing[item]] = problem.leads[item] = true;
    }
    if (seed % 2 == 0) problem.leaders_tolerance = 0;
    return problem;
}

void expect_sound_leaders(const Problem& problem, const Plan& plan) {
    const ReplayedLeaders replayed = replay_leaders(problem, plan.replayed.places, plan.leaders);
    ASSERT_EQ(replayed.fault, "");
    const LeaderStanding standing = stand_leaders(problem, plan.replayed.places, replayed.leaders);
    ASSERT_EQ(standing.led, plan.led_after.led);
    ASSERT_EQ(standing.over, plan.led_after.over);
    ASSERT_EQ(plan.led_before.led, stand_leaders(problem, problem.places, leaders_of(problem)).led);
    ASSERT_TRUE(plan.at_least.leaders_over.at_least == standing.over);
    ASSERT_TRUE(plan.at_least.leaders_changed.at_least ==
                Int128{static_cast<Tokens>(plan.leaders.size())});
}

TEST(GivenEnds, AreReachedWhereverAnyScheduleReachesThem) {
    int reached = 0;
    int missed = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Problem problem = led_problem(seed);
        problem.budget = {};
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete()) continue;
        RandomStream random(seed, Purpose::sampling, 3);
        std::vector<MachineId> ends = problem.places;
        for (MachineId& end : ends)
            if (random.below(2) == 0)
                end = static_cast<MachineId>(random.below(problem.machine_count()));
        problem.given_ends = ends;
        const Plan plan = make_plan(problem, of_little_effort());
        ASSERT_TRUE(replay(problem, plan.moves).allowed);
        ASSERT_EQ(plan.missed == 0, all.reach(ends).has_value());
        ASSERT_NO_FATAL_FAILURE(expect_sound_leaders(problem, plan));
        if (plan.missed > 0) {
            ASSERT_FALSE(plan.reached());
            ++missed;
            continue;
        }
        ++reached;
        ASSERT_EQ(plan.replayed.places, ends);
        ASSERT_TRUE(plan.at_least.moves.at_least == plan.replayed.end.score.moves);
        ASSERT_TRUE(plan.at_least.waves.at_least <=
                    Int128{static_cast<Tokens>(all.reach(ends)->waves)});
    }
    EXPECT_GT(reached, 50);
    EXPECT_GT(missed, 50);
}

TEST(GivenEnds, WhereEverythingIsLeaveLeadersAlone) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        Problem problem = led_problem(2 * seed);
        problem.given_ends = problem.places;
        const Plan plan = make_plan(problem, of_little_effort());
        ASSERT_TRUE(plan.moves.empty());
        ASSERT_EQ(plan.missed, 0U);
        ASSERT_NO_FATAL_FAILURE(expect_sound_leaders(problem, plan));
    }
}

TEST(GivenEnds, OrNotLeadersOfPlansAreWhatTheReplaySays) {
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = led_problem(seed);
        const Plan plan = make_plan(problem, of_little_effort());
        ASSERT_NO_FATAL_FAILURE(expect_sound_leaders(problem, plan));
        if (!plan.leaders.empty()) ++changed;
        const Plan judged = judge_moves(problem, plan.moves, plan.leaders, of_little_effort());
        ASSERT_EQ(judged.replayed_leaders.fault, "");
        ASSERT_EQ(judged.reached(), plan.reached());
    }
    EXPECT_GT(changed, 5);
}

}  // namespace
}  // namespace equipoise::reassign
