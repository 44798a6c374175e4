#include "equipoise/optimum/waves/planner.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/greedy.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/wave_search.hpp"

namespace equipoise::optimum {
namespace {

using Draw = test::Draw<Tokens>;

ItemsProblem random_items(Draw& draw, NodeId nodes, ItemId items, Tokens size_max) {
    ItemsProblem problem;
    problem.nodes = nodes;
    for (ItemId item = 0; item < items; ++item) {
        problem.places.push_back(static_cast<NodeId>(draw(0, nodes - 1)));
        if (size_max > 1) problem.sizes.push_back(draw(1, size_max));
    }
    return problem;
}

void add_rates(Draw& draw, ItemsProblem& problem, Tokens least, Tokens most) {
    for (NodeId node = 0; node < problem.nodes; ++node) {
        problem.gives.push_back(draw(least, most));
        problem.takes.push_back(draw(least, most));
    }
}

/// Every node floor or ceiling of the mean; nodes from `kept` on end empty.
void level_all(ItemsProblem& problem, NodeId kept) {
    std::vector<std::uint64_t> speeds(problem.nodes, 0);
    std::fill_n(speeds.begin(), kept, 1);
    ItemsProblem counted = problem;
    counted.sizes.clear();
    problem.target = floor_or_ceiling(counted.loads(), speeds);
}

TEST(Waves, ItemsOfOneSizeTakeTheFewestWavesAtTheFewestMovesOnAllSmallProblems) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    Draw draw(1);
    for (int round = 0; round < 80; ++round) {
        ItemsProblem problem =
            random_items(draw, static_cast<NodeId>(draw(2, 3)), static_cast<ItemId>(draw(1, 6)), 1);
        add_rates(draw, problem, 1, 3);
        if (draw(0, 1) == 1) problem.at_once = draw(1, 2);
        level_all(problem, static_cast<NodeId>(draw(1, problem.nodes)));
        if (draw(0, 2) == 0) {
            problem.target = at_most(problem.nodes, draw(2, 6));
            if (problem.target.room() < static_cast<Tokens>(problem.items())) continue;
        }
        if (draw(0, 1) == 1) {
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.capacities.push_back(draw(3, 7));
            problem.keep_target_within_capacities();
        }
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        if (!best.moves) {
            EXPECT_THROW(static_cast<void>(plan_waves(problem)), UnsuitableError);
            continue;
        }
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.exact());
        EXPECT_EQ(plan.moves(), *best.moves);
        EXPECT_EQ(plan.waves, best.waves_of_fewest_moves);
        EXPECT_EQ(plan.waves, best.waves);
        EXPECT_EQ(check_wave_bound(problem, plan.wave_bound), "");
    }
}

TEST(Waves, ItemsOfOneSizeReachGivenPlacesInTheFewestWavesOnAllSmallProblems) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    Draw draw(2);
    for (int round = 0; round < 80; ++round) {
        ItemsProblem problem =
            random_items(draw, static_cast<NodeId>(draw(2, 4)), static_cast<ItemId>(draw(1, 5)), 1);
        add_rates(draw, problem, 1, 2);
        if (draw(0, 1) == 1) problem.at_once = 1;
        for (ItemId item = 0; item < problem.items(); ++item)
            problem.final_places.push_back(static_cast<NodeId>(draw(0, problem.nodes - 1)));
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.exact());
        EXPECT_EQ(plan.moves(), best.moves.value());
        EXPECT_EQ(plan.waves, best.waves_of_fewest_moves);
    }
}

