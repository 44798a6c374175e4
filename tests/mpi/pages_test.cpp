// The calls that docs/how-to/balancer.md, balancer-weights.md and ranks.md show: their blocks are
// parts of this file, and each does what its page says.

#include <array>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "tests/mpi/items.hpp"
#include <equipoise/balancer/advisor.hpp>
#include <equipoise/balancer/balancer.hpp>
#include <equipoise/balancer/lend.hpp>
#include <equipoise/balancer/relabel.hpp>
#include <equipoise/engine/parts/thread_fabric.hpp>
#include <equipoise/equipoise.hpp>
#include <equipoise/mpi/fabric.hpp>
#include <equipoise/mpi/run_program.hpp>
#include <equipoise/mpi/topology.hpp>
#include <equipoise/network/generators/classic.hpp>
#include <equipoise/programs/minimum_exchange_tree.hpp>

namespace equipoise::pages {
namespace {

using namespace equipoise::balancer;

struct Particle {
    std::array<double, 3> position{};
};
struct Column {
    double value = 0;
};
struct Task {
    std::string name;
    std::vector<double> matrix;
};

// All items are on rank 0: 100 for each rank.
std::size_t items_at_first() {
    return world_rank() == 0 ? 100 * static_cast<std::size_t>(world_size()) : 0;
}

TEST(PagesOfTheBalancer, LevelWhatItemsCost) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    std::vector<int> tasks(items_at_first());
    std::vector<double> seconds(tasks.size(), 0.5);
    rebalance(comm, tasks, seconds, {.tolerance = 0.02});  // at most 2 % above the share, few moves
    EXPECT_LE(tasks.size(), 102U);
}

TEST(PagesOfTheBalancer, TakeWeightsOfAnyType) {
    struct Cell {
        double seconds = 0.5;
        int points = 4;
    };
    const MPI_Comm comm = MPI_COMM_WORLD;
    std::vector<Cell> cells(items_at_first());
    std::vector<float> seconds(cells.size(), 0.5F);
    rebalance(comm, cells, seconds);  // they move with the cells
    rebalance(comm, cells, [](const Cell& cell) { return cell.points; });  // asked once for each
    rebalance(comm, cells, &Cell::points, {.policy = Policy::keep_order});
    EXPECT_EQ(cells.size(), seconds.size());
    EXPECT_EQ(100U, cells.size());
    rebalance(comm, cells, [](const Cell& cell) {
        return std::array{cell.seconds, static_cast<double>(cell.points)};  // time and memory
    });
    const Plan plan =
        make_plan(comm, std::ssize(cells), [&](std::size_t i) { return cells[i].points; });
    EXPECT_EQ(0, plan.moved());
    EXPECT_EQ(400, plan.report().largest);
}

TEST(PagesOfTheBalancer, LevelWhatConsecutiveItemsCost) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    std::vector<int> cells(items_at_first());
    std::vector<double> seconds(cells.size(), 0.5);
    rebalance(comm, cells, seconds, {.policy = Policy::keep_order, .tolerance = 0.02});
    EXPECT_LE(cells.size(), 102U);
}

TEST(PagesOfTheBalancer, LookFirstAndThenMove) {
    std::vector<Particle> particles(items_at_first());
    std::vector<double> charges(particles.size());
    const Plan plan = make_plan(MPI_COMM_WORLD, std::ssize(particles));
    std::cout << plan.describe();
    if (plan.worth_it({.seconds_per_item = 2e-6, .steps = 50, .seconds_per_item_moved = 1e-7})) {
        plan.execute(std::tie(particles, charges));  // any number of vectors of that length
    }
    EXPECT_EQ(100U, particles.size());
    EXPECT_EQ(100U, charges.size());
}

TEST(PagesOfTheBalancer, AskTheAdvisorWhen) {
    const int steps = 5;
    std::vector<int> items(items_at_first());
    std::vector<double> costs(items.size(), 1);
    const auto compute = [](const std::vector<int>& own, const std::vector<double>&) {
        return std::accumulate(own.begin(), own.end(), 0);
    };
    Advisor advisor(MPI_COMM_WORLD);
    for (int step = 0; step < steps; ++step) {
        const double began = MPI_Wtime();
        compute(items, costs);              // this rank's own work: without waiting for others
        advisor.step(MPI_Wtime() - began);  // collective: one small reduction
        if (advisor.worth_it()) advisor.balanced(rebalance(MPI_COMM_WORLD, items, costs));
    }
    EXPECT_EQ(items.size(), costs.size());
}

