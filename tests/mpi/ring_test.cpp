// A communicator's own topology as the network of a run.

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/mpi/fabric.hpp"
#include "equipoise/mpi/topology.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

TEST(ARingOfRanks, IsANetworkOnWhichTheyPlayOneNodeEach) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int closed = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &closed, 0, &ring);
    {
        mpi::Fabric fabric(ring);
        const network::AnyNetwork network = mpi::network_of(fabric.communicator());
        EXPECT_EQ(network.node_count(), static_cast<NodeId>(ranks));
        EXPECT_EQ(network.link_count(), ranks < 3 ? ranks - 1 : ranks);
        RunOptions options;
        options.fabric = &fabric;
        const Outcome outcome =
            run("deal-agreement-2", network, test::spike(network, 700), options);
        EXPECT_TRUE(outcome.reached());
        EXPECT_LE(outcome.local_imbalance(), 1);
    }
    MPI_Comm_free(&ring);
}

}  // namespace
}  // namespace equipoise::catalogue
