#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_executions.hpp"
#include "tests/support/reassign_orders.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// A small problem with rules of all kinds and, from some seed on, leaders and copies.
Problem drawn(std::uint64_t seed) {
    Problem problem =
        test::ReassignDraw(seed).draw({.items = 5, .machines = 4, .copies = seed % 3 == 0});
    problem.at_once = static_cast<Tokens>(seed / 3 % 4);
    if (seed % 5 == 1) {
        problem.half_duplex = true;
        problem.takes.clear();
    }
    return problem;
}

/// Rates a second of which the fastest is four times the slowest.
void draw_seconds(Problem& problem, std::uint64_t seed) {
    RandomStream random(seed, Purpose::sampling, 7);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        problem.gives_a_second.push_back(static_cast<double>(2 + random.below(7)));
        if (!problem.half_duplex)
            problem.takes_a_second.push_back(static_cast<double>(2 + random.below(7)));
    }
}

/// Waves of random moves that `replay` allows one after the other, of up to so many moves in all.
std::vector<Move> random_waves(const Problem& problem, std::uint64_t seed, std::size_t most) {
    RandomStream random(seed, Purpose::sampling, 5);
    std::vector<Move> moves;
    for (int tries = 0; tries < 60 && moves.size() < most; ++tries) {
        const std::vector<MachineId> places = places_after(problem, moves);
        std::vector<Move> next = moves;
        const Step wave = moves.empty() ? 0 : moves.back().wave + 1;
        std::vector<bool> taken(problem.item_count(), false);
        for (std::uint64_t i = 0; i < 1 + random.below(3) && next.size() < most; ++i) {
            const auto item = static_cast<ItemId>(random.below(problem.item_count()));
            const auto to = static_cast<MachineId>(random.below(problem.machine_count()));
            if (taken[item] || places[item] == to) continue;
            taken[item] = true;
            next.push_back({wave, item, places[item], to});
        }
        if (next.size() > moves.size() && replay(problem, next).allowed) moves = std::move(next);
    }
    return moves;
}

TEST(MovesThatWait, KeepAllLimitsInEveryExecution) {
    std::size_t cases = 0;
    std::size_t states = 0;
    std::array<std::size_t, 4> at_once = {};
    std::size_t duplex = 0;
    std::size_t from_leaders = 0;
    std::size_t free_early = 0;
    std::size_t apart_in_the_end = 0;
    for (std::uint64_t seed = 0; seed < 2500; ++seed) {
        const Problem problem = drawn(seed);
        const std::vector<Move> moves = random_waves(problem, seed, 6);
        if (moves.size() < 2) continue;
        const PartialOrder order = partial_order(problem, moves, {});
        const CheckedWaits checked = check_waits(problem, moves, order.waits_for);
        ASSERT_TRUE(checked.kept) << "seed " << seed << ": " << checked.fault;
        const test::AllExecutions all(problem, moves, order.waits_for);
        ASSERT_TRUE(all.kept()) << "seed " << seed << ": " << all.fault();
        ++cases;
        states += all.states();
        ++at_once[static_cast<std::size_t>(problem.at_once)];
        if (problem.half_duplex) ++duplex;
        if (!replay(test::apart_on_the_way(problem), moves).allowed) ++apart_in_the_end;
        if (problem.copies_from_leader) ++from_leaders;
        for (std::size_t at = 0; at < moves.size(); ++at)
            if (moves[at].wave > 0 && order.waits_for[at].empty()) ++free_early;
    }
    EXPECT_GT(cases, 800U);
    EXPECT_GT(states, 15'000U);
    for (const std::size_t each : at_once)
        EXPECT_GT(each, 100U);
    EXPECT_GT(duplex, 100U);
    EXPECT_GT(from_leaders, 100U);
    EXPECT_GT(free_early, 150U);
    EXPECT_GT(apart_in_the_end, 20U);
}

TEST(MovesThatWait, AreJudgedAsAllTheirExecutionsAre) {
    std::size_t kept = 0;
    std::size_t broken = 0;
    for (std::uint64_t seed = 0; seed < 2500; ++seed) {
        const Problem problem = drawn(seed);
        const std::vector<Move> moves = random_waves(problem, seed, 5);
        if (moves.size() < 2) continue;
        WaitsFor waits = partial_order(problem, moves, {}).waits_for;
        RandomStream random(seed, Purpose::sampling, 6);
        // Some lists lose a move, some get another one.
        for (std::vector<std::uint32_t>& list : waits) {
            if (!list.empty() && random.below(3) == 0)
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size())));
            const auto other = static_cast<std::uint32_t>(random.below(moves.size()));
            if (random.below(6) == 0 && std::find(list.begin(), list.end(), other) == list.end()) {
                list.push_back(other);
                std::sort(list.begin(), list.end());
            }
        }
        const CheckedWaits checked = check_waits(problem, moves, waits);
        const test::AllExecutions all(problem, moves, waits);
        ASSERT_EQ(checked.kept, all.kept())
            << "seed " << seed << ": " << checked.fault << " / " << all.fault();
        ASSERT_EQ(checked.kept, checked.fault.empty());
        ++(checked.kept ? kept : broken);
    }
    EXPECT_GT(kept, 300U);
    EXPECT_GT(broken, 500U);
}

