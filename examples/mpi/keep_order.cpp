// Sorted items stay sorted across the ranks: rank after rank holds the next ones.
// Build: the target example_keep_order, or as examples/README.md says; run it on 4 ranks.
// Look at the first and the last item of each rank; minimum_moves would move fewer, in any order.

#include <cstdio>
#include <numeric>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

namespace balancer = equipoise::balancer;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Rank r holds 10 (r + 1)^2 numbers, the next ones after those of the ranks before it.
    const int before = 10 * rank * (rank + 1) * (2 * rank + 1) / 6;
    std::vector<int> rows(10 * (rank + 1) * (rank + 1));
    std::iota(rows.begin(), rows.end(), before);

    const auto report =
        balancer::rebalance(MPI_COMM_WORLD, rows, {.policy = balancer::Policy::keep_order});
    if (rank == 0) std::printf("%lld rows moved\n", static_cast<long long>(report.moved));
    std::printf("rank %d: rows %d to %d\n", rank, rows.front(), rows.back());
    MPI_Finalize();
}
