#include "equipoise/network/structure/ring.hpp"

namespace equipoise::network {

std::vector<NodeId> ring_order(const AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    if (nodes < 3 || network.link_count() != nodes || network.degree_min() != 2 ||
        network.degree_max() != 2)
        return {};
    std::vector<NodeId> order;
    order.reserve(nodes);
    network.visit([&](const auto& graph) {
        NodeId before = 0;
        NodeId here = graph.neighbour(0, 0);
        order.push_back(before);
        while (here != 0) {
            order.push_back(here);
            const NodeId next = graph.neighbour(here, graph.neighbour(here, 0) == before ? 1 : 0);
            before = here;
            here = next;
        }
    });
    // Several cycles: the first one comes back too early.
    if (order.size() != nodes) order.clear();
    return order;
}

}  // namespace equipoise::network
