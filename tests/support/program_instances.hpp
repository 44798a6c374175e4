#pragma once
// Instances on which tests play node programs.

#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::test {

/// A network and the loads of all its nodes.
struct Instance {
    network::Network network;
    load::Loads loads;
};

/// Trees with fewer, as many and more nodes than there are ranks.
inline std::vector<Instance> program_trees(int ranks) {
    std::vector<Instance> all;
    RandomStream random(17, Purpose::sampling);
    for (const NodeId nodes : {NodeId{1}, static_cast<NodeId>(ranks), NodeId{30}})
        for (const NodeId reach : {NodeId{1}, NodeId{30}}) {
            Instance instance{random_tree(nodes, random, reach), load::Loads(nodes, 0)};
            for (Tokens& load : instance.loads)
                load = static_cast<Tokens>(random.below(9));
            instance.loads[random.below(nodes)] += 40;
            all.push_back(std::move(instance));
        }
    return all;
}

inline std::vector<Instance> program_networks() {
    std::vector<Instance> all;
    for (const std::string spec : {"path:n=2", "torus:4x5", "complete:n=6"}) {
        network::Network network = stored_network(spec);
        load::Loads loads = corner_loads(network.node_count(), 50);
        loads[1] = 7;
        all.push_back({std::move(network), std::move(loads)});
    }
    return all;
}

}  // namespace equipoise::test
