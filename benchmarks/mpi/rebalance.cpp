// Levels a million items of 64 bytes by every method in turn and prints, per distribution and
// method, the median time and the items moved, one line each; compare.py makes tables of them.
//
// usage: mpirun -n R rebalance [ITEMS [REPEATS [METHOD ...]]]       METHOD: of these alone

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include <malloc.h>
#include <mpi.h>

#include "benchmarks/mpi/methods.hpp"
#include "equipoise/base/random.hpp"
#include <equipoise/balancer/balancer.hpp>

namespace {

using namespace rebalance_benchmark;
using Counts = std::vector<std::uint64_t>;

struct Distribution {
    const char* name;
    Counts counts;
};

// Divides `items` into whole numbers in proportion to `weights`.
Counts shares(std::uint64_t items, const std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    Counts counts;
    for (const double weight : weights)
        counts.push_back(static_cast<std::uint64_t>(static_cast<double>(items) * weight / sum));
    counts[0] += items - std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    return counts;
}

std::vector<Distribution> distributions(std::uint64_t items, std::size_t ranks) {
    std::vector<double> zipf(ranks);
    std::vector<double> random(ranks);
    equipoise::RandomStream stream(1, equipoise::Purpose::loads);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        zipf[rank] = 1.0 / static_cast<double>(rank + 1);
        random[rank] = stream.unit();
    }
    std::vector<double> shuffled = zipf;
    for (std::size_t rank = ranks; rank > 1; --rank)
        std::swap(shuffled[rank - 1], shuffled[stream.below(rank)]);
    std::vector<double> all_on_first(ranks, 0);
    all_on_first[0] = 1;
    std::vector<double> ends(ranks, 1);
    ends.front() = 1.05;
    ends.back() = 0.95;
    return {{"all on rank 0", shares(items, all_on_first)},
            {"Zipf", shares(items, zipf)},
            {"shuffled Zipf", shares(items, shuffled)},
            {"random", shares(items, random)},
            {"5 % end to end", shares(items, ends)}};
}

Items make_items(const Counts& counts, std::size_t rank) {
    const std::uint64_t first =
        std::accumulate(counts.begin(), counts.begin() + static_cast<long>(rank), std::uint64_t{0});
    Items items(counts[rank]);
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i] = {first + i, {first + i + 1, 2, 3, 4, 5, 6, ~(first + i)}};
    return items;
}

// The fewest moves that level: what is above the floor, except odd items that may stay.
std::uint64_t fewest_moves(const Counts& counts) {
    const std::uint64_t items = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const std::uint64_t floor = items / counts.size();
    std::uint64_t moved = 0;
    std::uint64_t above = 0;
    for (const std::uint64_t count : counts) {
        moved += count > floor ? count - floor : 0;
        above += count > floor ? 1 : 0;
    }
    return moved - std::min(items % counts.size(), above);
}

// The fewest items that must pass between machines of this many ranks: the excess over the most, or
// the lack below the least, that their ranks may hold.
std::uint64_t fewest_between_machines(const Counts& counts, std::size_t ranks_a_machine) {
    const std::uint64_t items = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const std::uint64_t floor = items / counts.size();
    const std::uint64_t ceiling = (items + counts.size() - 1) / counts.size();
    std::uint64_t above = 0;
    std::uint64_t below = 0;
    for (std::size_t first = 0; first < counts.size(); first += ranks_a_machine) {
        const std::size_t last = std::min(first + ranks_a_machine, counts.size());
        const std::uint64_t held =
            std::accumulate(counts.begin() + static_cast<long>(first),
                            counts.begin() + static_cast<long>(last), std::uint64_t{0});
        const std::uint64_t ranks = last - first;
        above += held > ranks * ceiling ? held - ranks * ceiling : 0;
        below += held < ranks * floor ? ranks * floor - held : 0;
    }
    return std::max(above, below);
}

// Items that came from other ranks, and from other machines.
using Arrivals = std::array<std::uint64_t, 2>;

