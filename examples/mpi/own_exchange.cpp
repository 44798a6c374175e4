// A program that moves its items by an MPI_Alltoallv of its own: the plan says which, where to and
// in which order.
// Build: the target example_own_exchange, or as examples/README.md says; run it on 4 ranks.
// Look at the counts: items that stay are not sent, and every item arrives where execute() puts it.

#include <algorithm>
#include <cstddef>
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
    std::vector<double> items(rank == 1 ? 40 : 8);
    std::iota(items.begin(), items.end(), 100.0 * rank);

    const balancer::Plan plan = balancer::make_plan(MPI_COMM_WORLD, std::ssize(items));
    const balancer::Exchange<int> lists = plan.exchange();
    std::vector<double> leaving;
    for (const auto place : lists.send_order)
        leaving.push_back(items[static_cast<std::size_t>(place)]);
    std::vector<double> arrived(lists.receive_places.size());
    MPI_Alltoallv(leaving.data(), lists.send_counts.data(), lists.send_offsets.data(), MPI_DOUBLE,
                  arrived.data(), lists.receive_counts.data(), lists.receive_offsets.data(),
                  MPI_DOUBLE, MPI_COMM_WORLD);
    std::vector<double> fresh(static_cast<std::size_t>(plan.size_after()));
    for (const auto& run : lists.kept)
        std::copy_n(items.begin() + run.from, run.items, fresh.begin() + run.to);
    for (std::size_t i = 0; i < arrived.size(); ++i)
        fresh[static_cast<std::size_t>(lists.receive_places[i])] = arrived[i];

    plan.execute(items);
    std::printf("rank %d: sends %zu, receives %zu, %s\n", rank, leaving.size(), arrived.size(),
                items == fresh ? "as execute() does" : "not as execute() does");
    MPI_Finalize();
}
