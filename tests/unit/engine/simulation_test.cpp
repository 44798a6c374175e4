// The simulation as a world: determinism, faults, timers, and the same programs on the reference
// host.

#include "equipoise/engine/simulation/simulation.hpp"

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/partially_asynchronous.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/self_stabilising.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::engine {
namespace {

using programs::PerfectTree;

std::vector<SimulationOptions> worlds() {
    std::vector<SimulationOptions> all(6);
    all[1].delays = DelayModel::random;
    all[2].delays = DelayModel::heavy_tail;
    all[3].single_port = true;
    all[4].adversary.kind = Adversary::Kind::newest_first;
    all[5].adversary.kind = Adversary::Kind::starve_node;
    return all;
}

struct Instance {
    network::Network tree;
    std::vector<Tokens> loads;
};

Instance random_instance(std::uint64_t seed, NodeId nodes) {
    RandomStream random(seed, Purpose::sampling);
    Instance instance{test::random_tree(nodes, random), std::vector<Tokens>(nodes)};
    for (Tokens& load : instance.loads)
        load = static_cast<Tokens>(random.below(15));
    return instance;
}

/// Plays a run, and then its order in a world that knows of no delays.
template <class Program>
void expect_replayed(const Program& program, const Instance& instance, SimulationOptions options) {
    options.seed = 3;
    options.deliveries_max = 1'000'000;
    Simulation first(program, instance.tree, instance.loads, options);
    const SimulationOutcome before = first.run();
    const std::vector<model::Delivery> order = first.take_deliveries();
    ASSERT_GT(order.size(), instance.loads.size());

    SimulationOptions again;
    again.seed = options.seed;  // for the programs' own draws
    again.deliveries_max = options.deliveries_max;
    again.replays = &order;
    Simulation second(program, instance.tree, instance.loads, again);
    const SimulationOutcome after = second.run();
    EXPECT_EQ(after.digest, before.digest);
    EXPECT_EQ(after.end, before.end);
    EXPECT_EQ(after.loads, before.loads);
    EXPECT_EQ(after.time, before.time);
    EXPECT_EQ(after.events, before.events);
    EXPECT_EQ(second.take_deliveries(), order);
    EXPECT_TRUE(second.recount());
}

TEST(Simulation, ReplaysTheOrderOfARunWithTheSameDigestInEveryWorld) {
    const Instance instance = random_instance(4, 60);
    for (const SimulationOptions& options : worlds()) {
        expect_replayed(PerfectTree(), instance, options);
        expect_replayed(PerfectTree(PerfectTree::RootChoice::link_end), instance, options);
        expect_replayed(programs::PartiallyAsynchronous(5), instance, options);
    }
}

TEST(Simulation, RefusesAnOrderThatDoesNotFitTheProgram) {
    const network::Network pair(2, {{0, 1}});
    const std::vector<Tokens> loads = {3, 0};
    const PerfectTree program;
    const auto refusal = [&](const std::vector<model::Delivery>& order) -> std::string {
        SimulationOptions options;
        options.replays = &order;
        Simulation run(program, pair, loads, options);
        try {
            static_cast<void>(run.run());
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(
        refusal({{0, 0, 0, 0, 0, 0}, {0, 1, 1, 0, 0, 0}}),
        "replay: delivery 2 from node 1 to node 0: expected a message on its way, found none");
    EXPECT_NE(refusal({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}).find("start once"),
              std::string::npos);
    EXPECT_NE(refusal({{0, 0, 0, 0, 0, 0}, {0, 2, 0, 0, 0, 0}}).find("waits for its clock"),
              std::string::npos);
    EXPECT_NE(refusal({{0, 1, 7, 9, 0, 0}}).find("a node of that number"), std::string::npos);
}

TEST(Simulation, KeepsNoHalfOrder) {
    const Instance instance = random_instance(4, 60);
    const PerfectTree program;
    SimulationOptions options;
    options.deliveries_max = 100;
    Simulation run(program, instance.tree, instance.loads, options);
    static_cast<void>(run.run());
    EXPECT_TRUE(run.take_deliveries().empty());
}

TEST(Simulation, GivesTheSameDigestForTheSameSeedAndAnotherForAnotherSeed) {
    const Instance instance = random_instance(1, 80);
    const PerfectTree program;
    for (SimulationOptions options : worlds()) {
        std::set<std::uint64_t> digests;
        for (const std::uint64_t seed : {5U, 5U, 6U}) {
            options.seed = seed;
            Simulation run(program, instance.tree, instance.loads, options);
            digests.insert(run.run().digest);
        }
        const bool random = options.delays != DelayModel::unit;
        EXPECT_EQ(digests.size(), random ? 2U : 1U);
    }
}

TEST(Simulation, KeepsANodeWithinFourHundredBytesBesidesMessages) {
    const Instance instance = random_instance(3, 5000);
    const PerfectTree program;
    Simulation run(program, instance.tree, instance.loads);
    const SimulationOutcome outcome = run.run();
    EXPECT_EQ(outcome.end, SimulationEnd::all_done);
    EXPECT_LE(outcome.memory_bytes, 400U * 5000);
}

TEST(Simulation, StopsAtALimitAndContinuesAsIfItHadNotStopped) {
    const Instance instance = random_instance(4, 30);
    const PerfectTree program;
    Simulation whole(program, instance.tree, instance.loads);
    const SimulationOutcome at_once = whole.run();
    SimulationOptions options;
    options.events_max = 50;
    Simulation parts(program, instance.tree, instance.loads, options);
    EXPECT_EQ(parts.run().end, SimulationEnd::events_max);
    EXPECT_EQ(parts.outcome().events, 50U);
    while (parts.step()) {
    }
    EXPECT_EQ(parts.outcome().digest, at_once.digest);
}

TEST(Simulation, CountsTokensHeldAndInFlightAfterEveryEvent) {
    const Instance instance = random_instance(5, 12);
    const PerfectTree program;
    for (const SimulationOptions& options : worlds()) {
        Simulation run(program, instance.tree, instance.loads, options);
        bool travelled = false;
        while (run.step()) {
            EXPECT_TRUE(run.recount());
            travelled = travelled || run.in_flight() > 0;
        }
        EXPECT_TRUE(travelled);
        EXPECT_EQ(run.in_flight(), 0);
    }
}

TEST(Simulation, RefusesFaultyChannelsForMessagesThatCarryTokens) {
    const PerfectTree program;
    const network::Network path(3, {{0, 1}, {1, 2}});
    SimulationOptions options;
    options.faults.duplicate = 0.5;
    Simulation run(program, path, std::vector<Tokens>{0, 30, 0}, options);
    EXPECT_THROW(run.run(), UnsuitableError);
}

TEST(Simulation, RefusesLoadsThatDoNotFitTheNetwork) {
    const PerfectTree program;
    const network::Network path(3, {{0, 1}, {1, 2}});
    EXPECT_THROW(Simulation(program, path, std::vector<Tokens>{0, 3}), InputError);
    EXPECT_THROW(Simulation(program, path, std::vector<Tokens>{0, 3, -1}), InputError);
}

TEST(Simulation, RefusesFaultsThatAProgramDoesNotSupport) {
    const network::Network path(3, {{0, 1}, {1, 2}});
    const std::vector<Tokens> loads = {0, 30, 0};
    const PerfectTree tokens_in_messages;
    const programs::SelfStabilising unbounded{programs::SequenceLink()};
    const programs::SelfStabilising bounded{programs::LabelledLink(1)};
    SimulationOptions options;
    options.churns = true;
    EXPECT_THROW(Simulation(tokens_in_messages, path, loads, options), UnsuitableError);
    options = {};
    options.faults.crash = 0.1;
    EXPECT_THROW(Simulation(tokens_in_messages, path, loads, options), UnsuitableError);
    options = {};
    options.faults.corrupt_start = true;
    EXPECT_THROW(Simulation(unbounded, path, loads, options), UnsuitableError);
    EXPECT_THROW(Simulation(bounded, path, loads, options), InputError);
    options.faults.capacity = 1;
    EXPECT_NO_THROW(Simulation(bounded, path, loads, options));
}

/// A world in which everything goes wrong for a while.
SimulationOptions bad_world(std::uint64_t seed) {
    SimulationOptions options;
    options.seed = seed;
    options.delays = DelayModel::random;
    options.faults = {0.2, 0.1, 0.1, 1, 2'000, 0.02, 30, true};
    options.stops_when_settled = true;
    options.events_max = 1'000'000;
    return options;
}

TEST(Simulation, HealsAndThenDemandsConvergence) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const programs::SelfStabilising program{programs::LabelledLink(1)};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Simulation run(program, graph, std::vector<Tokens>{30, 0, 0, 7, 1}, bad_world(seed));
        const SimulationOutcome outcome = run.run();
        EXPECT_EQ(outcome.end, SimulationEnd::settled);
        EXPECT_GT(outcome.lost, 0U);
        EXPECT_TRUE(run.recount());
        EXPECT_LE(load::local_imbalance(graph, outcome.loads), 1);
    }
}

TEST(Simulation, DrawsTheSameFaultsForTheSameSeed) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const programs::SelfStabilising program{programs::LabelledLink(1)};
    std::set<std::uint64_t> digests;
    std::uint64_t crashes = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (int turn = 0; turn < 2; ++turn) {
            SimulationOptions options = bad_world(seed);
            options.stops_when_settled = false;
            options.events_max = 5'000;
            Simulation run(program, graph, std::vector<Tokens>{30, 0, 0, 7, 1}, options);
            const SimulationOutcome outcome = run.run();
            digests.insert(outcome.digest);
            crashes += outcome.crashes;
            EXPECT_GT(outcome.duplicated, 0U);
        }
    }
    EXPECT_EQ(digests.size(), 4U);
    EXPECT_GT(crashes, 100U);
}

TEST(Simulation, LetsNoTimePassWhileAllMessagesAreHeldBack) {
    const Instance instance = random_instance(6, 20);
    const PerfectTree program;
    SimulationOptions options;
    options.adversary.kind = Adversary::Kind::hold_kinds;
    options.adversary.kinds = model::KindSet::of(PerfectTree::Kind::finished);
    Simulation run(program, instance.tree, instance.loads, options);
    const SimulationOutcome outcome = run.run();
    EXPECT_EQ(outcome.end, SimulationEnd::all_done);
    EXPECT_LE(outcome.time, outcome.events);
}

}  // namespace
}  // namespace equipoise::engine
