#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::network {

namespace {

// Maximum matching in any graph.
// Problem: a matching with the most links, and a set of nodes that proves it.
// Source: Edmonds 1965; blossoms by union-find as in Gabow 1976; barrier by Gallai and Edmonds.
// From every node left over grows a tree of alternating paths. Outer nodes are reached by an even
// number of links, inner ones by an odd number; an odd cycle of outer nodes is shrunk, so that its
// inner nodes become outer too. A tree that finds no further left-over node is never touched again
// (Hungarian tree); the inner nodes of all these trees are the barrier: without them, every outer
// node or blossom is an odd component of its own, and each tree has one more of them than inner
// nodes.
template <AnyGraph N>
class Blossoms {
  public:
    Blossoms(const N& network, std::vector<NodeId> partner)
        : network_(network),
          partner_(std::move(partner)),
          label_(network.node_count(), Label::none),
          frozen_(network.node_count(), false),
          reached_from_(network.node_count(), no_node),
          base_(network.node_count()),
          stamp_(network.node_count(), 0) {
        for (NodeId node = 0; node < network.node_count(); ++node)
            base_[node] = node;
    }

    MaximumMatching solve() {
        for (NodeId root = 0; root < network_.node_count(); ++root)
            if (partner_[root] == no_node) grow_from(root);
        MaximumMatching result;
        for (NodeId node = 0; node < network_.node_count(); ++node)
            if (frozen_[node] && label_[node] == Label::inner) result.barrier.push_back(node);
        result.matching.partner = std::move(partner_);
        return result;
    }

  private:
    enum class Label : std::uint8_t { none, outer, inner };

    void grow_from(NodeId root) {
        touched_.assign(1, root);
        queue_.assign(1, root);
        label_[root] = Label::outer;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const NodeId node = queue_[i];
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                if (frozen_[other] || label_[other] == Label::inner || base(node) == base(other))
                    continue;
                if (label_[other] == Label::outer) {
                    const NodeId common = common_base(node, other);
                    shrink(node, other, common);
                    shrink(other, node, common);
                    continue;
                }
                label_[other] = Label::inner;
                reached_from_[other] = node;
                touched_.push_back(other);
                const NodeId beyond = partner_[other];
                if (beyond == no_node) return augment_to(other);
                label_[beyond] = Label::outer;
                touched_.push_back(beyond);
                queue_.push_back(beyond);
            }
        }
        for (const NodeId node : touched_)
            frozen_[node] = true;
    }

    void augment_to(NodeId node) {
        while (node != no_node) {
            const NodeId before = reached_from_[node];
            const NodeId next = partner_[before];
            partner_[node] = before;
            partner_[before] = node;
            node = next;
        }
        for (const NodeId reached : touched_) {
            label_[reached] = Label::none;
            base_[reached] = reached;
            reached_from_[reached] = no_node;
        }
    }

    NodeId base(NodeId node) {
        while (base_[node] != node) {
            base_[node] = base_[base_[node]];
            node = base_[node];
        }
        return node;
    }

    /// The first base that the paths from two outer nodes to the root share.
    NodeId common_base(NodeId a, NodeId b) {
        ++clock_;
        a = base(a);
        b = base(b);
        while (true) {
            if (a != no_node) {
                if (stamp_[a] == clock_) return a;
                stamp_[a] = clock_;
                const NodeId inner = partner_[a];
                a = inner == no_node ? no_node : base(reached_from_[inner]);
            }
            std::swap(a, b);
        }
    }

    /// Moves the path from `tip` up to `common` into one blossom; `across` is where the odd cycle
    /// goes on, by which the nodes that become outer are reached.
    void shrink(NodeId tip, NodeId across, NodeId common) {
        while (base(tip) != common) {
            reached_from_[tip] = across;
            const NodeId inner = partner_[tip];
            if (label_[inner] == Label::inner) {
                label_[inner] = Label::outer;
                queue_.push_back(inner);
            }
            if (base_[tip] == tip) base_[tip] = common;
            if (base_[inner] == inner) base_[inner] = common;
            across = inner;
            tip = reached_from_[inner];
        }
    }

    const N& network_;
    std::vector<NodeId> partner_;
    std::vector<Label> label_;
    std::vector<bool> frozen_;          ///< in a Hungarian tree
    std::vector<NodeId> reached_from_;  ///< on an alternating path from the root
    std::vector<NodeId> base_;          ///< union-find of blossoms; the root is the base
    std::vector<std::uint64_t> stamp_;
    std::uint64_t clock_ = 0;
    std::vector<NodeId> queue_;
    std::vector<NodeId> touched_;
};

}  // namespace

MaximumMatching maximum_matching(const AnyNetwork& network) {
    Matching start = greedy_matching(network);
    return network.visit(
        [&](const auto& graph) { return Blossoms(graph, std::move(start.partner)).solve(); });
}

}  // namespace equipoise::network
