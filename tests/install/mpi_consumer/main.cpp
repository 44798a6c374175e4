// An MPI program outside the project: everything on rank 0, levelled.
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> items(rank == 0 ? 1000 : 0, 7);
    const auto report = equipoise::balancer::rebalance(MPI_COMM_WORLD, items);
    const bool level = report.after.most - report.after.least <= 1;
    MPI_Finalize();
    return level && report.moved == report.minimum ? 0 : 1;
}