struct TaskSerialiser {
    static void save(const Task& task, ByteWriter& out) {
        out.put(task.name);
        out.put(task.matrix);
    }
    static Task load(ByteReader& in) { return {in.get_string(), in.get_vector<double>()}; }
};

TEST(PagesOfTheBalancer, MoveItemsThatHaveMemoryOfTheirOwn) {
    std::vector<Task> tasks(items_at_first(), Task{"task", {1, 2}});
    rebalance(MPI_COMM_WORLD, tasks, {}, TaskSerialiser());
    ASSERT_EQ(100U, tasks.size());
    EXPECT_EQ("task", tasks.back().name);
    EXPECT_EQ(2U, tasks.back().matrix.size());
}

TEST(PagesOfTheBalancer, LendItemsForAStep) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const auto physics = [](Column& column) { column.value += 1; };
    std::vector<Column> columns(items_at_first());
    const std::vector<double> seconds(columns.size(), 0.5);
    auto loan = lend(comm, columns, {.policy = Policy::weighted, .weights = seconds});
    for (Column& column : columns)
        physics(column);  // own ones and borrowed ones
    loan.give_back();     // each in its place, in its order, with results
    ASSERT_EQ(items_at_first(), columns.size());
    for (const Column& column : columns)
        EXPECT_EQ(1, column.value);
}

TEST(PagesOfTheBalancer, GivePartsTheRanksThatMoveTheFewestBytes) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    std::vector<int> items(10, world_rank());
    const std::vector<Tokens> bytes(items.size(), 8);
    // Another rank's number for what this rank has already.
    const auto my_partitioner = [](const std::vector<int>& own) {
        return std::vector<int>(own.size(), (world_rank() + 1) % world_size());
    };
    std::vector<int> part = my_partitioner(items);  // of each item of this rank
    // Each part is now the rank that it gets.
    const auto found = relabel_in_place(comm, part, bytes);
    plan_to(comm, part).execute(items);  // any items to any ranks
    EXPECT_EQ(std::vector<int>(10, world_rank()), items);
    EXPECT_FALSE(found.describe().empty());
}

TEST(PageOfRanks, PlaysOneRunOnAllRanks) {
    const auto network = equipoise::network::generate("torus:8x8", 1);
    const auto loads = equipoise::load::make_loads("spike:tokens=6400", network, 1);
    equipoise::mpi::Fabric fabric(MPI_COMM_WORLD);
    equipoise::catalogue::RunOptions options;
    options.fabric = &fabric;
    // Collective: the same call with the same arguments on every rank.
    const auto outcome = equipoise::run("diffusion", network, loads, options);
    EXPECT_EQ(outcome.steps(), equipoise::run("diffusion", network, loads).steps());
}

TEST(PageOfRanks, TakesATopologyAsTheNetwork) {
    const int ranks_of_world = equipoise::balancer::world_size();
    const int closed = 1;
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks_of_world, &closed, 0, &cart);
    {
        const equipoise::network::AnyNetwork ranks =
            equipoise::mpi::network_of(equipoise::mpi::Communicator(cart));
        EXPECT_EQ(ranks.node_count(), static_cast<equipoise::NodeId>(ranks_of_world));
    }
    MPI_Comm_free(&cart);
}

TEST(PageOfRanks, MovesItemsByANodeProgram) {
    struct Particle {
        double position = 0;
    };
    const auto ranks = static_cast<equipoise::NodeId>(equipoise::balancer::world_size());
    const std::vector<Particle> mine(equipoise::balancer::world_rank() == 0 ? 3 * ranks : 0);
    const equipoise::network::Network path = equipoise::network::make_path(ranks);
    std::vector<std::vector<Particle>> items = {mine};  // of this rank's nodes: here one
    const equipoise::programs::MinimumExchangeTree program(true);
    equipoise::mpi::run_program(MPI_COMM_WORLD, program, path, items);
    EXPECT_EQ(3U, items[0].size());
}

TEST(PageOfRanks, PlaysOnThreadsAsRanks) {
    const auto network = equipoise::network::generate("torus:4x4", 1);
    const auto loads = equipoise::load::make_loads("spike:tokens=160", network, 1);
    equipoise::engine::run_as_threads(4, [&](equipoise::engine::Fabric& fabric) {
        equipoise::catalogue::RunOptions options;
        options.fabric = &fabric;
        const auto outcome = equipoise::run("diffusion", network, loads, options);
        EXPECT_GT(outcome.steps(), 0);
    });
}

}  // namespace
}  // namespace equipoise::pages
