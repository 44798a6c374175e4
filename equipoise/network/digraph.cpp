#include "equipoise/network/digraph.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

Digraph::Digraph(NodeId node_count, std::vector<Ends> arcs) : first_(std::size_t{node_count} + 1) {
    std::sort(arcs.begin(), arcs.end());
    for (const Ends& arc : arcs) {
        if (arc.tail >= node_count || arc.head >= node_count)
            throw InputError("expected ends below " + std::to_string(node_count) +
                             ", found an arc from " + std::to_string(arc.tail) + " to " +
                             std::to_string(arc.head));
        if (arc.tail == arc.head)
            throw InputError("expected arcs between two nodes, found one from " +
                             std::to_string(arc.tail) + " to itself");
        ++first_[std::size_t{arc.tail} + 1];
        heads_.push_back(arc.head);
    }
    const auto twice = std::adjacent_find(arcs.begin(), arcs.end());
    if (twice != arcs.end())
        throw InputError("expected each arc once, found twice that from " +
                         std::to_string(twice->tail) + " to " + std::to_string(twice->head));
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

NodeId directed_diameter(const Digraph& digraph) {
    const NodeId nodes = digraph.node_count();
    NodeId most = 0;
    for (NodeId from = 0; from < nodes; ++from) {
        std::vector<NodeId> distance(nodes, nodes);  // `nodes`: not reached
        std::vector<NodeId> reached{from};
        distance[from] = 0;
        for (std::size_t next = 0; next < reached.size(); ++next)
            for (const NodeId head : digraph.heads(reached[next]))
                if (distance[head] == nodes) {
                    distance[head] = distance[reached[next]] + 1;
                    reached.push_back(head);
                }
        most = std::max(most, *std::max_element(distance.begin(), distance.end()));
    }
    return most;
}

bool is_strongly_connected(const Digraph& digraph) {
    return digraph.node_count() <= 1 || directed_diameter(digraph) < digraph.node_count();
}

Network symmetric_closure(const Digraph& digraph) {
    std::vector<Ends> links;
    for (NodeId tail = 0; tail < digraph.node_count(); ++tail)
        for (const NodeId head : digraph.heads(tail)) {
            const auto back = digraph.heads(head);
            if (tail < head || !std::binary_search(back.begin(), back.end(), tail))
                links.push_back({std::min(tail, head), std::max(tail, head)});
        }
    return {digraph.node_count(), std::move(links)};
}

Digraph make_directed_cycle(NodeId node_count) {
    if (node_count < 2)
        throw InputError("expected a directed cycle of at least 2 nodes, found " +
                         std::to_string(node_count));
    std::vector<Ends> arcs;
    for (NodeId node = 0; node < node_count; ++node)
        arcs.push_back({node, (node + 1) % node_count});
    return {node_count, std::move(arcs)};
}

Digraph make_random_strongly_connected(NodeId node_count, std::uint64_t more_arcs,
                                       RandomStream& random) {
    if (node_count < 2)
        throw InputError("expected at least 2 nodes, found " + std::to_string(node_count));
    std::vector<NodeId> order(node_count);
    std::iota(order.begin(), order.end(), NodeId{0});
    for (std::size_t left = node_count; left > 1; --left)
        std::swap(order[left - 1], order[random.below(left)]);
    std::vector<Ends> arcs;
    for (NodeId place = 0; place < node_count; ++place)
        arcs.push_back({order[place], order[(place + 1) % node_count]});
    for (std::uint64_t arc = 0; arc < more_arcs; ++arc) {
        const auto tail = static_cast<NodeId>(random.below(node_count));
        const auto head = static_cast<NodeId>(random.below(node_count));
        if (tail != head) arcs.push_back({tail, head});
    }
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    return {node_count, std::move(arcs)};
}

}  // namespace equipoise::network
