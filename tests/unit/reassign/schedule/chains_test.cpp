// Moves that none can make alone: exchanges, circles and detours.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/reasons/blocked.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"
#include "tests/support/reassign_spectators.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

/// With more items than these, not all waves are tried.
constexpr ItemId spectators = 30;

/// The schedule to these ends that lists and detours find without the search of all waves.
Schedule listed(const Problem& problem, Places ends) {
    const Problem larger = test::with_spectators(problem, spectators);
    larger.check();
    ends.resize(larger.item_count(), larger.places.back());
    Schedule schedule = schedule_moves(larger, ends, {});
    const Replayed replayed = replay(larger, schedule.moves);
    EXPECT_TRUE(replayed.allowed) << replayed.fault;
    EXPECT_EQ(schedule.complete, replayed.places == ends);
    return schedule;
}

/// Checks that lists find as many moves and waves, and no other schedule has fewer.
void expect_schedule(const Problem& problem, const Places& ends, Tokens moves, Step waves) {
    const Schedule schedule = listed(problem, ends);
    EXPECT_TRUE(schedule.complete);
    EXPECT_EQ(static_cast<Tokens>(schedule.moves.size()), moves);
    EXPECT_EQ(schedule.waves(), waves);
    if (problem.item_count() > 4 || problem.machine_count() > 5) return;
    const test::AllSchedules all(problem, 3'000'000);
    ASSERT_TRUE(all.is_complete());
    const auto reach = all.reach(ends);
    ASSERT_TRUE(reach.has_value());
    EXPECT_EQ(reach->moves, moves);
    EXPECT_EQ(reach->waves_of_fewest_moves, waves);
}

void set_capacity(Problem& problem, Tokens bytes) {
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        problem.capacities[machine * problem.resource_count() + 1] = bytes;
}

void label(std::vector<Label>& labels, const char* name, const std::vector<ValueId>& values) {
    labels.push_back({name, {}, values});
    const ValueId last = *std::max_element(values.begin(), values.end());
    for (ValueId value = 0; value <= last; ++value)
        labels.back().values.number_of(name + std::to_string(value));
}

/// One item of size 6 on each of the first machines, which it fills; some others are empty.
Problem full_machines(MachineId full, MachineId empty) {
    Places places;
    for (MachineId machine = 0; machine < full; ++machine)
        places.push_back(machine);
    Problem problem = test::reassign_problem(places, std::vector<Tokens>(full, 6), full + empty);
    set_capacity(problem, 6);
    return problem;
}

/// Every item goes to the next machine, the last one to the first.
Places next_ones(MachineId machines) {
    Places ends;
    for (MachineId machine = 0; machine < machines; ++machine)
        ends.push_back((machine + 1) % machines);
    return ends;
}

TEST(ReassignChains, OfCirclesGoInOneWaveWhereRoomIsFreeAtOnce) {
    for (MachineId machines = 2; machines <= 8; ++machines) {
        Problem problem = full_machines(machines, 0);
        problem.resources[1].release = Release::at_once;
        problem.at_once = 1;
        expect_schedule(problem, next_ones(machines), machines, 1);
    }
}

TEST(ReassignChains, OfCirclesTakeOneDetourWhereRoomIsFreeAfterTheWave) {
    for (MachineId machines = 2; machines <= 8; ++machines) {
        const Problem problem = full_machines(machines, 1);
        expect_schedule(problem, next_ones(machines), machines + 1, machines + 1);
    }
}

TEST(ReassignChains, OfTwoCirclesTakeADetourEach) {
    const Problem problem = full_machines(8, 1);
    const Places ends = {1, 2, 0, 4, 5, 6, 7, 3};
    EXPECT_EQ(listed(problem, ends).moves.size(), 10U);
}

