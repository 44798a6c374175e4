#include <algorithm>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"

namespace equipoise::network {

namespace {

// A spanning tree of nearly least degree.
// Problem: a spanning tree whose largest degree k is as small as possible (NP-hard exactly).
// Source: Fuerer and Raghavachari 1994. Nodes of degree k or k-1 are bad; without them the tree
// falls into components. A link between two components closes a cycle through bad nodes. If one of
// them has degree k, exchange a tree link there for the new link; else all of them have degree k-1
// and could be relieved by that link, so they become good and the components merge. When no link
// joins two components, the bad nodes that remain prove that every spanning tree has degree >= k-1.
// An end of the new link that is itself of degree k-1 is first relieved by the link noted for it.
// Guarantee: largest degree at most one above the least possible.
template <AnyGraph N>
class DegreeReduction {
  public:
    DegreeReduction(const N& network, const Network& tree)
        : network_(network), tree_(tree.node_count()) {
        for (const Ends& ends : tree.links())
            join(ends);
    }

    /// Lowers the degree of one node of the largest degree; false when the proof is found.
    bool improve() {
        largest_ = 0;
        for (const auto& row : tree_)
            largest_ = std::max(largest_, row.size());
        if (largest_ <= 2) return false;
        root_tree();
        split_at_bad_nodes();
        for (bool merged = true; merged;) {
            merged = false;
            for (LinkId link = 0; link < network_.link_count(); ++link) {
                const Ends ends = network_.ends(link);
                if (!good_[ends.tail] || !good_[ends.head]) continue;
                if (component(ends.tail) == component(ends.head)) continue;
                merged = true;
                if (const NodeId worst = merge_along_cycle(ends); worst != no_node) {
                    relief_[worst] = ends;
                    relieve(worst);
                    return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] Network tree() const {
        std::vector<Ends> links;
        for (NodeId node = 0; node < tree_.size(); ++node)
            for (const NodeId other : tree_[node])
                if (node < other) links.push_back({node, other});
        return {static_cast<NodeId>(tree_.size()), std::move(links)};
    }

  private:
    void join(Ends ends) {
        tree_[ends.tail].push_back(ends.head);
        tree_[ends.head].push_back(ends.tail);
    }
    void part(Ends ends) {
        std::erase(tree_[ends.tail], ends.head);
        std::erase(tree_[ends.head], ends.tail);
    }

    void root_tree() {
        up_.assign(tree_.size(), no_node);
        depth_.assign(tree_.size(), 0);
        order_.assign(1, 0);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const NodeId node = order_[i];
            for (const NodeId other : tree_[node]) {
                if (other == up_[node]) continue;
                up_[other] = node;
                depth_[other] = depth_[node] + 1;
                order_.push_back(other);
            }
        }
    }

    void split_at_bad_nodes() {
        good_.resize(tree_.size());
        component_.resize(tree_.size());
        relief_.assign(tree_.size(), Ends{});
        for (NodeId node = 0; node < tree_.size(); ++node) {
            good_[node] = tree_[node].size() + 2 <= largest_;
            component_[node] = node;
        }
        for (const NodeId node : order_)
            if (up_[node] != no_node && good_[node] && good_[up_[node]]) unite(node, up_[node]);
    }

    /// The highest node of a component names it: components are connected parts of the tree.
    NodeId component(NodeId node) {
        while (component_[node] != node) {
            component_[node] = component_[component_[node]];
            node = component_[node];
        }
        return node;
    }
    void unite(NodeId a, NodeId b) {
        a = component(a);
        b = component(b);
        if (depth_[a] < depth_[b]) std::swap(a, b);
        component_[a] = b;
    }

    /// Merges everything on the cycle that the link closes; stops at a node of the largest degree
    /// and returns it.
    NodeId merge_along_cycle(Ends link) {
        while (true) {
            NodeId a = component(link.tail);
            const NodeId b = component(link.head);
            if (a == b) return no_node;
            // The lower of both tops is not above the other end, so the cycle goes on above it.
            if (depth_[a] < depth_[b]) a = b;
            const NodeId bad = up_[a];
            if (tree_[bad].size() == largest_) return bad;
            good_[bad] = true;
            relief_[bad] = link;
            for (const NodeId other : tree_[bad])
                if (good_[other]) unite(bad, other);
        }
    }

    /// Exchanges a tree link at `node` for the link noted for it. What happens at the ends stays
    /// within their components, so `node` remains on the cycle.
    void relieve(NodeId node) {
        const Ends link = relief_[node];
        EQUIPOISE_ASSERT(link.tail != no_node);
        for (const NodeId end : {link.tail, link.head})
            if (tree_[end].size() + 1 >= largest_) relieve(end);
        root_path(link.head);
        NodeId before = link.tail;
        while (before != node && up_[before] != node)
            before = up_[before];
        // `before` is `node` itself if the path starts there; relief links start elsewhere.
        EQUIPOISE_ASSERT(before != node);
        part({before, node});
        join(link);
    }

    /// Parents on the way to `target`.
    void root_path(NodeId target) {
        up_.assign(tree_.size(), no_node);
        order_.assign(1, target);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            for (const NodeId other : tree_[order_[i]]) {
                if (other == up_[order_[i]]) continue;
                up_[other] = order_[i];
                order_.push_back(other);
            }
        }
    }

    const N& network_;
    std::vector<std::vector<NodeId>> tree_;
    std::size_t largest_ = 0;
    std::vector<NodeId> up_;
    std::vector<std::uint32_t> depth_;
    std::vector<NodeId> order_;
    std::vector<bool> good_;
    std::vector<NodeId> component_;
    std::vector<Ends> relief_;  ///< the link that would relieve a node of degree k-1
};

}  // namespace

Network low_degree_tree(const AnyNetwork& network) {
    if (network.node_count() == 0) return {};
    const Network start = default_spanning_tree(network);
    return network.visit([&](const auto& graph) {
        DegreeReduction reduction(graph, start);
        while (reduction.improve()) {
        }
        return reduction.tree();
    });
}

}  // namespace equipoise::network
