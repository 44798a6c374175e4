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
#include "tests/support/printed_link.hpp"

namespace equipoise::programs {
namespace {

using engine::Adversary;
using engine::DelayModel;
using engine::SimulationEnd;
using engine::SimulationOptions;

struct Instance {
    network::Network network;
    std::vector<Tokens> loads;
    Tokens total = 0;
};

/// A tree with a few more links.
Instance random_instance(std::uint64_t seed, NodeId nodes_max) {
    RandomStream random(seed, Purpose::sampling);
    const auto nodes = static_cast<NodeId>(2 + random.below(nodes_max - 1));
    std::vector<Ends> links;
    for (NodeId v = 1; v < nodes; ++v)
        links.push_back({static_cast<NodeId>(random.below(v)), v});
    for (NodeId v = 2; v < nodes; ++v) {
        const Ends link{static_cast<NodeId>(random.below(v)), v};
        if (random.coin() && std::find(links.begin(), links.end(), link) == links.end())
            links.push_back(link);
    }
    std::vector<Tokens> loads(nodes);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(40));
    const Tokens total = load::total(loads);
    return {network::Network(nodes, links), std::move(loads), total};
}

/// A world with faults of channels and nodes, delays and an adversary, all from a seed.
SimulationOptions random_world(std::uint64_t seed, std::uint32_t capacity) {
    RandomStream random(seed, Purpose::schedule);
    SimulationOptions world;
    world.seed = seed;
    world.delays = static_cast<DelayModel>(random.below(3));
    if (world.delays == DelayModel::heavy_tail) world.delay_max = 64;
    const std::vector<Adversary::Kind> adversaries = {
        Adversary::Kind::none,      Adversary::Kind::none,         Adversary::Kind::starve_node,
        Adversary::Kind::slow_link, Adversary::Kind::newest_first, Adversary::Kind::hold_kinds};
    world.adversary.kind = adversaries[random.below(adversaries.size())];
    world.adversary.kinds =
        model::KindSet::of(SelfStabilising<SequenceLink>::Kind::acknowledgement);
    world.adversary.factor = 8;
    world.faults = {0.4 * random.unit(), 0.4 * random.unit(), 0.4 * random.unit(), capacity};
    if (random.coin()) world.faults.crash = 0.02;
    if (random.coin()) world.faults.until = 200 + random.below(3000);
    world.stops_when_settled = true;
    world.events_max = 30'000'000;
    return world;
}

std::string where(std::uint64_t seed) {
    return "seed " + std::to_string(seed);
}

/// What a node owns: what it holds minus what others have taken of it and it does not yet know of.
template <class Program>
std::vector<Tokens> owned(const engine::Simulation<Program>& run, const network::Network& network) {
    std::vector<Tokens> loads = run.loads();
    std::uint32_t side = 0;
    for (NodeId v = 0; v < network.node_count(); ++v)
        for (Port port = 0; port < network.degree(v); ++port)
            loads[v] -= run.bookings().in_doubt(side++);
    return loads;
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

/// From any state of nodes and channels: finally 1-balanced for the tokens that are left, whose
/// number changes with at most two deals in each direction of a link.
template <class Link>
void expect_stabilises(const Link& link, const Instance& instance, const SimulationOptions& world) {
    constexpr Tokens room = 10'000;
    const SelfStabilising program(link, 8, room);
    engine::Simulation run(program, instance.network, instance.loads, world);
    EXPECT_EQ(run.run().end, SimulationEnd::settled) << where(world.seed);
    EXPECT_TRUE(run.recount()) << where(world.seed);
    EXPECT_EQ(run.in_flight(), 0);
    EXPECT_EQ(load::total(run.loads()), run.ledger().expected());
    EXPECT_LE(load::local_imbalance(instance.network, run.loads()), 1) << where(world.seed);
    for (std::uint32_t side = 0; side < 2 * instance.network.link_count(); ++side)
        EXPECT_LE(run.bookings().violations(side), 2U) << where(world.seed);
    for (const Tokens load : run.loads())
        EXPECT_LE(load, room) << where(world.seed);
    // It stays so.
    const Tokens left = load::total(run.loads());
    for (int event = 0; event < 200; ++event)
        run.step();
    EXPECT_EQ(load::total(run.loads()), left);
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
        expect_stabilises(LabelledLink(capacity), instance, world);
    }
}
/// Nodes leave and join for a while, amid faults of channels and nodes.
template <class Link>
void expect_nothing_lost_by_churn(const Link& deal_link, const Instance& instance,
                                  SimulationOptions world) {
    world.churns = true;
    const SelfStabilising program(deal_link);
    engine::Simulation run(program, instance.network, instance.loads, world);
    RandomStream random(world.seed, Purpose::environment);
    const NodeId nodes = instance.network.node_count();
    std::uint64_t left = 0;
    for (int change = 0; change < 12; ++change) {
        const auto node = static_cast<NodeId>(random.below(nodes));
        if (run.present(node))
            left += run.ask_to_leave(node) ? 1 : 0;
        else
            run.join(node);
        for (auto events = random.below(1500); events > 0; --events)
            run.step();
        ASSERT_TRUE(run.recount()) << where(world.seed);
    }
    EXPECT_EQ(run.run().end, SimulationEnd::settled) << where(world.seed);
    EXPECT_EQ(run.ledger().created() + run.ledger().destroyed(), 0) << where(world.seed);
    const std::vector<Tokens> loads = run.loads();
    EXPECT_EQ(load::total(loads), instance.total) << where(world.seed);
    EXPECT_LE(run.departed().size(), left);
    for (const Ends& link : instance.network.links()) {
        const bool live = run.present(link.tail) && run.present(link.head);
        EXPECT_LE(live ? std::abs(loads[link.tail] - loads[link.head]) : 0, 1) << where(world.seed);
    }
    for (NodeId node = 0; node < nodes; ++node)
        EXPECT_TRUE(run.present(node) || loads[node] == 0) << where(world.seed);
}
void run_churned_schedules(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        if (seed % 2 == 0)
            expect_nothing_lost_by_churn(SequenceLink(), instance, random_world(seed, 0));
        else
            expect_nothing_lost_by_churn(LabelledLink(2), instance, random_world(seed, 2));
    }
}

