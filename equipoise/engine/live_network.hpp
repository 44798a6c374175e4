#pragma once
// A network whose nodes and links come and go: which are up, live degrees, live components.

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::engine {

/// Which nodes and links of a fixed network are live. A link is live when it and both its ends are
/// up. Memory: 9 bytes per node, plus some for every link that is down. The network must
/// outlive it.
class LiveNetwork {
  public:
    /// Starts with everything up.
    explicit LiveNetwork(const Graph& network);

    [[nodiscard]] const Graph& network() const { return network_; }
    [[nodiscard]] bool up(NodeId node) const { return up_[node]; }
    /// Whether the link between two neighbours is live.
    [[nodiscard]] bool live(NodeId node, NodeId other) const {
        return up_[node] && up_[other] && (down_.empty() || !down_.contains(key(node, other)));
    }
    /// The number of live links of a node; 0 if it is down.
    [[nodiscard]] Port degree(NodeId node) const { return degrees_[node]; }
    [[nodiscard]] std::span<const Port> degrees() const { return degrees_; }
    [[nodiscard]] LinkId live_link_count() const { return live_links_; }

    /// Switches links and nodes. Then every node that left hands all its tokens to its
    /// lowest-numbered neighbour that is still up, if the link to it is up as well; if there is
    /// none, the tokens wait until the node comes back. Nodes hand over in the order in which they
    /// left. Appends the transfers to `handed_over` and returns the nodes that came. Cost O(degree)
    /// for each node, O(1) for each link.
    std::vector<NodeId> apply(const model::Changes& changes, Step step, std::span<Tokens> loads,
                              std::vector<model::Transfer>& handed_over);

    /// The switches of the last `apply` that changed anything.
    [[nodiscard]] std::span<const model::NetworkSwitch> switches() const { return switches_; }

    /// The component of every node in the network of live links, named by its lowest-numbered node;
    /// `no_node` for nodes that are down. Cost O(nodes + links) after a change, then O(1).
    [[nodiscard]] std::span<const NodeId> components() {
        if (!components_known_) find_components();
        return components_;
    }

    /// The largest discrepancy within a live component.
    [[nodiscard]] Tokens discrepancy(std::span<const Tokens> loads) {
        return load::discrepancy_of_components(loads, components());
    }
    /// Whether no live link joins nodes that differ by more than one.
    [[nodiscard]] bool one_balanced(std::span<const Tokens> loads) const;

  private:
    [[nodiscard]] static std::uint64_t key(NodeId node, NodeId other) {
        return (std::uint64_t{std::min(node, other)} << 32U) | std::max(node, other);
    }

    /// Whether this changed anything.
    bool switch_link(Ends ends, bool up);

    void switch_node(NodeId node, bool up);

    void count_link(NodeId node, NodeId other, bool up);

    void hand_over(NodeId node, Step step, std::span<Tokens> loads,
                   std::vector<model::Transfer>& handed_over) const;

    void find_components();

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