TEST(Waves, BoundsHoldAndPlansAreAllowedForItemsOfSeveralSizes) {
    Draw draw(3);
    int solvable = 0;
    int found = 0;
    int fewest_moves = 0;
    int fewest_waves = 0;
    for (int round = 0; round < 200; ++round) {
        ItemsProblem problem =
            random_items(draw, static_cast<NodeId>(draw(2, 3)), static_cast<ItemId>(draw(2, 5)), 5);
        add_rates(draw, problem, 4, 9);
        if (draw(0, 1) == 1) problem.at_once = draw(1, 2);
        if (draw(0, 2) == 0) {
            for (ItemId item = 0; item < problem.items(); ++item)
                problem.final_places.push_back(static_cast<NodeId>(draw(0, problem.nodes - 1)));
        } else {
            const load::Loads loads = problem.loads();
            problem.target =
                at_most(problem.nodes, load::total(loads) * 3 / (2 * Tokens{problem.nodes}) + 1);
            if (draw(0, 1) == 1) problem.target.base.back() = 0;
        }
        if (draw(0, 1) == 1) {
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.capacities.push_back(draw(6, 14));
            problem.keep_target_within_capacities();
        }
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        if (!best.moves) {
            try {
                EXPECT_FALSE(plan_waves(problem).found);
            } catch (const UnsuitableError&) {
            }
            continue;
        }
        ++solvable;
        const WavesPlan plan = plan_waves(problem);
        EXPECT_EQ(check_wave_bound(problem, plan.wave_bound), "");
        EXPECT_LE(plan.at_least.moves, *best.moves);
        EXPECT_LE(plan.wave_bound.waves(), best.waves);
        if (!plan.found) continue;
        ++found;
        const WaveVerdict verdict = check_waves(problem, plan.schedule);
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_EQ(verdict.waves, plan.waves);
        EXPECT_GE(plan.moves(), *best.moves);
        if (plan.moves() > *best.moves) continue;
        ++fewest_moves;
        EXPECT_GE(plan.waves, best.waves_of_fewest_moves);
        if (plan.waves == best.waves_of_fewest_moves) ++fewest_waves;
    }
    EXPECT_GE(found * 100, solvable * 98);
    EXPECT_GE(fewest_moves * 100, solvable * 98);
    EXPECT_GE(fewest_waves * 100, solvable * 95);
}

/// Sizes as people have them: most small, some none, a few larger than what a node is to hold.
/// Nodes may end with one larger item, are to end empty, or take no part.
ItemsProblem items_with_large_ones(Draw& draw) {
    ItemsProblem problem =
        random_items(draw, static_cast<NodeId>(draw(2, 4)), static_cast<ItemId>(draw(2, 5)), 4);
    for (Tokens& size : problem.sizes)
        size = draw(0, 3) == 0 ? draw(6, 20) : draw(0, 4);
    if (problem.one_size() != 0) problem.sizes.front() += 1;
    if (draw(0, 1) == 1) add_rates(draw, problem, 5, 25);
    if (draw(0, 1) == 1) problem.at_once = draw(1, 2);
    const Tokens base = load::total(problem.loads()) / problem.nodes + draw(0, 2);
    problem.target = at_most(problem.nodes, base);
    problem.may_hold_one.assign(problem.nodes, true);
    problem.ends_empty.assign(problem.nodes, false);
    if (draw(0, 2) == 0) {
        problem.target.base.back() = 0;
        problem.may_hold_one.back() = false;
        problem.ends_empty.back() = true;
    }
    if (draw(0, 3) == 0) {
        if (problem.gives.empty()) {
            problem.gives.assign(problem.nodes, tokens_max);
            problem.takes = problem.gives;
        }
        problem.gives.front() = problem.takes.front() = 0;
        problem.target.base.front() = problem.loads().front();
        problem.may_hold_one.front() = false;
    }
    if (draw(0, 2) == 0) {
        for (NodeId node = 0; node < problem.nodes; ++node)
            problem.capacities.push_back(draw(12, 30));
        problem.keep_target_within_capacities();
    }
    return problem;
}

void expect_good_plans_where_a_node_may_hold_one_larger_item(int rounds) {
    Draw draw(11);
    int solvable = 0;
    int found = 0;
    int fewest_moves = 0;
    int fewest_waves = 0;
    int exact = 0;
    for (int round = 0; round < rounds; ++round) {
        const ItemsProblem problem = items_with_large_ones(draw);
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        if (!best.moves) {
            try {
                EXPECT_FALSE(plan_waves(problem).found);
            } catch (const UnsuitableError&) {
            }
            continue;
        }
        ++solvable;
        const WavesPlan plan = plan_waves(problem);
        EXPECT_EQ(check_wave_bound(problem, plan.wave_bound), "");
        EXPECT_LE(plan.at_least.moves, *best.moves);
        EXPECT_LE(plan.wave_bound.waves(), best.waves);
        if (!plan.found) continue;
        ++found;
        EXPECT_TRUE(check_waves(problem, plan.schedule).holds);
        EXPECT_GE(plan.size, plan.at_least.size);
        EXPECT_GE(plan.moves(), *best.moves);
        if (plan.moves() > *best.moves) continue;
        ++fewest_moves;
        EXPECT_GE(plan.waves, best.waves_of_fewest_moves);
        if (plan.waves == best.waves_of_fewest_moves) ++fewest_waves;
        if (plan.exact()) ++exact;
    }
    EXPECT_GT(solvable, rounds / 2);
    EXPECT_GE(found * 100, solvable * 98);
    EXPECT_GE(fewest_moves * 100, solvable * 98);
    EXPECT_GE(fewest_waves * 100, solvable * 95);
    EXPECT_GE(exact * 100, solvable * 80);
}

