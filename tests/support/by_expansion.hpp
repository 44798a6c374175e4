#pragma once
// Distribution problems, and whether steps are enough by the network of all layers.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/layered_network.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::test {

/// Floor or ceiling of the mean everywhere.
inline optimum::Problem levelling(const network::Network& network, const load::Loads& loads,
                                  bool all_ports) {
    return {&network, loads, optimum::floor_or_ceiling(loads), {}, {}, {}, all_ports};
}

/// Calls `look` with every problem of levelling few tokens on a connected network of 2 to 5 nodes.
template <class Look>
void for_everything_small(bool all_ports, const Look& look) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& network : connected_graphs(nodes))
            for_all_loads(nodes, nodes <= 4 ? 8 : 6, [&](const load::Loads& loads) {
                look(levelling(network, loads, all_ports));
            });
}

/// Calls `look` with 1,000 random problems, both port models in turn: levelling, some up to a
/// few tokens, some with speeds or with several ports a node.
template <class Look>
void for_random_problems(RandomStream& random, const Look& look) {
    for (int i = 0; i < 1000; ++i) {
        const auto [network, loads] = random_distribution(24, random);
        optimum::Problem problem = levelling(network, loads, i % 2 == 1);
        if (i % 5 == 1)
            problem.target = optimum::exact_up_to(loads, static_cast<Tokens>(random.below(3)));
        if (i % 5 == 2) {
            std::vector<std::uint64_t> speeds;
            for (NodeId node = 0; node < network.node_count(); ++node)
                speeds.push_back(1 + random.below(4));
            problem.target = optimum::floor_or_ceiling(loads, speeds);
        }
        if (i % 10 == 4)
            for (NodeId node = 0; node < network.node_count(); ++node)
                problem.ports.push_back(static_cast<Tokens>(1 + random.below(3)));
        look(problem);
    }
}

/// Whether a flow of all tokens through as many layers exists.
inline bool enough_by_expansion(const optimum::Problem& problem, Step steps) {
    const optimum::LayeredNetwork network(problem, std::vector<Step>(steps, 1));
    return optimum::maximum_flow(network.flow_network()).value == load::total(problem.loads);
}

}  // namespace equipoise::test