TEST(MovesThatWait, TakeNoLongerThanTheirWavesAndNoLessThanTheBound) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    std::size_t cases = 0;
    std::size_t shorter = 0;
    std::size_t at_the_bound = 0;
    for (std::uint64_t seed = 0; seed < 1650; ++seed) {
        Problem problem = drawn(seed);
        draw_seconds(problem, seed);
        const std::vector<Move> moves = random_waves(problem, seed, 8);
        if (moves.empty()) continue;
        const Replayed replayed = replay(problem, moves);
        const double waves = std::accumulate(replayed.seconds.begin(), replayed.seconds.end(), 0.0);
        const PartialOrder order = partial_order(problem, moves, {});
        const CheckedWaits checked = check_waits(problem, moves, order.waits_for);
        ASSERT_TRUE(checked.kept) << "seed " << seed << ": " << checked.fault;
        ASSERT_LE(order.seconds(), waves * (1 + 1e-12)) << "seed " << seed;
        const SecondsBound bound = seconds_at_least(problem, replayed.places);
        ASSERT_LE(bound.at_least, order.seconds() * (1 + 1e-12))
            << "seed " << seed << ": " << bound.reason;
        // The lists alone say when moves begin and end.
        PartialOrder again{order.waits_for, {}, {}};
        set_times(problem, moves, again);
        for (std::size_t at = 0; at < moves.size(); ++at) {
            ASSERT_NEAR(again.starts[at], order.starts[at], 1e-9) << "seed " << seed;
            ASSERT_NEAR(again.ends[at], order.ends[at], 1e-9) << "seed " << seed;
        }
        ++cases;
        if (order.seconds() < waves * (1 - 1e-9)) ++shorter;
        if (bound.at_least > order.seconds() * (1 - 1e-9)) ++at_the_bound;
    }
    EXPECT_GT(cases, 900U);
    EXPECT_GT(shorter, 350U);
    EXPECT_GT(at_the_bound, 120U);
}

TEST(MovesThatWait, AreBoundedByWhatNoOrderOfMovesUndercuts) {
    std::size_t cases = 0;
    std::size_t met = 0;
    std::size_t shortest = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Problem problem =
            test::ReassignDraw(seed).draw({.items = 4, .machines = 3, .copies = seed % 3 == 0});
        problem.at_once = static_cast<Tokens>(seed / 3 % 3);
        problem.gives.clear();
        problem.takes.clear();
        problem.half_duplex = seed % 5 == 1;
        draw_seconds(problem, seed);
        const std::vector<Move> moves = random_waves(problem, seed, 4);
        const std::vector<MachineId> ends = places_after(problem, moves);
        if (ends == problem.places) continue;
        const SecondsBound bound = seconds_at_least(problem, ends);
        const test::AllOrders all(problem, ends, 4);
        ASSERT_LE(bound.at_least, all.seconds() * (1 + 1e-12))
            << "seed " << seed << ": " << bound.reason;
        const Schedule schedule = schedule_moves(problem, ends, {});
        if (!schedule.complete) continue;
        const double seconds = partial_order(problem, schedule.moves, {}).seconds();
        ++cases;
        if (bound.at_least > all.seconds() * (1 - 1e-9)) ++met;
        if (seconds < all.seconds() * (1 + 1e-9)) ++shortest;
    }
    EXPECT_GT(cases, 300U);
    EXPECT_GT(met * 2, cases) << met << " of " << cases;
    EXPECT_GT(shortest * 2, cases) << shortest << " of " << cases;
}

