#include "equipoise/report/pictures/tree_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace equipoise::report {

namespace {

using network::Network;
using network::Position;

constexpr std::size_t layered_leaves_max = 64;

/// The node (the smaller of two) that remains when leaves are peeled off layer by layer. Requires a
/// connected network with one link fewer than nodes; `no_node` if peeling gets stuck in a cycle.
NodeId centre_of_tree(const Network& network) {
    const NodeId count = network.node_count();
    std::vector<Port> degree(count);
    std::vector<NodeId> layer;
    for (NodeId node = 0; node < count; ++node) {
        degree[node] = network.degree(node);
        if (degree[node] <= 1) layer.push_back(node);
    }
    NodeId left = count;
    while (left > 2 && !layer.empty()) {
        std::vector<NodeId> next;
        left -= static_cast<NodeId>(layer.size());
        for (const NodeId leaf : layer) {
            for (const NodeId other : network.neighbours(leaf)) {
                if (degree[other] > 1 && --degree[other] == 1) next.push_back(other);
            }
        }
        layer = std::move(next);
    }
    return layer.empty() ? no_node : *std::min_element(layer.begin(), layer.end());
}

struct Rooted {
    std::vector<NodeId> order;  ///< parents before children, subtrees contiguous
    std::vector<NodeId> parent;
    std::vector<std::uint32_t> depth;
    std::vector<double> across;  ///< in units of leaves
    std::uint32_t depth_max = 0;
    std::size_t leaves = 0;
};

/// Places leaves side by side in the order of a walk, and parents above the middle of their
/// children.
Rooted hang_up(const Network& network, NodeId root) {
    const NodeId count = network.node_count();
    Rooted tree;
    tree.parent.assign(count, no_node);
    tree.depth.assign(count, 0);
    tree.across.assign(count, 0);
    std::vector<NodeId> stack = {root};
    std::vector<bool> seen(count, false);
    seen[root] = true;
    while (!stack.empty()) {
        const NodeId node = stack.back();
        stack.pop_back();
        tree.order.push_back(node);
        tree.depth_max = std::max(tree.depth_max, tree.depth[node]);
        bool leaf = true;
        const auto row = network.neighbours(node);
        for (auto other = row.rbegin(); other != row.rend(); ++other) {
            if (seen[*other]) continue;
            seen[*other] = true;
            leaf = false;
            tree.parent[*other] = node;
            tree.depth[*other] = tree.depth[node] + 1;
            stack.push_back(*other);
        }
        if (leaf) tree.across[node] = static_cast<double>(tree.leaves++);
    }
    std::vector<double> first(count, std::numeric_limits<double>::infinity());
    std::vector<double> last(count, -1);
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        if (last[*node] >= 0) tree.across[*node] = (first[*node] + last[*node]) / 2;
        const NodeId parent = tree.parent[*node];
        if (parent == no_node) continue;
        first[parent] = std::min(first[parent], tree.across[*node]);
        last[parent] = std::max(last[parent], tree.across[*node]);
    }
    return tree;
}

}  // namespace

std::vector<Position> tree_layout(const Network& network) {
    const NodeId count = network.node_count();
    if (count < 2 || network.link_count() + 1 != count) return {};
    const NodeId root = centre_of_tree(network);
    if (root == no_node) return {};
    const Rooted tree = hang_up(network, root);
    if (tree.order.size() != count) return {};
    if (tree.depth_max > 3 * static_cast<std::uint32_t>(std::bit_width(count))) return {};

    std::vector<Position> positions(count);
    const auto leaves = static_cast<double>(tree.leaves);
    const double depth_max = tree.depth_max;
    const bool rings = tree.leaves > layered_leaves_max || (tree.depth_max == 1 && count > 3);
    const double layer_height = std::max(1.0, leaves / (1.8 * depth_max));
    for (NodeId node = 0; node < count; ++node) {
        const double depth = tree.depth[node];
        if (rings) {
            const double angle = 2 * std::numbers::pi * tree.across[node] / leaves;
            positions[node] = {depth * std::sin(angle), -depth * std::cos(angle)};
        } else {
            positions[node] = {tree.across[node], depth * layer_height};
        }
    }
    return positions;
}

}  // namespace equipoise::report
