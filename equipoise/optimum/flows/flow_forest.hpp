#pragma once
// Ways of tokens that share their ends, as trees whose links carry tokens.

#include <algorithm>
#include <limits>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

// Problem: trees in which every node but the root sends tokens to its parent; links come and go,
//   and tokens are taken back along the whole way from a node to its root.
// Source: Sleator, Tarjan 1983 (dynamic trees), with splay trees (1985).
// Guarantee: every call costs O(log nodes), amortised; 40 bytes a node.

class FlowForest {
  public:
    explicit FlowForest(NodeId nodes) : nodes_(nodes) {}

    /// The root of the node's tree.
    [[nodiscard]] NodeId root(NodeId node) {
        expose(node);
        while (true) {
            pass_down(node);
            if (nodes_[node].before == none) break;
            node = nodes_[node].before;
        }
        splay(node);
        return node;
    }
    /// Lets a root send tokens to a node of another tree.
    void link(NodeId root, NodeId parent, Tokens tokens) {
        expose(root);
        nodes_[root].tokens = tokens;
        sum_up(root);
        nodes_[root].up = parent;
    }
    /// Makes a node that is not a root one. Returns the tokens that it sent.
    Tokens cut(NodeId node) {
        expose(node);
        Node& at = nodes_[node];
        const Tokens tokens = at.tokens;
        nodes_[at.before].up = none;
        at.before = none;
        at.tokens = tokens_max;
        sum_up(node);
        return tokens;
    }
    /// The least tokens of any node on the way to the root; `tokens_max` at a root.
    [[nodiscard]] Tokens least(NodeId node) {
        expose(node);
        // The root sends nothing, whatever has been taken from its way.
        return nodes_[node].before == none ? tokens_max : nodes_[node].least;
    }
    /// Takes as many from each of them.
    void take(NodeId node, Tokens tokens) {
        const NodeId top = root(node);
        expose(node);
        take_below(node, tokens);
        splay(top);
        nodes_[top].tokens = tokens_max;
        sum_up(top);
    }
    /// Of the nodes on the way that send 0 tokens the one nearest to the root. There must be one.
    [[nodiscard]] NodeId first_empty(NodeId node) {
        expose(node);
        while (true) {
            pass_down(node);
            const Node& at = nodes_[node];
            if (at.before != none && nodes_[at.before].least == 0)
                node = at.before;
            else if (at.tokens == 0)
                break;
            else
                node = at.after;
        }
        splay(node);
        return node;
    }

  private:
    static constexpr NodeId none = std::numeric_limits<NodeId>::max();

    // The nodes of a way from a root down are in a search tree, those nearer to the root before
    // the others; `up` of its top is the node at which this way joins another one.
    struct Node {
        NodeId up = none;
        NodeId before = none;
        NodeId after = none;
        Tokens tokens = tokens_max;
        Tokens least = tokens_max;  ///< in the search tree below
        Tokens less = 0;            ///< still to be taken from all below
    };

    [[nodiscard]] bool is_top(NodeId node) const {
        const NodeId up = nodes_[node].up;
        return up == none || (nodes_[up].before != node && nodes_[up].after != node);
    }
    void take_below(NodeId node, Tokens tokens) {
        if (node == none) return;
        nodes_[node].tokens -= tokens;
        nodes_[node].least -= tokens;
        nodes_[node].less += tokens;
    }
    void pass_down(NodeId node) {
        Node& at = nodes_[node];
        if (at.less == 0) return;
        take_below(at.before, at.less);
        take_below(at.after, at.less);
        at.less = 0;
    }
    void sum_up(NodeId node) {
        Node& at = nodes_[node];
        at.least = at.tokens;
        if (at.before != none) at.least = std::min(at.least, nodes_[at.before].least);
        if (at.after != none) at.least = std::min(at.least, nodes_[at.after].least);
    }
    void rotate(NodeId node) {
        const NodeId up = nodes_[node].up;
        const NodeId above = nodes_[up].up;
        const bool was_top = is_top(up);
        const bool is_before = nodes_[up].before == node;
        const NodeId middle = is_before ? nodes_[node].after : nodes_[node].before;
        (is_before ? nodes_[up].before : nodes_[up].after) = middle;
        if (middle != none) nodes_[middle].up = up;
        (is_before ? nodes_[node].after : nodes_[node].before) = up;
        nodes_[up].up = node;
        nodes_[node].up = above;
        if (!was_top)
            (nodes_[above].before == up ? nodes_[above].before : nodes_[above].after) = node;
        sum_up(up);
    }
    void splay(NodeId node) {
        way_.assign(1, node);
        while (!is_top(way_.back()))
            way_.push_back(nodes_[way_.back()].up);
        while (!way_.empty()) {
            pass_down(way_.back());
            way_.pop_back();
        }
        while (!is_top(node)) {
            const NodeId up = nodes_[node].up;
            if (!is_top(up)) {
                const NodeId above = nodes_[up].up;
                const bool straight = (nodes_[above].before == up) == (nodes_[up].before == node);
                rotate(straight ? up : node);
            }
            rotate(node);
        }
        sum_up(node);
    }
    /// Makes the way from the root to a node one search tree with the node at its top.
    void expose(NodeId node) {
        NodeId last = none;
        for (NodeId at = node; at != none; at = nodes_[at].up) {
            splay(at);
            nodes_[at].after = last;
            sum_up(at);
            last = at;
        }
        splay(node);
    }

    std::vector<Node> nodes_;
    std::vector<NodeId> way_;
};

}  // namespace equipoise::optimum
