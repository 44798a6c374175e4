#include "equipoise/report/pictures/clusters.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::report {

namespace {

using network::Network;

/// All nodes in the order of breadth-first searches, component by component.
std::vector<NodeId> search_order(const Network& network) {
    const NodeId nodes = network.node_count();
    std::vector<NodeId> order;
    order.reserve(nodes);
    std::vector<bool> seen(nodes, false);
    for (NodeId start = 0; start < nodes; ++start) {
        if (seen[start]) continue;
        seen[start] = true;
        std::size_t next = order.size();
        order.push_back(start);
        for (; next < order.size(); ++next) {
            for (const NodeId other : network.neighbours(order[next])) {
                if (seen[other]) continue;
                seen[other] = true;
                order.push_back(other);
            }
        }
    }
    return order;
}

/// Clusters take turns; each turn adds one node.
void grow(const Network& network, std::vector<std::vector<NodeId>> borders,
          std::vector<NodeId>& of) {
    std::vector<std::size_t> next(borders.size(), 0);
    std::vector<NodeId> growing(borders.size());
    for (NodeId cluster = 0; cluster < growing.size(); ++cluster)
        growing[cluster] = cluster;
    while (!growing.empty()) {
        std::erase_if(growing, [&](NodeId cluster) {
            std::vector<NodeId>& border = borders[cluster];
            while (next[cluster] < border.size()) {
                const NodeId node = border[next[cluster]++];
                if (of[node] != no_node && of[node] != cluster) continue;
                if (of[node] == cluster && next[cluster] != 1) continue;
                of[node] = cluster;
                for (const NodeId other : network.neighbours(node))
                    if (of[other] == no_node) border.push_back(other);
                return false;
            }
            return true;
        });
    }
}

std::vector<Ends> joined(const Network& network, const std::vector<NodeId>& of) {
    std::vector<std::uint64_t> pairs;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        for (const NodeId other : network.neighbours(node)) {
            if (of[node] >= of[other]) continue;
            pairs.push_back((std::uint64_t{of[node]} << 32U) | of[other]);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::pair<std::size_t, std::uint64_t>> counted;
    for (std::size_t begin = 0; begin < pairs.size();) {
        std::size_t end = begin;
        while (end < pairs.size() && pairs[end] == pairs[begin])
            ++end;
        counted.emplace_back(end - begin, pairs[begin]);
        begin = end;
    }
    std::stable_sort(counted.begin(), counted.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Ends> links;
    links.reserve(counted.size());
    for (const auto& [number, pair] : counted)
        links.push_back(
            {static_cast<NodeId>(pair >> 32U), static_cast<NodeId>(pair & 0xffff'ffffU)});
    return links;
}

}  // namespace

Clusters cluster_network(const Network& network, NodeId count) {
    const NodeId nodes = network.node_count();
    EQUIPOISE_ASSERT(count >= 1 && count <= nodes);
    const std::vector<NodeId> order = search_order(network);
    Clusters clusters;
    clusters.of.assign(nodes, no_node);
    std::vector<std::vector<NodeId>> borders(count);
    for (NodeId cluster = 0; cluster < count; ++cluster) {
        const NodeId seed = order[std::size_t{cluster} * nodes / count];
        clusters.of[seed] = cluster;
        borders[cluster] = {seed};
    }
    grow(network, std::move(borders), clusters.of);
    NodeId before = clusters.of[order.front()];
    clusters.sizes.assign(count, 0);
    for (const NodeId node : order) {
        if (clusters.of[node] == no_node) clusters.of[node] = before;
        before = clusters.of[node];
        ++clusters.sizes[before];
    }
    clusters.links = joined(network, clusters.of);
    return clusters;
}

}  // namespace equipoise::report
