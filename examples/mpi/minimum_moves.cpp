// A plan, looked at before anything moves, and then carried out on two arrays that belong together.
// Build: the target example_minimum_moves, or as examples/README.md says; run it on 4 ranks.
// Look at the plan that rank 0 prints: no plan that levels the ranks moves fewer items.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

namespace balancer = equipoise::balancer;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Particles with a number and a charge, here equal: 60 on rank 0, 10 on rank 1.
    const std::size_t count = rank == 0 ? 60 : rank == 1 ? 10 : 0;
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1000 * rank);
    std::vector<double> charges(numbers.begin(), numbers.end());

    const balancer::Plan plan = balancer::make_plan(MPI_COMM_WORLD, std::ssize(numbers));
    if (rank == 0) std::fputs(plan.describe().c_str(), stdout);
    plan.execute(std::tie(numbers, charges));

    const bool together = std::ranges::equal(numbers, charges);
    std::printf("rank %d: %zu particles, each %s its charge\n", rank, numbers.size(),
                together ? "with" : "without");
    MPI_Finalize();
}
