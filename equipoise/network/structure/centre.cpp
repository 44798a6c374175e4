#include "equipoise/network/structure/centre.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricity_search.hpp"

namespace equipoise::network {

std::vector<NodeId> centroid(const Network& tree) {
    if (!is_tree(tree)) throw UnsuitableError("a centroid needs a tree");
    const NodeId nodes = tree.node_count();
    BreadthFirst search;
    search.run(tree, 0);
    // From the leaves upwards: nodes below each node, and the largest part that it separates.
    std::vector<NodeId> below(nodes, 1);
    std::vector<NodeId> largest_part(nodes, 0);
    for (auto node = search.order().rbegin(); node != search.order().rend(); ++node) {
        largest_part[*node] = std::max(largest_part[*node], nodes - below[*node]);
        if (*node == 0) continue;
        const NodeId parent = nearer_neighbour(tree, search.distances(), *node);
        below[parent] += below[*node];
        largest_part[parent] = std::max(largest_part[parent], below[*node]);
    }
    std::vector<NodeId> middle;
    for (NodeId node = 0; node < nodes; ++node)
        if (largest_part[node] <= nodes / 2) middle.push_back(node);
    return middle;
}

namespace {

/// Along every axis the middle of a line or any node of a ring; if a side is even, the two
/// middle nodes, or any two neighbours on the ring, have no farthest node in common.
AbsoluteCentre centre_of_grid(const Grid& grid) {
    AbsoluteCentre centre;
    centre.node = 0;
    bool even = false;
    for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
        const NodeId side = grid.sides()[axis];
        centre.node += (side - 1) / 2 * grid.stride(axis);
        centre.diameter += side / 2 * 2;
    }
    for (std::size_t axis = 0; axis < grid.dimension() && !even; ++axis) {
        if (grid.sides()[axis] % 2 != 0) continue;
        even = true;
        centre.across = centre.node + grid.stride(axis);
        --centre.diameter;
    }
    return centre;
}

// Problem: the point of a graph with links of length 1 whose farthest node is nearest.
// Source: Hakimi 1964, specialised. Let r be the least eccentricity. The middle of link u-v reaches
// everything within r - 1/2 exactly when u and v have eccentricity r and no node is at distance r
// from both; no point does better. So only links between nodes of eccentricity r are compared.
class CentreSearch {
  public:
    explicit CentreSearch(const Network& network) : network_(network), search_(network) {}

    AbsoluteCentre run() {
        do {
            search_.step(
                [&](NodeId node) { return search_.lower()[node] <= search_.radius_upper(); });
        } while (!search_.done());
        radius_ = search_.radius_upper();
        AbsoluteCentre centre;
        centre.diameter = 2 * radius_;
        farthest_.resize(network_.node_count());
        for (NodeId node = 0; node < network_.node_count(); ++node) {
            if (!central(node)) continue;
            if (centre.node == no_node) centre.node = node;
            for (const NodeId other : network_.neighbours(node)) {
                if (other < node || !central(other)) continue;
                if (share_a_farthest_node(node, other)) continue;
                return {node, other, 2 * radius_ - 1};
            }
            // Each pair is compared once: nodes look at larger ones only.
            farthest_[node] = {};
        }
        return centre;
    }

  private:
    [[nodiscard]] bool central(NodeId node) { return search_.upper()[node] == radius_; }

    const std::vector<NodeId>& farthest_from(NodeId node) {
        std::vector<NodeId>& list = farthest_[node];
        if (list.empty()) {
            breadth_first_.run(network_, node);
            for (NodeId other = 0; other < network_.node_count(); ++other)
                if (breadth_first_.distances()[other] == radius_) list.push_back(other);
        }
        return list;
    }

    bool share_a_farthest_node(NodeId a, NodeId b) {
        const std::vector<NodeId>& of_a = farthest_from(a);
        const std::vector<NodeId>& of_b = farthest_from(b);
        auto i = of_a.begin();
        auto j = of_b.begin();
        while (i != of_a.end() && j != of_b.end()) {
            if (*i == *j) return true;
            *i < *j ? ++i : ++j;
        }
        return false;
    }

    const Network& network_;
    EccentricitySearch<Network> search_;
    BreadthFirst breadth_first_;
    std::vector<std::vector<NodeId>> farthest_;
    std::uint32_t radius_ = 0;
};

}  // namespace

AbsoluteCentre absolute_centre(const AnyNetwork& network) {
    if (network.node_count() == 0) throw UnsuitableError("a centre needs at least one node");
    if (network.grid() != nullptr) return centre_of_grid(*network.grid());
    return CentreSearch(*network.stored()).run();
}

}  // namespace equipoise::network
