#include "equipoise/engine/live_network.hpp"

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

LiveNetwork::LiveNetwork(const Graph& network)
    : network_(network), up_(network.node_count(), true) {
    degrees_.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        degrees_.push_back(network.degree(node));
    live_links_ = network.link_count();
}

std::vector<NodeId> LiveNetwork::apply(const model::Changes& changes, Step step,
                                       std::span<Tokens> loads,
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

bool LiveNetwork::one_balanced(std::span<const Tokens> loads) const {
    for (NodeId node = 0; node < network_.node_count(); ++node)
        for (Port port = 0; port < network_.degree(node); ++port) {
            const NodeId other = network_.neighbour(node, port);
            if (other > node && live(node, other) &&
                (loads[node] - loads[other] > 1 || loads[other] - loads[node] > 1))
                return false;
        }
    return true;
}

bool LiveNetwork::switch_link(Ends ends, bool up) {
    const bool changed = up ? down_.erase(key(ends.tail, ends.head)) > 0
                            : down_.insert(key(ends.tail, ends.head)).second;
    if (changed && up_[ends.tail] && up_[ends.head]) count_link(ends.tail, ends.head, up);
    components_known_ = components_known_ && !changed;
    return changed;
}

void LiveNetwork::switch_node(NodeId node, bool up) {
    up_[node] = true;  // its links are live only while it is up
    for (Port port = 0; port < network_.degree(node); ++port) {
        const NodeId other = network_.neighbour(node, port);
        if (live(node, other)) count_link(node, other, up);
    }
    up_[node] = up;
    components_known_ = false;
}

void LiveNetwork::count_link(NodeId node, NodeId other, bool up) {
    degrees_[node] += up ? Port{1} : ~Port{0};
    degrees_[other] += up ? Port{1} : ~Port{0};
    live_links_ += up ? LinkId{1} : ~LinkId{0};
}

void LiveNetwork::hand_over(NodeId node, Step step, std::span<Tokens> loads,
                            std::vector<model::Transfer>& handed_over) const {
    if (loads[node] == 0) return;
    for (Port port = 0; port < network_.degree(node); ++port) {
        const NodeId other = network_.neighbour(node, port);
        if (!up_[other] || down_.contains(key(node, other))) continue;
        const Tokens tokens = loads[node];
        loads[other] += tokens;
        loads[node] = 0;
        // A negative load moves as a transfer in the other direction.
        handed_over.push_back(tokens > 0 ? model::Transfer{step, node, other, tokens}
                                         : model::Transfer{step, other, node, -tokens});
        return;
    }
}

void LiveNetwork::find_components() {
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

}  // namespace equipoise::engine
