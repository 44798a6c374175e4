// Node programs in an MPI program. What they do on ranks is tested on any fabric (tests/ranks);
// here what MPI adds: the call itself, and its errors.

#include "equipoise/mpi/run_program.hpp"

#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/hot_potatoes.hpp"

namespace equipoise::mpi {
namespace {

using balancer::Grain;
using balancer::world_rank;
using balancer::world_size;

const programs::MinimumExchangeTree program(true);

TEST(RunProgram, LevelsItemsOnAPathOfRanks) {
    const network::Network path = test::stored_network("path:n=" + std::to_string(world_size()));
    std::vector<std::vector<Grain>> items(1);
    const int count = world_rank() == 0 ? 3 * world_size() : 0;
    for (int number = 0; number < count; ++number)
        items[0].push_back(balancer::make_grain(number, 0));
    const engine::RankRun run = run_program(MPI_COMM_WORLD, program, path, items);
    EXPECT_EQ(run.loads, load::Loads(static_cast<std::size_t>(world_size()), 3));
    EXPECT_EQ(items[0].size(), 3U);
    EXPECT_TRUE(balancer::all_there(balancer::all_numbers(items[0])));
}

TEST(RunProgram, KeepsTheOrderOfDeliveriesOnRankZeroWhereAsked) {
    const network::Network path = test::stored_network("path:n=14");
    const auto [begin, end] = nodes_of_rank(path, world_rank(), world_size());
    const load::Loads loads = test::corner_loads(14, 28);
    const auto mine = std::span(loads).subspan(begin, end - begin);
    const engine::RankRun run =
        run_program(MPI_COMM_WORLD, program, path, mine, {.seed = 3, .keeps_order = true});
    EXPECT_EQ(run.loads, load::Loads(14, 2));
    EXPECT_EQ(run.order.size(), world_rank() == 0 ? run.figures.events + 14 : 0);
}

TEST(ErrorsOfRunProgram, AreCollectiveErrorsAndTheItemsStay) {
    const network::Network ring = test::stored_network("cycle:n=14");
    const auto [begin, end] = nodes_of_rank(ring, world_rank(), world_size());
    for (int failing = 0; failing < world_size(); ++failing)
        for (const bool out_of_memory : {false, true}) {
            std::vector<std::vector<Tokens>> items(end - begin, {7, 8});
            const auto before = items;
            try {
                run_program(MPI_COMM_WORLD,
                            test::HotPotatoes{world_rank() == failing, out_of_memory}, ring, items);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const CollectiveError& error) {
                EXPECT_EQ(out_of_memory ? Failure::memory : Failure::user_code, error.failure());
                EXPECT_EQ(failing, error.rank()) << error.what();
            }
            EXPECT_EQ(before, items);
        }
}

TEST(DifferingCalls, AreRefusedOnEveryRank) {
    const network::Network ring = test::stored_network("cycle:n=14");
    const network::Network path = test::stored_network("path:n=14");
    const auto [begin, end] = nodes_of_rank(ring, world_rank(), world_size());
    const std::vector<Tokens> loads(end - begin, 1);
    const std::vector<Tokens> wrong(end - begin + 1, 1);
    const bool here = world_rank() == world_size() - 1;
    const auto kind_of = [&](const network::Network& network, const std::vector<Tokens>& mine) {
        try {
            run_program(MPI_COMM_WORLD, program, network, std::span(mine));
        } catch (const CollectiveError& error) {
            EXPECT_EQ(error.rank(), world_size() - 1) << error.what();
            return error.failure();
        }
        return Failure::none;
    };
    EXPECT_EQ(kind_of(path, here ? wrong : loads), Failure::input);
    if (world_size() > 1) {
        EXPECT_EQ(kind_of(here ? path : ring, loads), Failure::differing);
    }
}

}  // namespace
}  // namespace equipoise::mpi
