// Planning at many ranks, by simulation: SimGrid's smpirun runs this program with as many ranks as
// it is told, in simulated time. benchmarks/smpi/scale.py builds it, runs it and prints the
// results.
//
// usage (under smpirun): plan_at_scale POLICY

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/topology.hpp"

// The simulated MPI has no graph topologies, so the policy that follows them is left out.
const std::vector<equipoise::Ends>& equipoise::mpi::gather_links(
    const Communicator& /*communicator*/) {
    throw InputError("expected a policy other than neighbours_only in a simulation");
}
void equipoise::mpi::expect_topology(const Communicator& communicator) {
    static_cast<void>(gather_links(communicator));
}

namespace {

using namespace equipoise;

/// The items of a rank: a tenth of the ranks hold most of them, and no two neighbours hold the
/// same.
Tokens items_of(int rank) {
    const auto mixed = static_cast<std::uint64_t>(rank) * 0x9E3779B97F4A7C15U;
    const auto small = static_cast<Tokens>((mixed >> 40U) % 1000);
    return rank % 10 == 3 ? 1000 * small : small;
}

/// Ranks of 32 a machine and 16 a socket, given as options so that MPI is not asked.
balancer::Options options_of(const char* policy, int rank) {
    balancer::Options options;
    if (std::strcmp(policy, "keep_order") == 0) options.policy = balancer::Policy::keep_order;
    if (std::strcmp(policy, "hierarchical") == 0) {
        options.policy = balancer::Policy::hierarchical;
        options.machine = rank / 32;
        options.socket = rank / 16;
    }
    return options;
}

std::size_t distinct(std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    return static_cast<std::size_t>(std::unique(ranks.begin(), ranks.end()) - ranks.begin());
}

void print(const balancer::Plan& plan, const char* policy, int ranks, double begin, double end) {
    std::vector<int> givers;
    std::vector<int> takers;
    for (const balancer::Transfer& transfer : plan.transfers()) {
        givers.push_back(transfer.from);
        takers.push_back(transfer.to);
    }
    std::printf(
        "{\"policy\": \"%s\", \"ranks\": %d, \"begin\": %.9f, \"end\": %.9f, \"moved\": %lld, "
        "\"minimum\": %lld, \"item_messages\": %zu, \"givers\": %zu, \"takers\": %zu}\n",
        policy, ranks, begin, end, static_cast<long long>(plan.moved()),
        static_cast<long long>(plan.report().minimum.value_or(-1)), plan.transfers().size(),
        distinct(givers), distinct(takers));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char* policy = argc > 1 ? argv[1] : "minimum_moves";
    const balancer::Options options = options_of(policy, rank);
    const Tokens mine = items_of(rank);

    // The first plan on a communicator also makes the library's private duplicate.
    static_cast<void>(balancer::make_plan(MPI_COMM_WORLD, mine, options));
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(1'000'000);  // simulated: what follows stands alone in the trace
    const double begin = MPI_Wtime();
    const balancer::Plan plan = balancer::make_plan(MPI_COMM_WORLD, mine, options);
    const double end = MPI_Wtime();
    usleep(1'000'000);
    double last = 0;
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) print(plan, policy, ranks, begin, last);
    MPI_Finalize();
    return 0;
}
