#pragma once
// Token distribution problems with a name: those of the literature and random ones.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

struct DistributionInstance {
    std::string name;
    network::Network network;
    load::Loads loads;
    Step bound = 0;            ///< Theorem 1
    Step steps = 0;            ///< fewest that end at most at the ceiling of the mean
    Step steps_one_above = 0;  ///< fewest that end at most one above it
    Step steps_two_sided = 0;  ///< fewest that end at floor or ceiling
};

/// The stored network of a spec.
[[nodiscard]] inline network::Network stored_network(const std::string& spec,
                                                     std::uint64_t seed = 0) {
    const network::AnyNetwork any = network::generate(spec, seed);
    return {any.node_count(), network::all_links(any)};
}

/// All tokens at node 0.
[[nodiscard]] inline load::Loads corner_loads(NodeId nodes, Tokens tokens) {
    load::Loads loads(nodes, 0);
    loads[0] = tokens;
    return loads;
}

/// Figure 2 of Meyer auf der Heide, Oesterdiekhoff, Wanka 1996 with side s: a mesh of s x s nodes
/// whose corner is joined to one of s^2 nodes that are all linked to each other; all 2 s^2 tokens
/// are on the opposite corner (s^2 + 1) and one of its neighbours (s^2 - 1).
[[nodiscard]] inline std::pair<network::Network, load::Loads> figure_2(NodeId side) {
    const NodeId square = side * side;
    std::vector<Ends> links;
    for (NodeId row = 0; row < side; ++row)
        for (NodeId column = 0; column < side; ++column) {
            const NodeId node = row * side + column;
            if (column + 1 < side) links.push_back({node, node + 1});
            if (row + 1 < side) links.push_back({node, node + side});
        }
    for (NodeId a = square; a < 2 * square; ++a)
        for (NodeId b = a + 1; b < 2 * square; ++b)
            links.push_back({a, b});
    links.push_back({square - 1, square});
    load::Loads loads(std::size_t{2} * square, 0);
    loads[0] = Tokens{square} + 1;
    loads[1] = Tokens{square} - 1;
    return {network::Network(2 * square, std::move(links)), std::move(loads)};
}

/// A complete network of `nodes` nodes with a path of as many nodes attached to its last one.
[[nodiscard]] inline network::Network complete_with_path(NodeId nodes) {
    std::vector<Ends> links;
    for (NodeId a = 0; a < nodes; ++a)
        for (NodeId b = a + 1; b < nodes; ++b)
            links.push_back({a, b});
    for (NodeId node = nodes; node < 2 * nodes; ++node)
        links.push_back({node - 1, node});
    return {2 * nodes, std::move(links)};
}

/// Instances whose fewest steps are known.
[[nodiscard]] inline std::vector<DistributionInstance> known_distributions() {
    load::Loads full_and_empty(16, 0);
    std::fill_n(full_and_empty.begin(), 8, 2);
    auto [network_3, loads_3] = figure_2(3);
    auto [network_4, loads_4] = figure_2(4);
    return {
        {"path of 8", stored_network("path:n=8"), corner_loads(8, 8), 7, 7, 6, 7},
        {"star of 8", stored_network("star:leaves=7"), corner_loads(8, 16), 14, 14, 13, 14},
        {"path of 3", stored_network("path:n=3"), {4, 3, 5}, 1, 1, 0, 1},
        {"K8 with a path of 8", complete_with_path(8), full_and_empty, 8, 8, 0, 8},
        {"figure 2, side 3", std::move(network_3), std::move(loads_3), 10, 12, 8, 12},
        {"figure 2, side 4", std::move(network_4), std::move(loads_4), 17, 21, 15, 21},
        {"spider",
         network::Network(6, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 5}}),
         {0, 0, 0, 0, 3, 3},
         2,
         3,
         1,
         3},
        {"mesh 8x8", stored_network("mesh:8x8"), corner_loads(64, 256), 252, 252, 251, 252},
        {"mesh 3x3x3", stored_network("mesh:3x3x3"), corner_loads(27, 54), 52, 52, 51, 52},
        {"hypercube of 16", stored_network("hypercube:d=4"), corner_loads(16, 32), 30, 30, 29, 30},
    };
}

/// Random connected networks of 2 to `nodes_max` nodes, some sparse and some dense, with loads of
/// all kinds: few or many tokens, spread out or piled up.
[[nodiscard]] inline std::pair<network::Network, load::Loads> random_distribution(
    NodeId nodes_max, RandomStream& random) {
    const auto nodes = static_cast<NodeId>(2 + random.below(nodes_max - 1));
    const NodeId reach = 1 + static_cast<NodeId>(random.below(nodes));
    std::vector<Ends> links;
    for (NodeId node = 1; node < nodes; ++node)
        links.push_back(
            {static_cast<NodeId>(node - 1 - random.below(std::min(node, reach))), node});
    for (std::uint64_t more = random.below(nodes + std::uint64_t{1}); more > 0; --more) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        if (a != b) links.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    load::Loads loads(nodes, 0);
    const std::uint64_t heaps = 1 + random.below(nodes);
    for (std::uint64_t tokens = random.below(4 * std::uint64_t{nodes}); tokens > 0; --tokens)
        ++loads[random.below(heaps)];
    return {network::Network(nodes, std::move(links)), std::move(loads)};
}

}  // namespace equipoise::test
