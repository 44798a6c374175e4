#include "equipoise/network/generators/trees.hpp"

#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/network/generators/checked_nodes.hpp"

namespace equipoise::network {

Network make_complete_tree(NodeId children, NodeId height) {
    std::uint64_t nodes = 1;
    std::uint64_t level = 1;
    for (NodeId i = 0; i < height && children > 0; ++i) {
        level *= children;
        nodes = checked_nodes(nodes + level);
    }
    std::vector<Ends> links;
    links.reserve(nodes);
    for (NodeId node = 1; node < nodes; ++node)
        links.push_back({(node - 1) / children, node});
    return {static_cast<NodeId>(nodes), std::move(links)};
}

Network make_random_tree(NodeId nodes, std::uint64_t seed) {
    if (nodes < 3) {
        std::vector<Ends> links;
        if (nodes == 2) links.push_back({0, 1});
        return {nodes, std::move(links)};
    }
    RandomStream random(seed, Purpose::network);
    std::vector<NodeId> code(nodes - 2);
    std::vector<NodeId> degree(nodes, 1);
    for (NodeId& node : code) {
        node = static_cast<NodeId>(random.below(nodes));
        ++degree[node];
    }
    // Decoding: the smallest leaf is linked to the next node of the code, which may become a leaf
    // itself. `lowest` passes every node once, because a new leaf below it is taken at once.
    std::vector<Ends> links;
    links.reserve(nodes);
    NodeId lowest = 0;
    while (degree[lowest] != 1)
        ++lowest;
    NodeId leaf = lowest;
    for (const NodeId node : code) {
        links.push_back({leaf, node});
        if (--degree[node] == 1 && node < lowest) {
            leaf = node;
        } else {
            ++lowest;
            while (degree[lowest] != 1)
                ++lowest;
            leaf = lowest;
        }
    }
    links.push_back({leaf, nodes - 1});
    return {nodes, std::move(links)};
}

Network make_caterpillar(NodeId spine, NodeId legs) {
    const NodeId nodes = checked_nodes(std::uint64_t{spine} * (std::uint64_t{legs} + 1));
    std::vector<Ends> links;
    links.reserve(nodes);
    for (NodeId node = 0; node < spine; ++node) {
        if (node + 1 < spine) links.push_back({node, node + 1});
        for (NodeId leg = 0; leg < legs; ++leg)
            links.push_back({node, spine + node * legs + leg});
    }
    return {nodes, std::move(links)};
}

Network make_broom(NodeId handle, NodeId bristles) {
    const NodeId nodes = checked_nodes(std::uint64_t{handle} + bristles);
    std::vector<Ends> links;
    links.reserve(nodes);
    for (NodeId node = 1; node < handle; ++node)
        links.push_back({node - 1, node});
    for (NodeId node = handle; node < nodes; ++node)
        links.push_back({handle - 1, node});
    return {nodes, std::move(links)};
}

Network make_spider(std::span<const std::uint64_t> legs) {
    std::vector<Ends> links;
    NodeId next = 1;
    for (const std::uint64_t leg : legs) {
        const NodeId end = checked_nodes(next + leg);
        for (NodeId before = 0; next < end; before = next++)
            links.push_back({before, next});
    }
    return {next, std::move(links)};
}

Network make_binomial_tree(unsigned order) {
    const NodeId nodes = checked_nodes(order < 64 ? std::uint64_t{1} << order : no_node);
    std::vector<Ends> links;
    links.reserve(nodes);
    for (NodeId node = 1; node < nodes; ++node)
        links.push_back({node & (node - 1), node});
    return {nodes, std::move(links)};
}

}  // namespace equipoise::network