TEST(Waves, BoundsHoldAndPlansAreAllowedWhereANodeMayHoldOneLargerItem) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    expect_good_plans_where_a_node_may_hold_one_larger_item(80);
}

TEST(WavesLong, BoundsHoldAndPlansAreAllowedWhereANodeMayHoldOneLargerItem) {
    expect_good_plans_where_a_node_may_hold_one_larger_item(400);
}

TEST(Waves, OneBigItemLeavesTheOthersToBeLevelled) {
    ItemsProblem problem;
    problem.nodes = 4;
    problem.places.assign(20, 0);
    problem.sizes.assign(20, 3);
    problem.places.push_back(1);
    problem.sizes.push_back(100);
    problem.at_once = 1;
    problem.target = at_most(4, 44);
    problem.may_hold_one.assign(4, true);
    WavesPlan plan = plan_waves(problem);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.moves(), 6);
    EXPECT_EQ(plan.size, 18);
    // Beside small items it stays, and they go; or it goes, if that moves fewer.
    problem.places.assign(21, 0);
    plan = plan_waves(problem);
    EXPECT_TRUE(plan.moves_exact());
    EXPECT_EQ(plan.moves(), 7);
    problem.sizes.assign(21, 3);
    problem.sizes.back() = 100;
    for (ItemId item = 5; item < 20; ++item)
        problem.places[item] = 1;
    plan = plan_waves(problem);
    EXPECT_TRUE(plan.moves_exact());
    EXPECT_EQ(plan.moves(), 1 + 1);
}

TEST(Waves, ManyBigItemsFindANodeEach) {
    // As many items above the target as nodes, all on two of them.
    ItemsProblem problem;
    problem.nodes = 30;
    for (NodeId node = 0; node < 30; ++node) {
        problem.places.push_back(node % 2);
        problem.sizes.push_back(1000);
    }
    problem.at_once = 3;
    problem.target = at_most(30, 900);
    problem.may_hold_one.assign(30, true);
    problem.sizes.back() = 999;
    WavesPlan plan = plan_waves(problem);
    ASSERT_TRUE(plan.found);
    EXPECT_EQ(plan.moves(), 28);
    EXPECT_TRUE(plan.exact());
    // Small ones on their way to the emptiest nodes leave those nodes alone.
    for (ItemId item = 0; item < 101; ++item) {
        problem.places.push_back(item < 100 ? 2 : 3);
        problem.sizes.push_back(10);
    }
    problem.nodes = 32;
    problem.target = at_most(32, 900);
    problem.may_hold_one.assign(32, true);
    plan = plan_waves(problem);
    ASSERT_TRUE(plan.found);
    EXPECT_EQ(plan.moves(), 28 + 10);
}

TEST(Waves, NodesThatEndEmptyGiveItemsOfSize0AndThoseOfRate0GiveNone) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {0, 0, 1, 1};
    problem.sizes = {0, 0, 0, 5};
    problem.target = at_most(3, 9);
    problem.target.base[0] = 0;
    problem.ends_empty = {true, false, false};
    WavesPlan plan = plan_waves(problem);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.moves(), 2);
    EXPECT_EQ(check_waves(problem, {}).fault, "node 0 ends with 2 items, but must end empty");
    EXPECT_EQ(check_waves(problem, WaveSchedule{{0, 0, 0, 1}}).fault,
              "node 0 ends with 1 item, but must end empty");
    problem.gives = {5, 5, 5};
    problem.takes = {5, 0, 0};
    EXPECT_EQ(check_waves(problem, WaveSchedule{{0, 0, 0, 1}}).fault,
              "node 1 takes an item, but its rate is 0, in wave 0");
    EXPECT_THROW(static_cast<void>(plan_waves(problem)), UnsuitableError);
    problem.takes = {5, 5, 5};
    problem.gives[0] = 0;
    EXPECT_EQ(check_waves(problem, WaveSchedule{{0, 0, 0, 1}}).fault,
              "node 0 gives an item, but its rate is 0, in wave 0");
    EXPECT_THROW(static_cast<void>(plan_waves(problem)), UnsuitableError);
}

