// Few items between machines, even if a few more move within them: links between machines are slow.
// Build: the target example_hierarchical, or as examples/README.md says; run it on 6 ranks.
// Look at how many items leave their machine under both policies.

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

namespace balancer = equipoise::balancer;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Two ranks on each machine. MPI knows that by itself; here all of them may be on one.
    const auto machine_of = [](int of) { return of / 2; };
    constexpr std::array<std::size_t, 6> counts = {160, 100, 160, 40, 100, 40};
    for (const auto policy : {balancer::Policy::minimum_moves, balancer::Policy::hierarchical}) {
        std::vector<int> items(counts[static_cast<std::size_t>(rank) % counts.size()]);
        balancer::Options options;
        options.policy = policy;
        if (policy == balancer::Policy::hierarchical) options.machine = machine_of(rank);
        const balancer::Plan plan = balancer::make_plan(MPI_COMM_WORLD, std::ssize(items), options);
        long long between = 0;
        for (const balancer::Transfer& transfer : plan.transfers())
            if (machine_of(transfer.from) != machine_of(transfer.to)) between += transfer.items;
        plan.execute(items);
        if (rank == 0)
            std::printf("%s: %lld items move, %lld of them between machines\n",
                        std::string(to_string(policy)).c_str(),
                        static_cast<long long>(plan.moved()), between);
    }
    MPI_Finalize();
}