/// Tokens arrive and are consumed amid faults: every one is booked, no node owes, and when no more
/// arrive the network becomes 1-balanced.
template <class Link>
void expect_books_what_comes_and_goes(const Link& deal_link, const Instance& instance,
                                      const SimulationOptions& world) {
    const SelfStabilising program(deal_link);
    engine::Simulation run(program, instance.network, instance.loads, world);
    RandomStream random(world.seed, Purpose::environment);
    Tokens outside = 0;
    for (int change = 0; change < 60; ++change) {
        const auto node = static_cast<NodeId>(random.below(instance.network.node_count()));
        const auto tokens = static_cast<Tokens>(random.below(60)) - 25;
        const Tokens come = run.arrive(node, tokens);
        ASSERT_TRUE(tokens < 0 ? come <= 0 && come >= tokens : come == tokens || come == 0);
        outside += come;
        ASSERT_TRUE(run.recount()) << where(world.seed);
        for (const Tokens load : owned(run, instance.network))
            ASSERT_GE(load, 0) << where(world.seed);
        for (auto events = random.below(200); events > 0; --events)
            run.step();
    }
    EXPECT_EQ(run.run().end, SimulationEnd::settled) << where(world.seed);
    EXPECT_EQ(run.ledger().created() - run.ledger().destroyed(), outside);
    EXPECT_EQ(load::total(run.loads()), instance.total + outside) << where(world.seed);
    EXPECT_LE(load::local_imbalance(instance.network, run.loads()), 1) << where(world.seed);
}

TEST(Algorithm5Dinitz, BooksEveryTokenThatComesOrIsConsumed) {
    for (std::uint64_t seed = 0; seed < 40 && !::testing::Test::HasFailure(); ++seed) {
        const Instance instance = random_instance(seed, 12);
        if (seed % 2 == 0)
            expect_books_what_comes_and_goes(SequenceLink(), instance, random_world(seed, 0));
        else
            expect_books_what_comes_and_goes(LabelledLink(2), instance, random_world(seed, 2));
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
