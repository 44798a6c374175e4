#pragma once
// Runs of node programs amid seeded schedules of faults of channels and nodes, and what must hold
// of them whatever the program levels.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// A network, its loads and their sum.
struct FaultyInstance {
    network::Network network;
    std::vector<Tokens> loads;
    Tokens total = 0;
};

/// A tree with a few more links.
inline FaultyInstance random_faulty_instance(std::uint64_t seed, NodeId nodes_max) {
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
/// `acknowledgement`: the kind of message that answers others.
template <class Kind>
engine::SimulationOptions random_faulty_world(std::uint64_t seed, std::uint32_t capacity,
                                              Kind acknowledgement) {
    using engine::Adversary;
    RandomStream random(seed, Purpose::schedule);
    engine::SimulationOptions world;
    world.seed = seed;
    world.delays = static_cast<engine::DelayModel>(random.below(3));
    if (world.delays == engine::DelayModel::heavy_tail) world.delay_max = 64;
    const std::vector<Adversary::Kind> adversaries = {
        Adversary::Kind::none,      Adversary::Kind::none,         Adversary::Kind::starve_node,
        Adversary::Kind::slow_link, Adversary::Kind::newest_first, Adversary::Kind::hold_kinds};
    world.adversary.kind = adversaries[random.below(adversaries.size())];
    world.adversary.kinds = model::KindSet::of(acknowledgement);
    world.adversary.factor = 8;
    world.faults = {0.4 * random.unit(), 0.4 * random.unit(), 0.4 * random.unit(), capacity};
    if (random.coin()) world.faults.crash = 0.02;
    if (random.coin()) world.faults.until = 200 + random.below(3000);
    world.stops_when_settled = true;
    world.events_max = 30'000'000;
    return world;
}

inline std::string where(std::uint64_t seed) {
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

// Below, `gap(network, present, loads)` is the difference that must finally be at most 1.

/// From any state of nodes and channels: finally level for the tokens that are left, whose number
/// changes with at most two deals in each direction of a link; and it stays so.
template <class Program, class Gap>
void expect_stabilises(const Program& program, Tokens room, const FaultyInstance& instance,
                       const engine::SimulationOptions& world, Gap gap) {
    const std::vector<bool> all(instance.network.node_count(), true);
    engine::Simulation run(program, instance.network, instance.loads, world);
    EXPECT_EQ(run.run().end, engine::SimulationEnd::settled) << where(world.seed);
    EXPECT_TRUE(run.recount()) << where(world.seed);
    EXPECT_EQ(run.in_flight(), 0);
    EXPECT_EQ(load::total(run.loads()), run.ledger().expected());
    EXPECT_LE(gap(instance.network, all, run.loads()), 1) << where(world.seed);
    for (std::uint32_t side = 0; side < 2 * instance.network.link_count(); ++side)
        EXPECT_LE(run.bookings().violations(side), 2U) << where(world.seed);
    for (const Tokens load : run.loads())
        EXPECT_LE(load, room) << where(world.seed);
    const std::vector<Tokens> left = run.loads();
    for (int event = 0; event < 200; ++event)
        run.step();
    EXPECT_EQ(load::total(run.loads()), load::total(left));
    EXPECT_LE(gap(instance.network, all, run.loads()), 1) << where(world.seed);
}

/// Nodes leave and join for a while, amid faults of channels and nodes: no token is lost.
template <class Program, class Gap>
void expect_nothing_lost_by_churn(const Program& program, const FaultyInstance& instance,
                                  engine::SimulationOptions world, Gap gap) {
    world.churns = true;
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
    EXPECT_EQ(run.run().end, engine::SimulationEnd::settled) << where(world.seed);
    EXPECT_EQ(run.ledger().created() + run.ledger().destroyed(), 0) << where(world.seed);
    const std::vector<Tokens> loads = run.loads();
    EXPECT_EQ(load::total(loads), instance.total) << where(world.seed);
    EXPECT_LE(run.departed().size(), left);
    std::vector<bool> present(nodes);
    for (NodeId node = 0; node < nodes; ++node) {
        present[node] = run.present(node);
        EXPECT_TRUE(present[node] || loads[node] == 0) << where(world.seed);
    }
    EXPECT_LE(gap(instance.network, present, loads), 1) << where(world.seed);
}

/// Tokens arrive and are consumed amid faults: every one is booked, no node owes, and when no more
/// arrive the network becomes level.
template <class Program, class Gap>
void expect_books_what_comes_and_goes(const Program& program, const FaultyInstance& instance,
                                      const engine::SimulationOptions& world, Gap gap) {
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
    EXPECT_EQ(run.run().end, engine::SimulationEnd::settled) << where(world.seed);
    EXPECT_EQ(run.ledger().created() - run.ledger().destroyed(), outside);
    EXPECT_EQ(load::total(run.loads()), instance.total + outside) << where(world.seed);
    const std::vector<bool> all(instance.network.node_count(), true);
    EXPECT_LE(gap(instance.network, all, run.loads()), 1) << where(world.seed);
}

}  // namespace equipoise::test
