#include "equipoise/optimum/steps/delayed_flow.hpp"

#include <algorithm>
#include <cstddef>

#include "equipoise/base/assert.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

namespace {

/// What a node has to do with others in all.
struct Traffic {
    Tokens out = 0;
    Tokens in = 0;
    std::uint32_t links_in = 0;
};

/// Calls `look` with the sender, the receiver and the tokens of every link that is used.
template <class Look>
void for_all_sent(const network::Network& network, std::span<const Tokens> flow, const Look& look) {
    for (LinkId link = 0; link < network.link_count(); ++link) {
        if (flow[link] == 0) continue;
        const auto [tail, head] = network.ends(link);
        const bool from_tail = (tail < head) == (flow[link] > 0);
        look(from_tail ? tail : head, from_tail ? head : tail,
             flow[link] < 0 ? -flow[link] : flow[link]);
    }
}

/// Tokens that a node sends over a port; below 0, receives.
Tokens sent(const network::Network& network, std::span<const Tokens> flow, NodeId node, Port port) {
    const Tokens tokens = flow[network.link(node, port)];
    return node < network.neighbour(node, port) ? tokens : -tokens;
}

/// Final loads that are allowed and leave each part of a network as many tokens as it has.
class FinalLoadsOfParts {
  public:
    explicit FinalLoadsOfParts(const Problem& problem)
        : problem_(problem), final_(problem.target.base), extras_left_(problem.target.extras) {}

    /// Nodes that only deal with each other. Returns whether they have such loads.
    bool settle(std::span<const NodeId> part) {
        Tokens more = 0;  // tokens than the final loads so far
        for (const NodeId node : part)
            more += problem_.loads[node] - final_[node];
        for (const bool full : {true, false})
            for (const NodeId node : part) {
                if (more <= 0 || extras_left_ == 0) break;
                const bool is_full = problem_.loads[node] > problem_.target.base[node];
                if (is_full != full || !problem_.target.extra_at(node)) continue;
                ++final_[node];
                --extras_left_;
                --more;
            }
        for (const NodeId node : part) {
            if (more >= 0) break;
            const Tokens less =
                std::min(-more, std::max<Tokens>(0, final_[node] - problem_.loads[node]));
            final_[node] -= less;
            more += less;
        }
        return more == 0;
    }
    [[nodiscard]] Tokens above(NodeId node) const { return problem_.loads[node] - final_[node]; }

  private:
    const Problem& problem_;
    load::Loads final_;
    Tokens extras_left_;
};

}  // namespace

std::optional<LinkFlow> forest_flow(const Problem& problem) {
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    FinalLoadsOfParts finals(problem);
    LinkFlow flow(network.link_count(), 0);
    std::vector<bool> seen(count, false);
    std::vector<Port> port_in(count, 0);  // to the node before, for all but roots
    std::vector<Tokens> above(count, 0);
    std::vector<NodeId> order;
    for (NodeId root = 0; root < count; ++root) {
        if (seen[root]) continue;
        seen[root] = true;
        order.assign(1, root);
        for (std::size_t at = 0; at < order.size() && problem.ports_of(root) > 0; ++at)
            for (Port port = 0; port < network.degree(order[at]); ++port) {
                const NodeId other = network.neighbour(order[at], port);
                if (seen[other] || problem.ports_of(other) == 0) continue;
                seen[other] = true;
                port_in[other] = *network::port_to(network, other, order[at]);
                order.push_back(other);
            }
        if (!finals.settle(order)) return std::nullopt;
        for (const NodeId node : order)
            above[node] = finals.above(node);
        for (std::size_t at = order.size(); at-- > 1;) {
            const NodeId node = order[at];
            const NodeId before = network.neighbour(node, port_in[node]);
            flow[network.link(node, port_in[node])] = node < before ? above[node] : -above[node];
            above[before] += above[node];
        }
    }
    return flow;
}

FlowOverTime delayed_flow(const Problem& problem, std::span<const Tokens> flow) {
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    std::vector<Traffic> traffic(count);
    Tokens length = 1;
    for_all_sent(network, flow, [&](NodeId from, NodeId to, Tokens tokens) {
        traffic[from].out += tokens;
        traffic[to].in += tokens;
        ++traffic[to].links_in;
        if (problem.all_ports) length = std::max(length, tokens);
    });
    std::vector<NodeId> order;  // each takes inflow from nodes before it alone
    order.reserve(count);
    for (NodeId node = 0; node < count; ++node) {
        const auto [out, in, links_in] = traffic[node];
        if (!problem.all_ports && (out > 0 || in > 0))
            length = std::max(length, ceil_divide(std::max(out, in), problem.ports_of(node)));
        if (links_in == 0) order.push_back(node);
    }
    FlowOverTime over_time;
    const auto used =
        std::count_if(flow.begin(), flow.end(), [](Tokens tokens) { return tokens != 0; });
    over_time.windows.reserve(static_cast<std::size_t>(used));
    std::vector<Step> begin(count, 0);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const NodeId node = order[at];
        const auto [out, in, links_in] = traffic[node];
        if (out == 0) continue;
        Step joined = 0;  // when all inflow has begun to arrive
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            const Tokens tokens = sent(network, flow, node, port);
            if (tokens < 0) joined = std::max(joined, begin[other] + 1);
            if (tokens > 0 && --traffic[other].links_in == 0) order.push_back(other);
        }
        if (joined > 0) {
            const Tokens load = problem.loads[node];
            const Int128 sooner =
                std::min(Int128{load} * length / out, (Int128{load} + in - out) * length / in);
            if (sooner < Int128{joined}) begin[node] = joined - static_cast<Step>(sooner);
        }
        const auto steps = static_cast<Step>(length);
        for (Port port = 0; port < network.degree(node); ++port)
            if (const Tokens tokens = sent(network, flow, node, port); tokens > 0)
                over_time.windows.push_back(
                    {node, network.neighbour(node, port), begin[node], steps, tokens});
        over_time.steps = std::max(over_time.steps, begin[node] + steps);
    }
    EQUIPOISE_ASSERT(order.size() == count);  // otherwise there is a circle
    return over_time;
}

}  // namespace equipoise::optimum
