// The order of deliveries that ranks write down, replayed by the simulation. For programs of the
// catalogue that fall silent the library itself compares the two (engine/ranks/run_on_ranks.cpp);
// here is the one that does not.

#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/programs/self_stabilising.hpp"
#include "tests/support/program_instances.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/watchdog.hpp"

namespace equipoise::engine {
namespace {

/// Plays on the ranks; the order they wrote down must lead the simulation to the same end.
template <class Program>
void expect_replayed(Fabric& fabric, const Program& program, const test::Instance& instance) {
    const test::Watchdog watchdog("a program that never falls silent");
    const NodeId nodes = instance.network.node_count();
    const Partition partition = Partition::contiguous(nodes, fabric.ranks());
    const NodeId begin = partition.first(fabric.rank());
    RankOptions options;
    options.seed = 3;
    options.keeps_order = true;
    const RankRun run =
        run_on_ranks(program, instance.network,
                     std::span<const Tokens>(instance.loads)
                         .subspan(begin, partition.first(fabric.rank() + 1) - begin),
                     fabric, options);
    EXPECT_EQ(Parting::settled, run.reason);
    EXPECT_EQ(load::total(instance.loads), load::total(run.loads));
    EXPECT_GE(1, load::local_imbalance(instance.network, std::span<const Tokens>(run.loads)));
    EXPECT_EQ(fabric.rank() != 0, run.order.empty());
    if (fabric.rank() != 0) return;
    EXPECT_EQ(run.figures.events + nodes, run.order.size());
    SimulationOptions world;
    world.seed = 3;
    world.replays = &run.order;
    world.recounts_tokens = true;
    Simulation<Program> simulation(program, instance.network, instance.loads, world);
    const SimulationOutcome replayed = simulation.run();
    EXPECT_EQ(run.loads, replayed.loads);
    EXPECT_EQ(run.figures.exchanges, replayed.exchanges);
    EXPECT_EQ(run.figures.time, replayed.time);
    EXPECT_EQ(run.figures.nodes_done == nodes, simulation.all_done());
}

TEST(OrdersOfDeliveries, LeadTheSimulationToTheEndOfTheRanks) {
    test::on_ranks([](Fabric& fabric) {
        for (const test::Instance& instance : test::program_networks()) {
            expect_replayed(fabric, programs::SelfStabilising(programs::SequenceLink()), instance);
            expect_replayed(fabric, programs::SelfStabilising(programs::LabelledLink(1)), instance);
        }
    });
}

}  // namespace
}  // namespace equipoise::engine