TEST(Waves, RoomForMoreThanCanBeCountedIsRoom) {
    ItemsProblem problem;
    problem.nodes = 9;
    problem.places = {0, 0, 1};
    problem.sizes = {5, 4, 7};
    problem.target = at_most(9, tokens_max);
    problem.target.base[0] = 0;
    problem.ends_empty.assign(9, false);
    problem.ends_empty[0] = true;
    problem.at_once = 1;
    const WavesPlan plan = plan_waves(problem);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.waves, 2U);
}

TEST(Waves, NeverMoreMovesOrAtAsManyMovesMoreWavesThanTheGreedyMover) {
    Draw draw(4);
    for (int round = 0; round < 60; ++round) {
        const bool drains = draw(0, 1) == 1;
        ItemsProblem problem =
            random_items(draw, static_cast<NodeId>(draw(3, 20)), static_cast<ItemId>(draw(20, 400)),
                         draw(0, 1) * 99 + 1);
        add_rates(draw, problem, 100, 300);
        if (problem.one_size() == 1) problem.at_once = draw(1, 3);
        const Tokens mean = load::total(problem.loads()) / (problem.nodes - 1);
        problem.target = at_most(problem.nodes, mean + mean / 10 + 60);
        if (drains) problem.target.base.back() = 0;
        SCOPED_TRACE(round);
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.found);
        for (const std::uint64_t at_a_time : {0u, 1u, 4u}) {
            const auto greedy = greedy_waves(problem, at_a_time);
            if (!greedy) continue;
            const WaveVerdict verdict = check_waves(problem, *greedy);
            EXPECT_TRUE(verdict.holds) << verdict.fault;
            const auto moves = static_cast<Tokens>(verdict.moves);
            EXPECT_LE(plan.moves(), moves);
            if (plan.moves() == moves) {
                EXPECT_LE(plan.waves, verdict.waves);
            }
        }
    }
}

TEST(Waves, CopiesOfOneItemNeverShareANode) {
    Draw draw(5);
    int exact = 0;
    constexpr int rounds = 60;
    for (int round = 0; round < rounds; ++round) {
        ItemsProblem problem;
        problem.nodes = static_cast<NodeId>(draw(4, 9));
        for (std::uint32_t item = 0; item < 60; ++item) {
            const auto first = static_cast<NodeId>(draw(0, problem.nodes / 2));
            for (NodeId copy = 0; copy < 3; ++copy) {
                problem.places.push_back((first + copy) % problem.nodes);
                problem.copies_of.push_back(item);
            }
        }
        problem.at_once = 2;
        level_all(problem, problem.nodes);
        SCOPED_TRACE(round);
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.found);
        EXPECT_TRUE(check_waves(problem, plan.schedule).holds);
        exact += plan.exact() ? 1 : 0;
    }
    EXPECT_EQ(exact, rounds);
}

TEST(Waves, FullNodesSwapItemsByWayOfANodeWithRoom) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {0, 1};
    problem.final_places = {1, 0};
    problem.capacities = {1, 1, 1};
    const WavesPlan plan = plan_waves(problem);
    ASSERT_TRUE(plan.found);
    EXPECT_EQ(plan.at_least.moves, 3);
    EXPECT_EQ(plan.moves(), 3);
    EXPECT_TRUE(check_waves(problem, plan.schedule).holds);
    problem.nodes = 2;
    problem.capacities = {1, 1};
    EXPECT_FALSE(plan_waves(problem).found);
    EXPECT_TRUE(plan_waves(problem).none_exists);
}

TEST(WaveBounds, ABrokenBoundIsRefused) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places.assign(9, 0);
    problem.at_once = 2;
    level_all(problem, 3);
    const WaveBound bound = plan_waves(problem).wave_bound;
    ASSERT_EQ(bound.waves(), 3U);
    ASSERT_EQ(check_wave_bound(problem, bound), "");
    WaveBound broken = bound;
    broken.amount += 1;
    EXPECT_NE(check_wave_bound(problem, broken), "");
    broken = bound;
    broken.a_wave -= 1;
    EXPECT_NE(check_wave_bound(problem, broken), "");
    broken = bound;
    broken.nodes = {1};
    EXPECT_NE(check_wave_bound(problem, broken), "");
    broken.nodes = {7};
    EXPECT_NE(check_wave_bound(problem, broken), "");
}