TEST(ReassignChains, OfCirclesWithoutAMachineForDetoursAreBlockedAndSayWhy) {
    for (MachineId machines = 2; machines <= 8; ++machines) {
        Problem problem = full_machines(machines, 0);
        const Schedule schedule = listed(problem, next_ones(machines));
        EXPECT_EQ(schedule.blocked.size(), machines);
        EXPECT_TRUE(schedule.moves.empty());
        problem.given_ends = next_ones(machines);
        const std::vector<BlockedItem> blocked = blocked_items(problem, schedule.moves, 1);
        ASSERT_EQ(blocked.size(), machines);
        EXPECT_EQ(blocked[0].reason, "machine b has 0 of bytes free");
        EXPECT_EQ(blocked[0].place, 0U);
        EXPECT_EQ(blocked[1].reason, "");
    }
}

TEST(ReassignChains, WhoseLastMachineHasRoomNeedNothingButTheirOrder) {
    for (MachineId items = 2; items <= 8; ++items) {
        Problem problem = full_machines(items, 1);
        Places ends = next_ones(items + 1);
        ends.pop_back();
        expect_schedule(problem, ends, items, items);
        problem.resources[1].release = Release::at_once;
        expect_schedule(problem, ends, items, 1);
    }
}

TEST(ReassignChains, OfTwoItemsAgainstOneGoTogetherOrByOneDetour) {
    Problem problem = test::reassign_problem({0, 0, 1}, {2, 4, 6}, 3);
    set_capacity(problem, 6);
    // The one goes out of the way, not the two.
    expect_schedule(problem, {1, 1, 0}, 4, 3);
    problem.resources[1].release = Release::at_once;
    expect_schedule(problem, {1, 1, 0}, 3, 1);
}

TEST(ReassignChains, OfServicesThatNeedEachOtherMoveToAnotherZoneInOneWave) {
    // s0 needs s1, that needs s2, and so on: all of them go, or none.
    constexpr ItemId services = 7;
    Places places;
    Places ends;
    std::vector<ValueId> of;
    for (ItemId item = 0; item < services; ++item) {
        places.push_back(item % 2);
        ends.push_back(2 + item % 2);
        of.push_back(item);
    }
    Problem problem = test::reassign_problem(places, std::vector<Tokens>(services, 1), 4);
    label(problem.item_labels, "service", of);
    label(problem.machine_labels, "zone", {0, 0, 1, 1});
    problem.near.push_back({1, 0, {}});
    for (ValueId service = 0; service < services; ++service)
        problem.near[0].depends.emplace_back(service, (service + 1) % services);
    expect_schedule(problem, ends, services, 1);
}

TEST(ReassignChains, KeepLeastNumbersOfItemsInACircle) {
    constexpr MachineId machines = 6;
    Problem problem = full_machines(machines, 0);
    set_capacity(problem, tokens_max);
    problem.least_items.assign(machines, 1);
    problem.at_once = 1;
    expect_schedule(problem, next_ones(machines), machines, 1);
}

TEST(ReassignChains, KeepSpreadRoomAndNearnessInOneWave) {
    // Two services of two items each exchange their zones, on full machines.
    Problem problem = test::reassign_problem({0, 1, 2, 3}, {6, 6, 6, 6}, 4);
    set_capacity(problem, 6);
    problem.resources[1].release = Release::at_once;
    label(problem.item_labels, "service", {0, 0, 1, 1});
    label(problem.machine_labels, "zone", {0, 1, 0, 1});
    problem.spread.push_back({1, 0, 2});
    problem.near.push_back({1, 0, {{0, 1}, {1, 0}}});
    problem.at_once = 1;
    expect_schedule(problem, {2, 3, 1, 0}, 4, 1);
}

TEST(ReassignChains, OfItemsThatMustBeApartGoInACircleByADetour) {
    for (MachineId machines = 2; machines <= 8; ++machines) {
        Problem problem = full_machines(machines, 1);
        set_capacity(problem, tokens_max);
        label(problem.item_labels, "group", std::vector<ValueId>(machines, 0));
        problem.apart.push_back({1});
        expect_schedule(problem, next_ones(machines), machines + 1, machines + 1);
        problem.drained[machines] = true;
        EXPECT_FALSE(listed(problem, next_ones(machines)).complete);
    }
}