/// A cluster of up to 16 machines with rates a second and capacities that leave little room, and
/// ends for about a third of its items.
struct Cluster {
    Problem problem;
    std::vector<MachineId> ends;
};

Cluster random_cluster(std::uint64_t seed) {
    RandomStream random(seed, Purpose::sampling, 8);
    const auto machines = static_cast<MachineId>(4 + random.below(13));
    const auto items = static_cast<ItemId>(machines * (3 + random.below(6)));
    std::vector<MachineId> places;
    std::vector<Tokens> bytes;
    std::vector<Tokens> used(machines, 0);
    for (ItemId item = 0; item < items; ++item) {
        places.push_back(static_cast<MachineId>(random.below(machines)));
        bytes.push_back(static_cast<Tokens>(1 + random.below(100)));
        used[places.back()] += bytes.back();
    }
    Cluster made{test::reassign_problem(places, bytes, machines), places};
    made.problem.copied = 1;
    made.problem.fewest = 1;
    made.problem.at_once = static_cast<Tokens>(1 + random.below(3));
    made.problem.half_duplex = random.below(4) == 0;
    std::vector<Tokens> after = used;
    for (ItemId item = 0; item < items; ++item) {
        if (random.below(3) != 0) continue;
        made.ends[item] = static_cast<MachineId>(random.below(machines));
        after[places[item]] -= bytes[item];
        after[made.ends[item]] += bytes[item];
    }
    for (MachineId machine = 0; machine < machines; ++machine) {
        made.problem.capacities[machine * 2 + 1] =
            std::max(used[machine], after[machine]) + static_cast<Tokens>(random.below(150));
        made.problem.gives_a_second.push_back(static_cast<double>(5 + random.below(16)));
        if (!made.problem.half_duplex)
            made.problem.takes_a_second.push_back(static_cast<double>(5 + random.below(16)));
    }
    return made;
}

TEST(MovesThatWait, OfAThousandClustersTakeLittleLongerThanTheBound) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    double waves_over_bound = 0;
    double order_over_bound = 0;
    std::size_t cases = 0;
    std::size_t met = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const auto [problem, ends] = random_cluster(seed);
        ScheduleOptions options;
        options.effort = 2'000;
        const Schedule schedule = schedule_moves(problem, ends, options);
        const Replayed replayed = replay(problem, schedule.moves);
        if (schedule.moves.empty()) continue;
        const double waves = std::accumulate(replayed.seconds.begin(), replayed.seconds.end(), 0.0);
        const PartialOrder order = partial_order(problem, schedule.moves, {});
        ASSERT_EQ(check_waits(problem, schedule.moves, order.waits_for).fault, "")
            << "seed " << seed;
        const SecondsBound bound = seconds_at_least(problem, replayed.places);
        ASSERT_LE(order.seconds(), waves * (1 + 1e-12)) << "seed " << seed;
        ASSERT_LE(bound.at_least, order.seconds() * (1 + 1e-12)) << "seed " << seed;
        ++cases;
        waves_over_bound += waves / bound.at_least;
        order_over_bound += order.seconds() / bound.at_least;
        if (order.seconds() < bound.at_least * (1 + 1e-9)) ++met;
    }
    const auto count = static_cast<double>(cases);
    RecordProperty("waves_over_bound", std::to_string(waves_over_bound / count));
    RecordProperty("order_over_bound", std::to_string(order_over_bound / count));
    RecordProperty("at_the_bound", std::to_string(met) + " of " + std::to_string(cases));
    EXPECT_GT(cases, 990U);
    EXPECT_LT(order_over_bound, 1.2 * count);
    EXPECT_GT(waves_over_bound, 1.3 * count);
    EXPECT_GT(met * 5, cases * 2);
}

}  // namespace
}  // namespace equipoise::reassign
