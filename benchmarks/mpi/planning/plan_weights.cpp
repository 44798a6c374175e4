// How long a plan by weights takes, beside one sort with std::sort of as many numbers as each rank
// has items: the shortest time of the slowest rank, the two in turn.
//
// usage: mpirun -n R plan_weights [ITEMS_PER_RANK [REPEATS]]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include "equipoise/base/random.hpp"
#include <equipoise/balancer/balancer.hpp>

namespace {

using namespace equipoise;

// The longest time of any rank.
double seconds_of(const std::function<void()>& action) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    action();
    double seconds = MPI_Wtime() - began;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

double least(const std::vector<double>& seconds) {
    return *std::min_element(seconds.begin(), seconds.end());
}

// Numbers between 0 and 1, item by item, twice as large on rank 0, or all items on rank 0.
std::vector<double> weights_of(int rank, int ranks, std::uint64_t items, bool pile,
                               std::size_t kinds) {
    RandomStream random(7, Purpose::loads, static_cast<std::uint64_t>(rank));
    if (pile) items = rank == 0 ? items * static_cast<std::uint64_t>(ranks) : 0;
    std::vector<double> weights(items * kinds);
    for (double& weight : weights)
        weight = random.unit() * (rank == 0 ? 2 : 1);
    return weights;
}

struct Row {
    balancer::Policy policy = balancer::Policy::weighted;
    std::size_t kinds = 1;
    bool pile = false;
    double tolerance = 0;
};

void measure(const Row& row, std::uint64_t items_each, int repeats) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<double> weights = weights_of(rank, ranks, items_each, row.pile, row.kinds);
    const std::size_t items = weights.size() / row.kinds;
    std::vector<double> sorting;
    std::vector<double> planning;
    balancer::Report report;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<double> copy(weights.begin(),
                                 weights.begin() + static_cast<std::ptrdiff_t>(items));
        sorting.push_back(seconds_of([&] { std::sort(copy.begin(), copy.end()); }));
        planning.push_back(seconds_of([&] {
            report = balancer::make_plan(MPI_COMM_WORLD, static_cast<Tokens>(items),
                                         {.policy = row.policy,
                                          .weights = weights,
                                          .weights_per_item = row.kinds,
                                          .tolerance = row.tolerance})
                         .report();
        }));
    }
    if (rank == 0)
        std::printf("| %s | %zu | %s%zu | %.2f | %.1f | %.1f | %.2f | %lld | %lld |\n",
                    std::string(to_string(row.policy)).c_str(), row.kinds,
                    row.pile ? "all on rank 0: " : "each rank ", items, row.tolerance,
                    least(sorting) * 1e3, least(planning) * 1e3, least(planning) / least(sorting),
                    static_cast<long long>(report.moved),
                    static_cast<long long>(report.moved_at_least));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::uint64_t items = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 250'000;
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 11;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        std::printf(
            "| policy | kinds | items | tolerance | sort, ms | plan, ms | ratio | moved | at least "
            "|\n|---|---|---|---|---|---|---|---|---|\n");
    for (const auto policy : {balancer::Policy::weighted, balancer::Policy::keep_order})
        for (const std::size_t kinds : {1U, 2U, 3U})
            for (const bool pile : {false, true})
                for (const double tolerance : {0.0, 0.02})
                    measure({policy, kinds, pile, tolerance}, items, repeats);
    MPI_Finalize();
}
