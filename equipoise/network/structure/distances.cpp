#include "equipoise/network/structure/distances.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/network/structure/eccentricity_search.hpp"

namespace equipoise::network {

std::vector<std::uint32_t> distances_from(const AnyNetwork& network, NodeId source) {
    BreadthFirst search;
    network.visit([&](const auto& graph) { search.run(graph, source); });
    return std::move(search.distances());
}

bool is_connected(const AnyNetwork& network) {
    if (network.grid() != nullptr || network.node_count() == 0) return true;
    if (network.link_count() + 1 < network.node_count()) return false;
    BreadthFirst search;
    search.run(*network.stored(), 0);
    return search.order().size() == network.node_count();
}

bool is_tree(const AnyNetwork& network) {
    return network.node_count() > 0 && network.link_count() + 1 == network.node_count() &&
           is_connected(network);
}

DiameterBounds diameter(const AnyNetwork& network, std::uint64_t searches_max,
                        std::uint64_t visits_max) {
    if (network.node_count() == 0) return {};
    if (const Grid* const grid = network.grid(); grid != nullptr) {
        std::uint32_t sum = 0;
        for (std::size_t axis = 0; axis < grid->dimension(); ++axis)
            sum += grid->closed(axis) ? grid->sides()[axis] / 2 : grid->sides()[axis] - 1;
        return {sum, sum};
    }
    const Network& graph = *network.stored();
    if (is_tree(network)) {
        BreadthFirst search;
        search.run(graph, 0);
        search.run(graph, search.farthest());
        return {search.eccentricity(), search.eccentricity()};
    }
    EccentricitySearch<Network> search(graph);
    constexpr std::uint64_t searches_min = 4;
    const std::uint64_t visits = std::uint64_t{graph.node_count()} + 2 * graph.link_count();
    searches_max = std::min(searches_max, std::max(searches_min, visits_max / visits));
    // A node whose eccentricity cannot exceed the lower bound no longer matters.
    do {
        search.step([&](NodeId node) { return search.upper()[node] > search.diameter_lower(); });
    } while (!search.done() && search.searches() < searches_max);
    DiameterBounds bounds{search.diameter_lower(), search.diameter_lower()};
    for (const NodeId node : search.open())
        bounds.upper = std::max(bounds.upper, search.upper()[node]);
    return bounds;
}

}  // namespace equipoise::network
