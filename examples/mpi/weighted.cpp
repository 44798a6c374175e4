// Items that cost different amounts: seconds are levelled, not numbers of items.
// Build: the target example_weighted, or as examples/README.md says; run it on 4 ranks.
// Look at the largest load beside its lower bound, and at how few items move if 5 % are allowed.

#include <cstdio>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

namespace balancer = equipoise::balancer;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const double tolerance : {0.0, 0.05}) {
        // A task's cost grows with its size; rank 0 has the large ones.
        std::vector<int> tasks;
        std::vector<double> seconds;
        for (int task = 0; task < 20; ++task) {
            tasks.push_back(100 * rank + task);
            seconds.push_back(rank == 0 ? 0.5 * (task + 1) : 0.1 * (task + 1));
        }
        const auto report =
            balancer::rebalance(MPI_COMM_WORLD, tasks, seconds, {.tolerance = tolerance});
        if (rank == 0)
            std::printf(
                "tolerance %g: the slowest rank takes %.1f s instead of %.1f s (no plan "
                "takes less than %.1f s); %lld tasks moved\n",
                tolerance, report.largest, report.largest_before, report.largest_at_least,
                static_cast<long long>(report.moved));
    }
    MPI_Finalize();
}