TEST(WaveChecks, EveryRuleThatIsBrokenIsNamed) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {0, 0, 1};
    problem.sizes = {2, 3, 2};
    problem.copies_of = {0, 1, 0};
    problem.gives = {4, 4, 4};
    problem.takes = {4, 2, 9};
    problem.at_once = 2;
    problem.capacities = {9, 9, 4};
    problem.final_places = {2, 0, 1};
    const auto fault = [&](const WaveSchedule& moves) { return check_waves(problem, moves).fault; };
    EXPECT_EQ(fault({{0, 0, 0, 2}}), "");
    EXPECT_EQ(fault({}), "item 0 ends on node 0, not on node 2");
    EXPECT_EQ(fault({{0, 0, 1, 2}}), "item 0 is on node 0, not on node 1 in wave 0");
    EXPECT_EQ(fault({{0, 0, 0, 0}}), "item 0 goes from node 0 to itself");
    EXPECT_EQ(fault({{1, 0, 0, 2}, {0, 1, 0, 2}}), "waves go backwards");
    EXPECT_EQ(fault({{0, 0, 0, 2}, {0, 1, 0, 2}}),
              "node 0 gives 5, above its rate of 4, in wave 0");
    EXPECT_EQ(fault({{0, 1, 0, 1}}), "node 1 takes 3, above its rate of 2, in wave 0");
    EXPECT_EQ(fault({{0, 0, 0, 1}}), "node 1 has another copy of item 0 in wave 0");
    EXPECT_EQ(fault({{0, 1, 0, 2}, {1, 2, 1, 2}}),
              "node 2 holds 5, above its capacity of 4, in wave 1");
    EXPECT_EQ(fault({{0, 0, 0, 2}, {0, 0, 0, 2}}), "item 0 moves twice in wave 0");
    problem.at_once = 1;
    problem.gives = {9, 9, 9};
    problem.capacities.clear();
    EXPECT_EQ(fault({{0, 0, 0, 2}, {0, 1, 0, 2}}),
              "node 0 gives 2 items, more than 1 at once, in wave 0");
    const std::string unknown = "a move names an item or a node that does not exist";
    EXPECT_EQ(fault({{0, 3, 0, 2}}), unknown);
    EXPECT_EQ(fault({{0, 0, 3, 2}}), unknown);
    EXPECT_EQ(fault({{0, 0, 0, no_node}}), unknown);
}

TEST(WaveChecks, WhatANodeMayEndWithIsJudgedByItsItems) {
    ItemsProblem problem;
    problem.nodes = 2;
    problem.places = {0, 0, 1};
    problem.sizes = {9, 1, 1};
    problem.target = at_most(2, 4);
    EXPECT_EQ(check_waves(problem, {}).fault, "node 0 ends with 10, above its final load of 4");
    problem.may_hold_one = {true, true};
    EXPECT_EQ(check_waves(problem, {}).fault,
              "node 0 ends with 2 items of size 10 in all, above its final load of 4 or one item");
    EXPECT_TRUE(check_waves(problem, WaveSchedule{{0, 1, 0, 1}}).holds);
    problem.may_hold_one = {false, true};
    EXPECT_FALSE(check_waves(problem, WaveSchedule{{0, 1, 0, 1}}).holds);
}

TEST(WaveChecks, SizesThatCannotBeCountedAreAFault) {
    ItemsProblem problem;
    problem.nodes = 2;
    problem.places = {0};
    problem.sizes = {tokens_max};
    problem.target = at_most(2, tokens_max);
    WaveSchedule moves;
    for (Step wave = 0; wave < 4; ++wave)
        moves.push_back(
            {wave, 0, static_cast<NodeId>(wave % 2), static_cast<NodeId>(1 - wave % 2)});
    EXPECT_TRUE(check_waves(problem, moves).holds);
    moves.push_back({4, 0, 0, 1});
    EXPECT_EQ(check_waves(problem, moves).fault,
              "the sizes of all that moves up to wave 4 add up to more than can be counted");
}

}  // namespace
}  // namespace equipoise::optimum
