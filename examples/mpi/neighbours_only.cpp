// Items move between neighbours on a ring of ranks only, by an algorithm of the catalogue.
// Build: the target example_neighbours_only, or as examples/README.md says; run it on 6 ranks.
// Look at the promise of each algorithm beside what the ranks hold in the end.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>
#include <equipoise/balancer/neighbours/neighbours_only.hpp>

namespace balancer = equipoise::balancer;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);

    // Every rank has one item more than one of its neighbours: enough for deal-agreement-2, which
    // promises that neighbours end at most 1 apart; discrepancy-1 promises that of all ranks.
    for (const char* algorithm : {"deal-agreement-2", "discrepancy-1"}) {
        std::vector<int> items(10 + std::min(rank, ranks - rank));
        const auto report = balancer::rebalance(ring, items, balancer::neighbours_only(algorithm));
        if (rank == 0)
            std::printf("%s: %lld to %lld items a rank, %lld moves in %zu round%s\n", algorithm,
                        static_cast<long long>(report.after.least),
                        static_cast<long long>(report.after.most),
                        static_cast<long long>(report.moved), report.rounds,
                        report.rounds == 1 ? "" : "s");
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
}
