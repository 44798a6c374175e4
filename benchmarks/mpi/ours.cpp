#include <algorithm>

#include "benchmarks/mpi/methods.hpp"
#include <equipoise/balancer/balancer.hpp>

namespace rebalance_benchmark {

int ranks_a_machine(MPI_Comm communicator) {
    int ranks = 0;
    MPI_Comm_size(communicator, &ranks);
    return std::max(2, ranks / 4);
}

std::vector<Method> equipoise_policies(MPI_Comm communicator) {
    using equipoise::balancer::Policy;
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    std::vector<Method> methods;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order, Policy::random_pairs})
        methods.push_back({std::string(to_string(policy)), [=](Items& items) {
                               equipoise::balancer::rebalance(communicator, items,
                                                              {.policy = policy});
                           }});
    const int machine = rank / ranks_a_machine(communicator);
    methods.push_back({std::string(to_string(Policy::hierarchical)), [=](Items& items) {
                           equipoise::balancer::rebalance(
                               communicator, items,
                               {.policy = Policy::hierarchical, .machine = machine});
                       }});
    return methods;
}

}  // namespace rebalance_benchmark
