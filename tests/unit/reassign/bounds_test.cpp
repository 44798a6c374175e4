#include "equipoise/reassign/bounds/bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// The scores of all placements to which allowed moves could lead, and of those a plan may aim at.
struct Scores {
    std::set<Score> all;
    std::set<Score> ends;
};

Scores scores_of(const Problem& problem) {
    Scores scores;
    const Standing before = stand(problem, problem.places);
    std::vector<MachineId> places(problem.item_count(), 0);
    const auto advance = [&] {
        for (MachineId& place : places) {
            if (++place < problem.machine_count()) return true;
            place = 0;
        }
        return false;
    };
    do {
        bool is_allowed = true;
        for (ItemId item = 0; item < problem.item_count() && is_allowed; ++item)
            is_allowed =
                places[item] == problem.places[item] || problem.may_be_on(item, places[item]);
        if (!is_allowed) continue;
        const Standing standing = stand(problem, places);
        if (!within(problem.budget, standing.moved)) continue;
        scores.all.insert(standing.score);
        if (may_end(problem, places, standing, before)) scores.ends.insert(standing.score);
    } while (advance());
    return scores;
}

/// What is wrong with the bounds for plans as good as `reached`; empty: nothing.
std::string wrong(const Scores& scores, const Score& reached, const Bounds& bounds) {
    for (const Score& score : scores.all) {
        if (score.broken < bounds.broken.at_least) return "rules: " + bounds.broken.reason;
        if (score.broken > reached.broken) continue;
        if (score.over_thresholds < bounds.over_thresholds.at_least)
            return "thresholds: " + bounds.over_thresholds.reason;
        if (score.over_thresholds > reached.over_thresholds) continue;
        if (score.over_levels < bounds.over_levels.at_least)
            return "levels: " + bounds.over_levels.reason;
        if (score.over_levels > reached.over_levels) continue;
        if (score.cost > reached.cost) continue;
        if (score.fewest < bounds.fewest.at_least) return "fewest: " + bounds.fewest.reason;
        if (score.fewest > reached.fewest) continue;
        if (score.moves < bounds.moves.at_least) return "moves: " + bounds.moves.reason;
    }
    // Costs are bounded for plans alone, whose items must find room.
    for (const Score& score : scores.ends)
        if (score.broken <= reached.broken && score.cost < bounds.cost.at_least)
            return "cost: " + bounds.cost.reason;
    return {};
}

struct Claims {
    int problems = 0;
    int broken = 0;
    int thresholds = 0;
    int levels = 0;
    int with_costs = 0;
    int costs = 0;
    int fewest = 0;
    int moves = 0;
};

// Bounds of drawn problems, each for the best placement and for some others.
void expect_sound(std::uint64_t seed, int problems, const test::DrawnSize& size,
                  bool linear_program, Claims& claims) {
    BoundOptions options;
    options.linear_program = linear_program;
    test::ReassignDraw draw(seed);
    for (int number = 0; number < problems; ++number) {
        const Problem problem = draw.draw(size);
        const Scores scores = scores_of(problem);
        const std::size_t stride = scores.all.size() / 5 + 1;
        std::size_t at = 0;
        for (const Score& reached : scores.all) {
            if (at++ % stride != 0) continue;
            const std::string fault = wrong(scores, reached, bounds_of(problem, reached, options));
            ASSERT_EQ(fault, "") << "problem " << number << " of seed " << seed << ", score " << at;
        }
        if (scores.ends.empty()) continue;
        const Score& best = *scores.ends.begin();
        const Bounds bounds = bounds_of(problem, best, options);
        ASSERT_EQ(wrong(scores, best, bounds), "") << "problem " << number << " of seed " << seed;
        ++claims.problems;
        claims.broken += bounds.broken.at_least == best.broken ? 1 : 0;
        claims.thresholds += bounds.over_thresholds.at_least == best.over_thresholds ? 1 : 0;
        claims.levels += bounds.over_levels.at_least == best.over_levels ? 1 : 0;
        claims.with_costs += problem.objective.given ? 1 : 0;
        claims.costs += problem.objective.given && bounds.cost.at_least == best.cost ? 1 : 0;
        claims.fewest += bounds.fewest.at_least == best.fewest ? 1 : 0;
        claims.moves += bounds.moves.at_least == best.moves ? 1 : 0;
    }
}

TEST(ReassignBounds, NoPlacementOfADrawnProblemUndercutsThem) {
    Claims sums;
    expect_sound(1, 1000, {}, false, sums);
    // They are no empty words: most of them are reached.
    EXPECT_GE(sums.broken, sums.problems * 85 / 100);
    EXPECT_GE(sums.thresholds, sums.problems * 90 / 100);
    EXPECT_GE(sums.levels, sums.problems * 80 / 100);
    EXPECT_GE(sums.fewest, sums.problems * 87 / 100);
    EXPECT_GE(sums.moves, sums.problems * 87 / 100);
    if (!has_linear_programs()) return;
    Claims programs;
    expect_sound(1, 400, {}, true, programs);
    EXPECT_GE(programs.broken, programs.problems * 88 / 100);
    EXPECT_GE(programs.thresholds, programs.problems * 92 / 100);
    EXPECT_GE(programs.levels, programs.problems * 81 / 100);
    EXPECT_GE(programs.fewest, programs.problems * 91 / 100);
    EXPECT_GE(programs.moves, programs.problems * 92 / 100);
}

