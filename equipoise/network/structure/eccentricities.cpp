#include "equipoise/network/structure/eccentricities.hpp"

#include <algorithm>
#include <type_traits>

#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricity_search.hpp"

namespace equipoise::network {

namespace {

EccentricityBounds eccentricities_of_grid(const Grid& grid) {
    EccentricityBounds bounds;
    bounds.lower.assign(grid.node_count(), 0);
    for (NodeId node = 0; node < grid.node_count(); ++node) {
        for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
            const NodeId side = grid.sides()[axis];
            const NodeId at = grid.coordinate(node, axis);
            bounds.lower[node] += grid.closed(axis) ? side / 2 : std::max(at, side - 1 - at);
        }
    }
    bounds.upper = bounds.lower;
    return bounds;
}

/// In a tree the farthest node of any node is an end of any longest path.
template <AnyGraph N>
EccentricityBounds of_tree(const N& tree) {
    BreadthFirst search;
    search.run(tree, 0);
    search.run(tree, search.farthest());
    EccentricityBounds bounds;
    bounds.lower = search.distances();
    search.run(tree, search.farthest());
    for (NodeId node = 0; node < tree.node_count(); ++node)
        bounds.lower[node] = std::max(bounds.lower[node], search.distances()[node]);
    bounds.upper = bounds.lower;
    bounds.searches = 3;
    return bounds;
}

}  // namespace

EccentricityBounds eccentricities(const AnyNetwork& network, std::uint64_t searches_max) {
    if (network.node_count() == 0) return {};
    if (network.grid() != nullptr) return eccentricities_of_grid(*network.grid());
    const Network& graph = *network.stored();
    if (is_tree(network)) return of_tree(graph);
    EccentricitySearch<Network> search(graph);
    // The first search also tells whether the network is connected.
    do {
        search.step([](NodeId) { return true; });
    } while (!search.done() && search.searches() < searches_max);
    return {std::move(search.lower()), std::move(search.upper()), search.searches()};
}

NodeId far_end(const AnyNetwork& network) {
    const std::vector<std::uint32_t> bounds = eccentricities(network).lower;
    return static_cast<NodeId>(std::max_element(bounds.begin(), bounds.end()) - bounds.begin());
}

}  // namespace equipoise::network
