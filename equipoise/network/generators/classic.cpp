#include "equipoise/network/generators/classic.hpp"

#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

Network make_path(NodeId nodes) {
    std::vector<Ends> links;
    links.reserve(nodes);
    for (NodeId node = 1; node < nodes; ++node)
        links.push_back({node - 1, node});
    return {nodes, std::move(links)};
}

Network make_cycle(NodeId nodes) {
    if (nodes < 3) throw InputError("a cycle needs at least 3 nodes");
    std::vector<Ends> links;
    links.reserve(nodes);
    links.push_back({0, 1});
    links.push_back({0, nodes - 1});
    for (NodeId node = 2; node < nodes; ++node)
        links.push_back({node - 1, node});
    return {nodes, std::move(links)};
}

Network make_star(NodeId leaves) {
    std::vector<Ends> links;
    links.reserve(leaves);
    for (NodeId leaf = 1; leaf <= leaves; ++leaf)
        links.push_back({0, leaf});
    return {leaves + 1, std::move(links)};
}

Network make_complete(NodeId nodes) {
    std::vector<Ends> links;
    links.reserve(std::size_t{nodes} * (nodes - 1) / 2);
    for (NodeId tail = 0; tail < nodes; ++tail)
        for (NodeId head = tail + 1; head < nodes; ++head)
            links.push_back({tail, head});
    return {nodes, std::move(links)};
}

}  // namespace equipoise::network
