#include "equipoise/reassign/leaders/decide.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/leaders.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// What is to be least, the first in order first.
struct Merit {
    std::uint64_t elsewhere = 0;   ///< leaders that are not as given
    std::uint64_t on_drained = 0;  ///< leaders on drained machines
    Tokens over = 0;
    std::size_t changes = 0;
    friend auto operator<=>(const Merit&, const Merit&) = default;
    friend bool operator==(const Merit&, const Merit&) = default;
};

Merit merit(const Problem& problem, const std::vector<MachineId>& places,
            const std::vector<LeaderChange>& changes) {
    const ReplayedLeaders replayed = replay_leaders(problem, places, changes);
    EXPECT_EQ(replayed.fault, "");
    const LeaderStanding standing = stand_leaders(problem, places, replayed.leaders);
    Merit merit{standing.elsewhere, 0, standing.over, changes.size()};
    for (std::uint32_t thing = 0; thing < problem.things.size(); ++thing) {
        const ItemId leader = replayed.leaders[thing];
        const bool is_given = !problem.given_leaders.empty() &&
                              problem.given_leaders[thing] != no_item &&
                              problem.given_leaders[thing] == leader;
        if (leader != no_item && problem.drained[places[leader]] && !is_given) ++merit.on_drained;
    }
    return merit;
}

/// The best of all changes that are allowed. Things that nothing leads keep nothing, unless a
/// leader is given.
Merit best_of_all(const Problem& problem, const std::vector<MachineId>& places) {
    const Leaders before = leaders_of(problem);
    std::vector<std::vector<ItemId>> choices(problem.things.size());
    for (std::uint32_t thing = 0; thing < problem.things.size(); ++thing) {
        choices[thing].push_back(before[thing]);
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            const bool is_given =
                !problem.given_leaders.empty() && problem.given_leaders[thing] == item;
            if (problem.thing[item] == thing && item != before[thing] &&
                (before[thing] != no_item || is_given) &&
                replay_leaders(problem, places,
                               std::vector{LeaderChange{thing, before[thing], item}})
                    .fault.empty())
                choices[thing].push_back(item);
        }
    }
    std::vector<std::size_t> at(choices.size(), 0);
    std::optional<Merit> best;
    while (true) {
        std::vector<LeaderChange> changes;
        for (std::uint32_t thing = 0; thing < choices.size(); ++thing)
            if (at[thing] > 0) changes.push_back({thing, before[thing], choices[thing][at[thing]]});
        const Merit found = merit(problem, places, changes);
        if (!best || found < *best) best = found;
        std::size_t thing = 0;
        while (thing < at.size() && ++at[thing] == choices[thing].size())
            at[thing++] = 0;
        if (thing == at.size()) return *best;
    }
}

/// A drawn problem, in which most things are led, with given leaders and levels here and there.
Problem drawn_with_leaders(std::uint64_t seed) {
    Problem problem = test::ReassignDraw(seed).draw({.items = 7, .machines = 4});
    RandomStream random(seed, Purpose::sampling, 7);
    problem.leads.assign(problem.item_count(), false);
    std::vector<bool> is_led(problem.things.size(), false);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (is_led[problem.thing[item]] || random.below(2) == 0) continue;
        is_led[problem.thing[item]] = problem.leads[item] = true;
    }
    if (random.below(4) > 0) problem.leaders_tolerance = random.below(3) == 0 ? 500'000 : 0;
    if (random.below(4) == 0) {
        problem.given_leaders.assign(problem.things.size(), no_item);
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (random.below(3) == 0) problem.given_leaders[problem.thing[item]] = item;
    }
    problem.check();
    return problem;
}

TEST(Leaders, ChangeAsFewAsBringTheBestOfAllOnDrawnProblems) {
    int gaps = 0;
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = drawn_with_leaders(seed);
        RandomStream random(seed, Purpose::sampling, 8);
        std::vector<MachineId> places = problem.places;
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            const auto other = static_cast<MachineId>(random.below(problem.machine_count()));
            if (random.below(2) == 0 && !problem.pinned[places[item]] && !problem.pinned[other])
                places[item] = other;
        }
        const LeaderPlan plan = decide_leaders(problem, places);
        const Merit found = merit(problem, places, plan.changes);
        ASSERT_EQ(found, best_of_all(problem, places));
        ASSERT_TRUE(plan.over.at_least == found.over);
        ASSERT_TRUE(plan.changed.at_least == Int128{static_cast<Tokens>(found.changes)});
        ASSERT_EQ(plan.changed.reason.empty(), plan.changes.empty());
        ASSERT_EQ(plan.over.reason.empty(), plan.over.at_least == 0);
        if (found.over > 0) ++gaps;
        if (found.changes > 1) ++changed;
    }
    EXPECT_GT(gaps, 50);
    EXPECT_GT(changed, 50);
}

/// Three things with copies on a and b, led from a; c holds none.
Problem led_from_a() {
    Problem problem = test::reassign_problem({0, 0, 0}, {1, 1, 1}, 3);
    test::add_copies(problem, {1, 1, 1});
    problem.leads = {true, true, true, false, false, false};
    return problem;
}

TEST(Leaders, GapsAreNamedByMachinesAndItems) {
    Problem problem = led_from_a();
    problem.leaders_tolerance = 0;
    const LeaderPlan plan = decide_leaders(problem, problem.places);
    EXPECT_EQ(plan.changes.size(), 1U);
    EXPECT_TRUE(plan.over.at_least == 1);
    EXPECT_EQ(plan.over.reason, "3 items can be led from a and b only, which may lead 2");
    EXPECT_EQ(plan.changed.reason, "1 leader above what machines may lead");
}

TEST(Leaders, ThatAreGivenAreNamedBesideTheGapsThatTheyLeave) {
    Problem problem = led_from_a();
    problem.leaders_tolerance = 0;
    problem.given_leaders = {0, 1, no_item};
    const LeaderPlan plan = decide_leaders(problem, problem.places);
    EXPECT_EQ(plan.changes, (std::vector<LeaderChange>{{2, 2, 5}}));
    EXPECT_TRUE(plan.over.at_least == 1);
    EXPECT_EQ(plan.over.reason,
              "with the leaders of the target, 2 items can be led from a only, which may lead 1");
}

TEST(Leaders, ChangeNothingUnlessTheyMust) {
    Problem problem = led_from_a();
    EXPECT_TRUE(decide_leaders(problem, problem.places).changes.empty());
    problem.drained[0] = true;
    const LeaderPlan plan = decide_leaders(problem, problem.places);
    EXPECT_EQ(plan.changes, (std::vector<LeaderChange>{{0, 0, 3}, {1, 1, 4}, {2, 2, 5}}));
    EXPECT_EQ(plan.changed.reason, "3 leaders on machines that must end empty");
    // A leader that moves goes on leading.
    EXPECT_TRUE(decide_leaders(problem, std::vector<MachineId>{2, 2, 2, 1, 1, 1}).changes.empty());
}

TEST(Leaders, OfPinnedMachinesStay) {
    Problem problem = led_from_a();
    problem.leaders_tolerance = 0;
    problem.pinned[0] = true;
    EXPECT_TRUE(decide_leaders(problem, problem.places).changes.empty());
    problem.pinned = {false, true, false};
    EXPECT_TRUE(decide_leaders(problem, problem.places).changes.empty());
}

}  // namespace
}  // namespace equipoise::reassign
