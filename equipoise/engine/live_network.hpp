#pragma once
// A network whose nodes and links go and come: masks, live degrees, live components.

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::engine {

/// Which nodes and links of a fixed network are live. A link is live when it is up itself and both
/// its ends are. Memory: 9 bytes a node and some for every link that is down. The network must
/// outlive it.
class LiveNetwork {
  public:
    /// Everything is up.
    explicit LiveNetwork(const Graph& network)
        : network_(network), up_(network.node_count(), true) {
        degrees_.reserve(network.node_count());
        for (NodeId node = 0; node < network.node_count(); ++node)
            degrees_.push_back(network.degree(node));
        live_links_ = network.link_count();
    }

    [[nodiscard]] const Graph& network() const { return network_; }
    [[nodiscard]] bool up(NodeId node) const { return up_[node]; }
    /// Whether the link between two neighbours is live.
    [[nodiscard]] bool live(NodeId node, NodeId other) const {
        return up_[node] && up_[other] && (down_.empty() || !down_.contains(key(node, other)));
    }
    /// Live links of a node; 0 for one that is down.
    [[nodiscard]] Port degree(NodeId node) const { return degrees_[node]; }
    [[nodiscard]] std::span<const Port> degrees() const { return degrees_; }
    [[nodiscard]] LinkId live_link_count() const { return live_links_; }

    /// Switches links and nodes. Then every node that went hands all it holds to its
    /// lowest-numbered neighbour that is still up and behind a link that is itself up; where there
    /// is none the tokens stay and wait until it comes back. Nodes hand over in the order in which
    /// they went. The transfers are appended to `handed_over`; returns the nodes that came.
    /// Cost O(degree) a node, O(1) a link.
    std::vector<NodeId> apply(const model::Changes& changes, Step step, std::span<Tokens> loads,
                              std::vector<model::Transfer>& handed_over) {
        switches_.clear();
        for (const auto& [link, up] : changes.links) {
            EQUIPOISE_ASSERT(link < network_.link_count());
            const Ends ends = network_.ends(link);
            if (switch_link(ends, up)) switches_.push_back({step, ends.tail, ends.head, up});
        }
        std::vector<NodeId> went;
        std::vector<NodeId> came;
        for (const auto& [subject, up] : changes.nodes) {
            EQUIPOISE_ASSERT(subject < network_.node_count());
            const auto node = static_cast<NodeId>(subject);
            if (up_[node] == up) continue;
            switch_node(node, up);
            switches_.push_back({step, node, node, up});
            (up ? came : went).push_back(node);
        }
        for (const NodeId node : went)
            if (!up_[node]) hand_over(node, step, loads, handed_over);
        std::erase_if(came, [&](NodeId node) { return !up_[node]; });
        return came;
    }

    /// What the last `apply` switched that was not so already.
    [[nodiscard]] std::span<const model::NetworkSwitch> switches() const { return switches_; }

    /// The component of every node among live links, named by its lowest-numbered node;
    /// `no_node` for nodes that are down. Cost O(nodes + links) after a change, then
    /// O(1).
    [[nodiscard]] std::span<const NodeId> components() {
        if (!components_known_) find_components();
        return components_;
    }

    /// The largest discrepancy of a live component.
    [[nodiscard]] Tokens discrepancy(std::span<const Tokens> loads) {
        return load::discrepancy_of_components(loads, components());
    }
    /// Whether no live link joins nodes that differ by more than one.
    [[nodiscard]] bool one_balanced(std::span<const Tokens> loads) const {
        for (NodeId node = 0; node < network_.node_count(); ++node)
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                if (other > node && live(node, other) &&
                    (loads[node] - loads[other] > 1 || loads[other] - loads[node] > 1))
                    return false;
            }
        return true;
    }

  private:
    [[nodiscard]] static std::uint64_t key(NodeId node, NodeId other) {
        return (std::uint64_t{std::min(node, other)} << 32U) | std::max(node, other);
    }

    /// Whether this changed anything.
    bool switch_link(Ends ends, bool up) {
        const bool changed = up ? down_.erase(key(ends.tail, ends.head)) > 0
                                : down_.insert(key(ends.tail, ends.head)).second;
        if (changed && up_[ends.tail] && up_[ends.head]) count_link(ends.tail, ends.head, up);
        components_known_ = components_known_ && !changed;
        return changed;
    }

    void switch_node(NodeId node, bool up) {
        up_[node] = true;  // its links are live exactly while it is up
        for (Port port = 0; port < network_.degree(node); ++port) {
            const NodeId other = network_.neighbour(node, port);
            if (live(node, other)) count_link(node, other, up);
        }
        up_[node] = up;
        components_known_ = false;
    }

    void count_link(NodeId node, NodeId other, bool up) {
        degrees_[node] += up ? Port{1} : ~Port{0};
        degrees_[other] += up ? Port{1} : ~Port{0};
        live_links_ += up ? LinkId{1} : ~LinkId{0};
    }

    void hand_over(NodeId node, Step step, std::span<Tokens> loads,
                   std::vector<model::Transfer>& handed_over) const {
        if (loads[node] == 0) return;
        for (Port port = 0; port < network_.degree(node); ++port) {
            const NodeId other = network_.neighbour(node, port);
            if (!up_[other] || down_.contains(key(node, other))) continue;
            const Tokens tokens = loads[node];
            loads[other] += tokens;
            loads[node] = 0;
            // What a node owes walks the other way.
            handed_over.push_back(tokens > 0 ? model::Transfer{step, node, other, tokens}
                                             : model::Transfer{step, other, node, -tokens});
            return;
        }
    }

    void find_components() {
        components_.assign(network_.node_count(), no_node);
        std::vector<NodeId> waiting;
        for (NodeId root = 0; root < network_.node_count(); ++root) {
            if (!up_[root] || components_[root] != no_node) continue;
            components_[root] = root;
            waiting.push_back(root);
            while (!waiting.empty()) {
                const NodeId node = waiting.back();
                waiting.pop_back();
                for (Port port = 0; port < network_.degree(node); ++port) {
                    const NodeId other = network_.neighbour(node, port);
                    if (components_[other] != no_node || !live(node, other)) continue;
                    components_[other] = root;
                    waiting.push_back(other);
                }
            }
        }
        components_known_ = true;
    }

    Graph network_;
    std::vector<bool> up_;
    std::vector<Port> degrees_;
    LinkId live_links_ = 0;
    std::unordered_set<std::uint64_t> down_;  ///< links that are down themselves
    std::vector<NodeId> components_;
    std::vector<model::NetworkSwitch> switches_;
    bool components_known_ = false;
};

}  // namespace equipoise::engine
