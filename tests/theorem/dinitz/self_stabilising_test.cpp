// Dinitz, Dolev, Kumar 2020, Section 5: Algorithm 5, repaired, under seeded schedules of faults.

#include "equipoise/programs/self_stabilising.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/fault_runs.hpp"
#include "tests/support/printed_link.hpp"

namespace equipoise::programs {
namespace {

using engine::DelayModel;
using engine::SimulationEnd;
using engine::SimulationOptions;

using test::owned;
using test::where;
using Instance = test::FaultyInstance;

Instance random_instance(std::uint64_t seed, NodeId nodes_max) {
    return test::random_faulty_instance(seed, nodes_max);
}
SimulationOptions random_world(std::uint64_t seed, std::uint32_t capacity) {
    return test::random_faulty_world(seed, capacity,
                                     SelfStabilising<SequenceLink>::Kind::acknowledgement);
}

/// By how much neighbours differ that are both present.
Tokens gap(const network::Network& network, const std::vector<bool>& present,
           const std::vector<Tokens>& loads) {
    Tokens most = 0;
    for (const Ends& link : network.links())
        if (present[link.tail] && present[link.head])
            most = std::max(most, std::abs(loads[link.tail] - loads[link.head]));
    return most;
}

/// Without corruption: exactly once, constant sum, no node owes, monotone, finally 1-balanced.
template <class Program>
void expect_exactly_once(const Program& program, const Instance& instance,
                         const SimulationOptions& world) {
    engine::Simulation run(program, instance.network, instance.loads, world);
    std::vector<Tokens> before = instance.loads;
    std::uint64_t events = 0;
    while (run.step() && ++events < world.events_max && !run.settled()) {
        if (run.transfers().empty()) continue;
        run.clear_transfers();
        const std::vector<Tokens> now = owned(run, instance.network);
        ASSERT_EQ(load::total(now), instance.total) << where(world.seed);
        const auto [low, high] = std::minmax_element(now.begin(), now.end());
        const auto [least, most] = std::minmax_element(before.begin(), before.end());
        ASSERT_GE(*low, *least) << where(world.seed);
        ASSERT_LE(*high, *most) << where(world.seed);
        ASSERT_LT(load::potential(now), load::potential(before)) << where(world.seed);
        before = now;
    }
    EXPECT_TRUE(run.settled()) << where(world.seed);
    EXPECT_TRUE(run.recount());
    EXPECT_EQ(run.ledger().created() + run.ledger().destroyed(), 0) << where(world.seed);
    EXPECT_EQ(load::total(run.loads()), instance.total);
    EXPECT_LE(load::local_imbalance(instance.network, run.loads()), 1) << where(world.seed);
}

void run_clean_schedules(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        const auto capacity = static_cast<std::uint32_t>(seed % 2 == 0 ? 0 : 1 + seed / 2 % 3);
        SimulationOptions world = random_world(seed, capacity);
        world.lists_transfers = true;
        if (capacity == 0)
            expect_exactly_once(SelfStabilising(SequenceLink()), instance, world);
        else
            expect_exactly_once(SelfStabilising(LabelledLink(capacity)), instance, world);
    }
}
void run_corrupted_schedules(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        const auto capacity = static_cast<std::uint32_t>(1 + seed % 4);
        SimulationOptions world = random_world(seed, capacity);
        world.faults.corrupt_start = true;
        constexpr Tokens room = 10'000;
        test::expect_stabilises(SelfStabilising(LabelledLink(capacity), 8, room), room, instance,
                                world, gap);
    }
}
void run_churned_schedules(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        if (seed % 2 == 0)
            test::expect_nothing_lost_by_churn(SelfStabilising(SequenceLink()), instance,
                                               random_world(seed, 0), gap);
        else
            test::expect_nothing_lost_by_churn(SelfStabilising(LabelledLink(2)), instance,
                                               random_world(seed, 2), gap);
    }
}

TEST(Algorithm5Dinitz, BooksEveryTokenThatComesOrIsConsumed) {
    for (std::uint64_t seed = 0; seed < 40 && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        if (seed % 2 == 0)
            test::expect_books_what_comes_and_goes(SelfStabilising(SequenceLink()), instance,
                                                   random_world(seed, 0), gap);
        else
            test::expect_books_what_comes_and_goes(SelfStabilising(LabelledLink(2)), instance,
                                                   random_world(seed, 2), gap);
    }
}
/// Otherwise more packets than a channel holds could wait there, and a link would not be clean when
/// it should be.
TEST(Algorithm5Dinitz, NothingWaitsForANodeThatHasNotBegunWhereChannelsAreBounded) {
    const network::Network pair(2, {{0, 1}});
    const std::vector<Tokens> loads = {9, 0};
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SimulationOptions world;
        world.seed = seed;
        world.delays = DelayModel::random;
        world.faults.capacity = 62;
        world.stops_when_settled = true;
        const SelfStabilising program{LabelledLink(1)};
        engine::Simulation run(program, pair, loads, world);
        lost += run.run().lost;
        EXPECT_LE(load::local_imbalance(pair, run.loads()), 1);
    }
    EXPECT_GT(lost, 0U);
}
TEST(Algorithm5Dinitz, BooksEveryDealExactlyOnceFromACleanStart) {
    run_clean_schedules(0, 100);
}
TEST(Algorithm5Dinitz, IsOneBalancedForTheTokensLeftFromAnyState) {
    run_corrupted_schedules(0, 100);
}
TEST(Algorithm5Dinitz, LosesNothingWhileNodesLeaveAndJoin) {
    run_churned_schedules(0, 100);
}
TEST(Algorithm5DinitzLong, BooksEveryDealExactlyOnceFromACleanStart) {
    run_clean_schedules(100, 4'100);
}
TEST(Algorithm5DinitzLong, IsOneBalancedForTheTokensLeftFromAnyState) {
    run_corrupted_schedules(100, 4'100);
}
TEST(Algorithm5DinitzLong, LosesNothingWhileNodesLeaveAndJoin) {
    run_churned_schedules(100, 2'100);
}

}  // namespace
}  // namespace equipoise::programs