// Counts arrivals on all ranks; ends the program if items are lost or damaged or ranks are not
// level.
Arrivals arrived(const Items& items, const Counts& counts, std::size_t rank,
                 std::size_t ranks_a_machine, const std::string& method) {
    const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const auto first_of = [&](std::size_t some) {
        return std::accumulate(counts.begin(),
                               counts.begin() + static_cast<long>(std::min(some, counts.size())),
                               std::uint64_t{0});
    };
    const std::size_t machine = rank / ranks_a_machine * ranks_a_machine;
    const std::array<std::uint64_t, 2> own = {first_of(rank), first_of(rank + 1)};
    const std::array<std::uint64_t, 2> near = {first_of(machine),
                                               first_of(machine + ranks_a_machine)};
    Arrivals mine = {0, 0};
    std::array<std::uint64_t, 3> sums = {0, 0, items.size()};
    bool whole = true;
    for (const Item& item : items) {
        mine[0] += item.number < own[0] || item.number >= own[1] ? 1 : 0;
        mine[1] += item.number < near[0] || item.number >= near[1] ? 1 : 0;
        whole = whole && item.payload[0] == item.number + 1 && item.payload[6] == ~item.number;
        sums[0] += item.number;
        sums[1] += item.number * item.number;
    }
    std::array<std::uint64_t, 3> all = {};
    MPI_Allreduce(sums.data(), all.data(), 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    Counts expected(2, 0);
    for (std::uint64_t number = 0; number < total; ++number) {
        expected[0] += number;
        expected[1] += number * number;
    }
    const bool level = items.size() >= total / counts.size() &&
                       items.size() <= (total + counts.size() - 1) / counts.size();
    if (!whole || !level || all[0] != expected[0] || all[1] != expected[1] || all[2] != total) {
        std::fprintf(stderr, "%s left rank %zu with wrong items\n", method.c_str(), rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Arrivals everywhere = {};
    MPI_Allreduce(mine.data(), everywhere.data(), 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return everywhere;
}

unsigned long long number(std::uint64_t value) {
    return value;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The seconds of the slowest rank.
template <class Action>
double timed(Action&& action) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double started = MPI_Wtime();
    action();
    const double mine = MPI_Wtime() - started;
    double slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

void compare(const Distribution& distribution, const std::vector<Method>& methods, int repeats,
             std::size_t rank) {
    std::vector<std::vector<double>> seconds(methods.size());
    std::vector<Arrivals> moved(methods.size());
    const auto ranks_near = static_cast<std::size_t>(ranks_a_machine(MPI_COMM_WORLD));
    for (int repeat = -1; repeat < repeats; ++repeat) {  // the first warms up
        for (std::size_t m = 0; m < methods.size(); ++m) {
            Items items = make_items(distribution.counts, rank);
            const double slowest = timed([&] { methods[m].level(items); });
            if (repeat >= 0) {
                seconds[m].push_back(slowest);
                continue;
            }
            moved[m] = arrived(items, distribution.counts, rank, ranks_near, methods[m].name);
        }
    }
    if (rank != 0) return;
    for (std::size_t m = 0; m < methods.size(); ++m)
        std::printf("%zu;%s;%s;%.9f;%llu;%llu;%llu;%llu\n", distribution.counts.size(),
                    distribution.name, methods[m].name.c_str(), median(seconds[m]),
                    number(moved[m][0]), number(fewest_moves(distribution.counts)),
                    number(moved[m][1]),
                    number(fewest_between_machines(distribution.counts, ranks_near)));
}

// Planning when there is nothing to do, compared with one reduction.
void compare_planning(int ranks, std::size_t rank) {
    std::vector<double> planning;
    std::vector<double> reducing;
    for (int repeat = 0; repeat < 501; ++repeat) {
        planning.push_back(
            timed([] { (void)equipoise::balancer::make_plan(MPI_COMM_WORLD, 1000); }));
        reducing.push_back(timed([] {
            const long long mine = 1000;
            long long all = 0;
            MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        }));
    }
    if (rank != 0) return;
    std::printf("%d;balanced;planning;%.9f;0;0;0;0\n", ranks, median(planning));
    std::printf("%d;balanced;Allreduce;%.9f;0;0;0;0\n", ranks, median(reducing));
}

std::uint64_t number_of(std::string_view text, std::uint64_t otherwise) {
    std::uint64_t number = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    // Large blocks of memory come straight from the system and go back to it. Otherwise the heap as
    // one method leaves it would speed up or slow down the next by up to a half.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::uint64_t items = number_of(argc > 1 ? argv[1] : "", 1'000'000);
    const int repeats = static_cast<int>(number_of(argc > 2 ? argv[2] : "", 11));
    {
        std::vector<Method> methods = hand_written(MPI_COMM_WORLD);
        const std::vector<Method> ours = equipoise_policies(MPI_COMM_WORLD);
        const std::vector<Method> p4est = p4est_methods(MPI_COMM_WORLD);
        const std::vector<Method> zoltan = zoltan_methods(MPI_COMM_WORLD);
        for (const auto* some : {&ours, &p4est, &zoltan})
            methods.insert(methods.end(), some->begin(), some->end());
        if (argc > 3)
            std::erase_if(methods, [&](const Method& method) {
                return std::find(argv + 3, argv + argc, method.name) == argv + argc;
            });
        if (rank == 0 && p4est.empty()) std::printf("skipped: p4est, which libp4est-dev brings\n");
        if (rank == 0 && zoltan.empty())
            std::printf("skipped: Zoltan, which libtrilinos-zoltan-dev brings\n");
        for (const Distribution& distribution :
             distributions(items, static_cast<std::size_t>(ranks)))
            compare(distribution, methods, repeats, static_cast<std::size_t>(rank));
        compare_planning(ranks, static_cast<std::size_t>(rank));
    }
    MPI_Finalize();
}
