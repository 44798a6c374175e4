#include "equipoise/engine/simulation/node_order.hpp"

namespace equipoise::engine {

// Follows a path of nodes from a root, each with the port that it tries next.
NodeOrder NodeOrder::depth_first(const network::Network& network) {
    struct Visit {
        NodeId node = no_node;
        Port next = 0;
    };
    const NodeId nodes = network.node_count();
    NodeOrder order;
    order.places_.assign(nodes, no_node);
    order.names_.reserve(nodes);
    std::vector<Visit> path;
    const auto enter = [&](NodeId node) {
        order.places_[node] = static_cast<NodeId>(order.names_.size());
        order.names_.push_back(node);
        path.push_back({node, 0});
    };
    for (NodeId root = 0; root < nodes; ++root) {
        if (order.places_[root] != no_node) continue;
        enter(root);
        while (!path.empty()) {
            Visit& here = path.back();
            if (here.next == network.degree(here.node)) {
                path.pop_back();
                continue;
            }
            const NodeId there = network.neighbour(here.node, here.next++);
            if (order.places_[there] == no_node) enter(there);
        }
    }
    return order;
}

}  // namespace equipoise::engine
