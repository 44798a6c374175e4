// How long a plan by weights takes, beside one sort of the local weights with std::sort: medians of
// the slowest rank, the two in turn.
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

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

// Weights between 0 and 1, twice as heavy on rank 0, or all items on rank 0.
std::vector<double> weights_of(int rank, int ranks, std::uint64_t items, bool pile) {
    RandomStream random(7, Purpose::loads, static_cast<std::uint64_t>(rank));
    if (pile) items = rank == 0 ? items * static_cast<std::uint64_t>(ranks) : 0;
    std::vector<double> weights(items);
    for (double& weight : weights)
        weight = random.unit() * (rank == 0 ? 2 : 1);
    return weights;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::uint64_t items = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 250'000;
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 11;
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        std::printf(
            "| policy | items | tolerance | sort, ms | plan, ms | ratio | moved | at least |\n"
            "|---|---|---|---|---|---|---|---|\n");
    for (const auto policy : {balancer::Policy::weighted, balancer::Policy::keep_order})
        for (const bool pile : {false, true}) {
            for (const double tolerance : {0.0, 0.02}) {
                const std::vector<double> weights = weights_of(rank, ranks, items, pile);
                std::vector<double> sorting;
                std::vector<double> planning;
                balancer::Report report;
                for (int repeat = 0; repeat < repeats; ++repeat) {
                    std::vector<double> copy = weights;
                    sorting.push_back(seconds_of([&] { std::sort(copy.begin(), copy.end()); }));
                    planning.push_back(seconds_of([&] {
                        report = balancer::make_plan(
                                     MPI_COMM_WORLD, static_cast<Tokens>(weights.size()),
                                     {.policy = policy, .weights = weights, .tolerance = tolerance})
                                     .report();
                    }));
                }
                if (rank == 0)
                    std::printf("| %s | %s%llu | %.2f | %.1f | %.1f | %.2f | %lld | %lld |\n",
                                std::string(to_string(policy)).c_str(),
                                pile ? "all on rank 0: " : "each rank ",
                                static_cast<unsigned long long>(weights.size()), tolerance,
                                median(sorting) * 1e3, median(planning) * 1e3,
                                median(planning) / median(sorting),
                                static_cast<long long>(report.moved),
                                static_cast<long long>(report.moved_at_least));
            }
        }
    MPI_Finalize();
}
