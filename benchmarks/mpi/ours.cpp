#include "benchmarks/mpi/methods.hpp"
#include <equipoise/balancer/balancer.hpp>

namespace rebalance_benchmark {

std::vector<Method> equipoise_policies(MPI_Comm communicator) {
    using equipoise::balancer::Policy;
    std::vector<Method> methods;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order})
        methods.push_back({std::string(to_string(policy)), [=](Items& items) {
                               equipoise::balancer::rebalance(communicator, items,
                                                              {.policy = policy});
                           }});
    return methods;
}

}  // namespace rebalance_benchmark
