#pragma once
// What the benchmarks of perfect token distribution share.

#include <ctime>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::benchmark {

inline double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct TreeInstance {
    network::Network tree;
    load::Loads loads;
};

/// A tree in which every node is linked to a random lower one, with up to 20 tokens per node.
inline TreeInstance random_tree(NodeId nodes) {
    RandomStream random(1, Purpose::network);
    std::vector<Ends> links;
    for (NodeId v = 1; v < nodes; ++v)
        links.push_back({static_cast<NodeId>(random.below(v)), v});
    load::Loads loads(nodes);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(21));
    return {network::Network(nodes, std::move(links)), std::move(loads)};
}

}  // namespace equipoise::benchmark