TEST(ReassignChains, OfItemsThatAreApartInTheEndGoInACircleInOneWave) {
    for (MachineId machines = 2; machines <= 8; ++machines) {
        Problem problem = full_machines(machines, 0);
        problem.resources[1].release = Release::at_once;
        label(problem.item_labels, "group", std::vector<ValueId>(machines, 0));
        problem.apart.push_back({1, false});
        problem.at_once = 1;
        expect_schedule(problem, next_ones(machines), machines, 1);
        // An item that stays is in the way of one alone, which gives its place to the others.
        set_capacity(problem, tokens_max);
        problem.stays.assign(machines, false);
        problem.stays[1] = true;
        Places ends = next_ones(machines);
        ends[1] = 1;
        const Schedule schedule = listed(problem, ends);
        EXPECT_EQ(schedule.blocked, std::vector<ItemId>{0});
        problem.given_ends = ends;
        EXPECT_EQ(blocked_items(problem, schedule.moves, 1)[0].reason,
                  "machine b has i1, from which it must be apart");
    }
}

TEST(ReassignChains, ThatNothingStandsAgainstAreHeldBackByTheBudgetOrByTheEndOfTheSearch) {
    Problem problem = full_machines(1, 1);
    problem.given_ends = {1};
    EXPECT_EQ(blocked_items(problem, {}, 1)[0].reason,
              "nothing stands in its way, but the search for waves ended too early");
    Problem of_moves = problem;
    of_moves.budget.amounts = {0, tokens_max};
    EXPECT_EQ(blocked_items(of_moves, {}, 1)[0].reason, "the budget allows no more");
    Problem of_waves = problem;
    of_waves.budget.waves = 0;
    EXPECT_EQ(blocked_items(of_waves, {}, 1)[0].reason, "the budget allows no more");
}

TEST(ReassignChains, MakeNoDetourThatTheBudgetForbids) {
    Problem problem = full_machines(4, 1);
    problem.budget.amounts = {4, tokens_max};
    EXPECT_TRUE(listed(problem, next_ones(4)).moves.empty());
    problem.budget.amounts = {5, tokens_max};
    EXPECT_TRUE(listed(problem, next_ones(4)).complete);
    problem.budget.amounts = {tokens_max, 29};
    EXPECT_FALSE(listed(problem, next_ones(4)).complete);
    problem.budget.amounts = {tokens_max, 30};
    EXPECT_TRUE(listed(problem, next_ones(4)).complete);
}

TEST(ReassignChains, AreFoundWithoutTheSearchOfAllWavesAndHaveNoDetourThatCanBeLeftOut) {
    std::size_t reached = 0;
    std::size_t found = 0;
    std::size_t fewest_waves = 0;
    std::size_t detours = 0;
    for (std::uint64_t seed = 3000; seed < 3400; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw({.items = 4, .machines = 3});
        const test::AllSchedules all(problem, 20'000);
        if (!all.is_complete()) continue;
        for (const Places& ends : test::some_ends(problem, all.placements(), seed, 12)) {
            const auto reach = all.reach(ends);
            const Schedule schedule = listed(problem, ends);
            if (!reach) {
                ASSERT_FALSE(schedule.complete) << "seed " << seed;
                continue;
            }
            ++reached;
            if (!schedule.complete) continue;
            ++found;
            ASSERT_EQ(static_cast<Tokens>(schedule.moves.size()), reach->moves) << "seed " << seed;
            if (schedule.waves() == reach->waves_of_fewest_moves) ++fewest_waves;
            if (schedule.detours > 0) ++detours;
        }
    }
    EXPECT_GT(reached, 500U);
    EXPECT_GT(detours, 10U);
    EXPECT_EQ(found, reached);
    EXPECT_GE(fewest_waves * 100, reached * 99) << fewest_waves << " of " << reached;
}

}  // namespace
}  // namespace equipoise::reassign
