#include "equipoise/verify/live_links.hpp"

namespace equipoise::verify {

std::vector<NodeId> LiveLinks::switch_until(Step step) {
    std::vector<NodeId> went;
    for (; next_ < switches_.size() && switches_[next_].step <= step; ++next_) {
        const model::NetworkSwitch& entry = switches_[next_];
        if (entry.node != entry.other && entry.up) {
            down_.erase(std::minmax(entry.node, entry.other));
        } else if (entry.node != entry.other) {
            down_.insert(std::minmax(entry.node, entry.other));
        } else if (entry.node < up_.size() && up_[entry.node] != entry.up) {
            up_[entry.node] = entry.up;
            if (!entry.up && entry.step == step) went.push_back(entry.node);
        }
    }
    std::erase_if(went, [&](NodeId node) { return up(node); });
    return went;
}

NodeId LiveLinks::heir(NodeId node) const {
    for (Port port = 0; port < network_.degree(node); ++port) {
        const NodeId other = network_.neighbour(node, port);
        if (up(other) && !down_.contains(std::minmax(node, other))) return other;
    }
    return no_node;
}

Int128 LiveLinks::imbalance(const std::vector<Tokens>& loads) const {
    Int128 largest = 0;
    for (NodeId node = 0; node < up_.size(); ++node)
        for (Port port = 0; port < network_.degree(node); ++port)
            if (const NodeId other = network_.neighbour(node, port); live(node, other))
                largest = std::max(largest, Int128{loads[node]} - loads[other]);
    return largest;
}

Int128 LiveLinks::discrepancy(const std::vector<Tokens>& loads) const {
    Int128 largest = 0;
    std::vector<bool> seen(up_.size(), false);
    for (NodeId root = 0; root < up_.size(); ++root) {
        if (seen[root] || !up(root)) continue;
        Tokens least = loads[root];
        Tokens most = loads[root];
        std::vector<NodeId> waiting = {root};
        seen[root] = true;
        while (!waiting.empty()) {
            const NodeId node = waiting.back();
            waiting.pop_back();
            least = std::min(least, loads[node]);
            most = std::max(most, loads[node]);
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                if (seen[other] || !live(node, other)) continue;
                seen[other] = true;
                waiting.push_back(other);
            }
        }
        largest = std::max(largest, Int128{most} - least);
    }
    return largest;
}

}  // namespace equipoise::verify
