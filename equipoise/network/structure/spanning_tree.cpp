#include "equipoise/network/structure/spanning_tree.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/network/structure/centre.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::network {

namespace {

template <AnyGraph N>
Network tree_from(const N& network, NodeId root) {
    BreadthFirst search;
    search.run(network, root);
    if (search.order().size() != network.node_count())
        throw UnsuitableError("a spanning tree needs a connected network");
    std::vector<Ends> links;
    links.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (node != root)
            links.push_back({nearer_neighbour(network, search.distances(), node), node});
    return {network.node_count(), std::move(links)};
}

/// A node of low eccentricity. Goes, twice, from a node to the farthest one, from there to the
/// farthest one, and back to the middle of that path; takes the better of the two middles.
template <AnyGraph N>
NodeId central_node(const N& network) {
    BreadthFirst search;
    NodeId best = 0;
    std::uint32_t best_eccentricity = unreachable;
    for (NodeId start = 0, round = 0; round < 2; ++round) {
        search.run(network, start);
        search.run(network, search.farthest());
        NodeId middle = search.farthest();
        for (std::uint32_t step = search.eccentricity() / 2; step > 0; --step)
            middle = nearer_neighbour(network, search.distances(), middle);
        search.run(network, middle);
        if (search.eccentricity() < best_eccentricity) {
            best_eccentricity = search.eccentricity();
            best = middle;
        }
        start = middle;
    }
    return best;
}

}  // namespace

Network breadth_first_tree(const AnyNetwork& network, NodeId root) {
    if (network.node_count() == 0) return {};
    return network.visit([&](const auto& graph) { return tree_from(graph, root); });
}

Network default_spanning_tree(const AnyNetwork& network) {
    if (network.node_count() == 0) return {};
    if (network.stored() != nullptr && is_tree(network)) return *network.stored();
    return network.visit([](const auto& graph) { return tree_from(graph, central_node(graph)); });
}

Network minimum_diameter_tree(const AnyNetwork& network) {
    if (network.node_count() == 0) return {};
    const AbsoluteCentre centre = absolute_centre(network);
    if (centre.across == no_node) return breadth_first_tree(network, centre.node);
    std::vector<std::uint32_t> distances = distances_from(network, centre.node);
    const std::vector<std::uint32_t> others = distances_from(network, centre.across);
    std::transform(distances.begin(), distances.end(), others.begin(), distances.begin(),
                   [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
    std::vector<Ends> links = {{centre.node, centre.across}};
    links.reserve(network.node_count());
    network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node)
            if (distances[node] > 0)
                links.push_back({nearer_neighbour(graph, distances, node), node});
    });
    return {network.node_count(), std::move(links)};
}

}  // namespace equipoise::network
