#include "equipoise/optimum/steps/places.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/optimum/steps/static_flow.hpp"

namespace equipoise::optimum {

namespace {

/// Joins sets of nodes.
class NodeSets {
  public:
    explicit NodeSets(NodeId nodes) : above_(nodes) {
        std::iota(above_.begin(), above_.end(), NodeId{0});
    }
    /// Whether the two were in different sets.
    bool join(NodeId one, NodeId other) {
        one = top(one);
        other = top(other);
        above_[one] = other;
        return one != other;
    }

  private:
    NodeId top(NodeId node) {
        while (above_[node] != node) {
            above_[node] = above_[above_[node]];
            node = above_[node];
        }
        return node;
    }
    std::vector<NodeId> above_;
};

}  // namespace

std::vector<std::uint32_t> places_from_root(const Problem& problem) {
    std::vector<NodeId> with_room;
    for (NodeId node = 0; node < problem.loads.size(); ++node)
        if (problem.loads[node] < problem.target.base[node] ||
            (problem.loads[node] == problem.target.base[node] && problem.target.extra_at(node)))
            with_room.push_back(node);
    network::BreadthFirst search;
    search.run(*problem.network, with_room);
    NodeId root = no_node;
    for (NodeId node = 0; node < problem.loads.size(); ++node) {
        const std::uint32_t distance = search.distances()[node];
        if (problem.loads[node] <= problem.target.base[node] || distance == network::unreachable)
            continue;
        if (root == no_node || distance > search.distances()[root]) root = node;
    }
    if (root == no_node) return {};
    search.run(*problem.network, root);
    if (search.order().size() < problem.loads.size()) return {};
    return search.distances();
}

std::uint64_t places_along_flow_bytes(const Problem& problem) {
    constexpr std::uint64_t link_bytes = 80;  // a flow and a list of what is sent
    constexpr std::uint64_t node_bytes = 110;
    return link_bytes * problem.network->link_count() + node_bytes * problem.loads.size();
}

std::vector<std::uint32_t> places_along_flow(const Problem& problem, Step steps,
                                             const std::stop_token& stop) {
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    struct Sent {
        Tokens tokens;
        LinkId link;
        bool forward;
    };
    std::vector<Sent> sent;
    {
        StaticFlow flow(problem);
        flow.lengthen(steps);
        if (flow.carry(stop) != FlowOutcome::carried) return {};
        if (flow.straighten(stop).empty()) return {};
        for (NodeId node = 0; node < count; ++node)
            for (Port port = 0; port < network.degree(node); ++port) {
                if (network.neighbour(node, port) < node) continue;
                const Tokens tokens = flow.sent(node, port);
                sent.push_back(
                    {tokens < 0 ? -tokens : tokens, network.link(node, port), tokens >= 0});
            }
    }
    std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
        return a.tokens != b.tokens ? a.tokens > b.tokens : a.link < b.link;
    });
    // By link: -1 or 1 from its tail to its head, 0 for the others.
    std::vector<std::int8_t> rises(network.link_count(), 0);
    NodeSets joined(count);
    for (const Sent& way : sent)
        if (const auto [tail, head] = network.ends(way.link); joined.join(tail, head))
            rises[way.link] = (tail < head) == way.forward ? 1 : -1;
    constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> at(count, unknown);
    std::vector<NodeId> found;
    found.reserve(count);
    for (NodeId root = 0; root < count; ++root) {
        if (at[root] != unknown) continue;
        at[root] = 0;
        const std::size_t first = found.size();
        std::int64_t least = 0;
        found.push_back(root);
        for (std::size_t i = first; i < found.size(); ++i) {
            const NodeId node = found[i];
            for (Port port = 0; port < network.degree(node); ++port) {
                const LinkId link = network.link(node, port);
                const NodeId other = network.neighbour(node, port);
                if (rises[link] == 0 || at[other] != unknown) continue;
                at[other] =
                    at[node] + (network.ends(link).tail == node ? rises[link] : -rises[link]);
                least = std::min(least, at[other]);
                found.push_back(other);
            }
        }
        for (std::size_t i = first; i < found.size(); ++i)
            at[found[i]] -= least;
    }
    std::vector<std::uint32_t> places;
    places.reserve(count);
    for (const std::int64_t place : at)
        places.push_back(static_cast<std::uint32_t>(place));
    return places;
}

}  // namespace equipoise::optimum
