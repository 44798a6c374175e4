#include <array>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

struct Particle {
    std::array<double, 3> position;
    std::array<double, 3> velocity;
};

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<Particle> particles(rank == 0 ? 100001 : 50);
    const auto report = equipoise::balancer::rebalance(MPI_COMM_WORLD, particles);
    std::printf("rank %d: %zu particles of %.2f on average\n", rank, particles.size(),
                report.after.average);
    MPI_Finalize();
}