TEST(ReassignBounds, NoPlacementWithinABudgetOrWithCostsUndercutsThem) {
    Claims claims;
    expect_sound(2, 1000, {5, 4, true, true}, false, claims);
    EXPECT_GE(claims.fewest, claims.problems * 90 / 100);
    EXPECT_GE(claims.costs, claims.with_costs * 60 / 100);
    expect_sound(3, 400, {5, 4, true, true}, true, claims);
}

// One machine takes two items of 4, above its threshold of 5; a move costs 3, and 2 for the group.
TEST(ReassignBounds, AFirstMoveCostsSomethingBesidesWhatHasNoRoom) {
    Problem problem = test::reassign_problem({0, 0, 0}, {4, 4, 4}, 2);
    problem.level.clear();
    problem.objective.given = true;
    problem.objective.over_threshold = {0, 5};
    problem.objective.move_costs = {3, 3, 3};
    problem.objective.most_moved = 2;
    problem.objective.most_moved_label = 0;
    for (MachineId machine = 0; machine < 2; ++machine)
        problem.thresholds[machine * problem.resource_count() + 1] = 5;
    Score reached = stand(problem, std::vector<MachineId>{0, 0, 1}).score;
    EXPECT_EQ(reached.cost, 5 * 3 + 3 + 2);
    Bounds bounds = bounds_of(problem, reached, {});
    EXPECT_EQ(bounds.cost.at_least, reached.cost);
    EXPECT_NE(bounds.cost.reason.find("something must move"), std::string::npos);
    problem.objective.move_costs = {30, 30, 30};
    reached = stand(problem, problem.places).score;
    bounds = bounds_of(problem, reached, {});
    EXPECT_EQ(bounds.cost.at_least, reached.cost);
    EXPECT_NE(bounds.cost.reason.find("a move costs more than it can save"), std::string::npos);
}

TEST(ReassignBounds, EachMachineGivesWhatItHoldsAboveItsLevel) {
    Problem problem = test::reassign_problem({0, 0, 0, 0, 1, 1}, {30, 30, 25, 11, 7, 7}, 3);
    problem.level = {{1, 0}};
    Bounds bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.fewest.at_least, 2);
    EXPECT_EQ(bounds.fewest.reason, "machines must give at least: a 2 items");
    problem.level[0].tolerance = 100'000;
    bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.fewest.at_least, 2);
    problem.fewest = 1;
    bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.fewest.at_least, 60);
    EXPECT_EQ(bounds.fewest.reason, "machines must give at least: a 60 of bytes");
    EXPECT_EQ(bounds.moves.at_least, 2);
}

TEST(ReassignBounds, AnItemLargerThanTheShareMayStayAlone) {
    Problem problem = test::reassign_problem({0, 0, 0, 0}, {90, 5, 5, 0}, 3);
    problem.level = {{1, 0}};
    problem.fewest = 1;
    const Bounds bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.over_levels.at_least, 0);
    EXPECT_EQ(bounds.fewest.at_least, 10);
    EXPECT_EQ(bounds.moves.at_least, 2);
}

TEST(ReassignBounds, WhatHasNoRoomIsAboveCapacities) {
    Problem problem = test::reassign_problem({0, 0, 1}, {10, 20, 30}, 2);
    problem.capacities = {tokens_max, 25, tokens_max, 30};
    const Bounds bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.broken.at_least, 5);
    EXPECT_EQ(bounds.broken.reason, "there are 60 of bytes, and all machines may hold 55 of bytes");
}

TEST(ReassignBounds, CopiesNeedMachinesOfTheirOwn) {
    Problem problem = test::reassign_problem({0, 1, 1}, {1, 1, 1}, 2);
    problem.item_labels[0].of = {0, 0, 0};
    const Bounds bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.broken.at_least, 3);
    EXPECT_EQ(bounds.broken.reason,
              "3 copies of i0 must be apart, and only 2 machines may have one");
}

TEST(ReassignBounds, RacksMustHoldTheirPartOfCopiesThatAreSpread) {
    Problem problem = test::reassign_problem({0, 1, 0, 2, 0, 3}, {9, 9, 7, 7, 5, 5}, 4);
    problem.item_labels[0].of = {0, 0, 1, 1, 2, 2};
    problem.machine_labels.push_back({"rack", {}, {0, 1, 1, 1}});
    problem.machine_labels[0].values.number_of("r0");
    problem.machine_labels[0].values.number_of("r1");
    problem.spread.push_back({0, 0, 0});
    for (MachineId machine = 0; machine < 4; ++machine)
        problem.thresholds[machine * std::size_t{2} + 1] = 14;
    const Bounds bounds = bounds_of(problem, {}, {});
    EXPECT_EQ(bounds.broken.at_least, 0);
    EXPECT_EQ(bounds.over_thresholds.at_least, 7);
    EXPECT_EQ(bounds.over_thresholds.reason,
              "for items to be spread, rack r0 must hold 21 of bytes and may hold 14 of bytes");
}

}  // namespace
}  // namespace equipoise::reassign
