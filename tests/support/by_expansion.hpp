#pragma once
// Distribution problems, and whether steps are enough by the network of all layers.

#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/flow_network.hpp"
#include "equipoise/optimum/layered_network.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::test {

/// Floor or ceiling of the mean everywhere.
inline optimum::Problem levelling(const network::Network& network, const load::Loads& loads,
                                  bool all_ports) {
    return {&network, loads, optimum::floor_or_ceiling(loads), {}, {}, {}, all_ports};
}

/// Whether a flow of all tokens through as many layers exists.
inline bool enough_by_expansion(const optimum::Problem& problem, Step steps) {
    const optimum::LayeredNetwork network(problem, std::vector<Step>(steps, 1));
    return optimum::maximum_flow(network.flow_network()).value == load::total(problem.loads);
}

}  // namespace equipoise::test
