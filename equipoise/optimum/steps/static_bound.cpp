#include "equipoise/optimum/steps/static_bound.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/optimum/flows/flow_budget.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::optimum {

namespace {

/// The static network in which every node can pass on T times as many tokens as it has ports.
struct StaticNetwork {
    NodeId count;
    FlowNetwork flow;
    std::vector<std::int64_t> start;  ///< tokens that stay where they are

    /// `outside`: a node that may not belong to X (no_node: any may).
    StaticNetwork(const Problem& problem, std::span<const Tokens> loads, Step steps, NodeId outside)
        : count(problem.network->node_count()) {
        const network::Network& network = *problem.network;
        flow.nodes = 3 * count + 3;
        flow.source = 3 * count;
        flow.sink = 3 * count + 1;
        const FlowNode extra = 3 * count + 2;
        flow.reserve(6 * std::size_t{count} + 2 * network.link_count());
        start.reserve(6 * std::size_t{count} + 2 * network.link_count());
        const auto passing = [&](NodeId node) {
            Tokens most = 0;
            return __builtin_mul_overflow(problem.ports_of(node), static_cast<Tokens>(steps), &most)
                       ? unlimited_flow
                       : std::min(most, unlimited_flow);
        };
        Tokens extras_left = problem.target.extras;
        for (NodeId node = 0; node < count; ++node) {
            const Tokens base = problem.target.base[node];
            const Tokens stay = std::min(loads[node], base);
            const bool takes_extra = problem.target.extra_at(node);
            const bool extra_stays = takes_extra && loads[node] > base && extras_left > 0;
            if (extra_stays) --extras_left;
            add(flow.source, node, loads[node], stay + (extra_stays ? 1 : 0));
            add(node, flow.sink, node == outside ? unlimited_flow : base, stay);
            if (takes_extra) add(node, extra, 1, extra_stays ? 1 : 0);
            add(node, out(node), passing(node), 0);
            add(in(node), node, passing(node), 0);
            for (const NodeId other : network.neighbours(node))
                if (problem.ports_of(node) > 0 && problem.ports_of(other) > 0)
                    add(out(node), in(other), unlimited_flow, 0);
        }
        add(extra, flow.sink, problem.target.extras, problem.target.extras - extras_left);
    }

    [[nodiscard]] FlowNode out(NodeId node) const { return count + node; }
    [[nodiscard]] FlowNode in(NodeId node) const { return 2 * count + node; }

  private:
    void add(FlowNode from, FlowNode to, std::int64_t most, std::int64_t now) {
        flow.add_arc(from, to, most);
        start.push_back(now);
    }
};

Step ceil_steps(Tokens surplus, Tokens matching) {
    return static_cast<Step>(ceil_divide(surplus, matching));
}

Tokens sum(std::span<const Tokens> loads) {
    Tokens all = 0;
    for (const Tokens tokens : loads)
        all = checked_add(all, tokens);
    return all;
}

/// The single node that needs the most steps, as the set X.
StaticBound bound_of_single_nodes(const Problem& problem, std::span<const Tokens> loads,
                                  NodeId outside) {
    StaticBound best;
    NodeId worst = no_node;
    for (NodeId node = 0; node < loads.size(); ++node) {
        if (node == outside || loads[node] <= problem.target.base[node]) continue;
        if (problem.ports_of(node) == 0 || problem.network->degree(node) == 0) continue;
        const Tokens surplus = loads[node] - problem.target.room({&node, 1});
        if (surplus <= 0) continue;
        const Step steps = ceil_steps(surplus, problem.ports_of(node));
        if (steps <= best.steps) continue;
        best.steps = steps;
        worst = node;
    }
    if (worst == no_node) return {};
    best.cut = gates_of(problem, {&worst, 1});
    best.cut.surplus = loads[worst] - problem.target.room({&worst, 1});
    if (best.cut.matching == 0) return {};  // no neighbour takes part: a cut will show it
    best.steps = ceil_steps(best.cut.surplus, best.cut.matching);
    return best;
}

/// Whether X has too many tokens and no way out.
bool hopeless(const StaticBound& bound) {
    return bound.cut.surplus > 0 && bound.cut.matching == 0;
}

StaticBound newton(const Problem& problem, std::span<const Tokens> loads, NodeId outside,
                   const std::stop_token& stop = {}) {
    const Tokens all = sum(loads);
    StaticBound bound = bound_of_single_nodes(problem, loads, outside);
    while (true) {
        StaticNetwork at(problem, loads, bound.steps, outside);
        FlowBudget budget(stop);
        Flow flow = maximum_flow(at.flow, std::move(at.start), &budget);
        if (!flow.complete || flow.value == all) return bound;
        at.flow = {};  // gates are found by another one
        flow.by_arc = {};
        std::vector<NodeId> nodes;
        Tokens held = 0;
        for (NodeId node = 0; node < at.count; ++node) {
            if (flow.source_side[node] == 0) continue;
            nodes.push_back(node);
            held += loads[node];
        }
        std::optional<StaticCut> cut = gates_within(budget, problem, nodes);
        if (!cut) return bound;
        cut->surplus = held - problem.target.room(nodes);
        bound.cut = std::move(*cut);
        if (hopeless(bound)) return bound;
        bound.steps = ceil_steps(bound.cut.surplus, bound.cut.matching);
    }
}

}  // namespace

StaticCut gates_of(const Problem& problem, std::span<const NodeId> nodes) {
    FlowBudget unlimited;
    return *gates_within(unlimited, problem, nodes);
}

std::optional<StaticCut> gates_within(FlowBudget& budget, const Problem& problem,
                                      std::span<const NodeId> nodes) {
    const network::Network& network = *problem.network;
    StaticCut cut;
    cut.nodes.assign(nodes.begin(), nodes.end());
    std::sort(cut.nodes.begin(), cut.nodes.end());
    std::vector<bool> inside(network.node_count(), false);
    for (const NodeId node : nodes)
        inside[node] = true;
    FlowNetwork flow;
    flow.nodes = network.node_count() + 2;
    flow.source = network.node_count();
    flow.sink = network.node_count() + 1;
    std::vector<bool> met(network.node_count(), false);
    const auto meet = [&](NodeId node) {
        if (met[node]) return;
        met[node] = true;
        if (inside[node]) {
            flow.add_arc(flow.source, node, problem.ports_of(node));
        } else {
            flow.add_arc(node, flow.sink, problem.ports_of(node));
        }
    };
    for (const NodeId node : nodes)
        for (const NodeId other : network.neighbours(node)) {
            if (inside[other] || problem.ports_of(node) == 0 || problem.ports_of(other) == 0)
                continue;
            meet(node);
            meet(other);
            flow.add_arc(node, other, unlimited_flow);
        }
    const Flow matching = maximum_flow(flow, {}, &budget);
    if (!matching.complete) return std::nullopt;
    cut.matching = matching.value;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (!met[node]) continue;
        const bool reached = matching.source_side[node] != 0;
        if (inside[node] && !reached) cut.senders.push_back(node);
        if (!inside[node] && reached) cut.receivers.push_back(node);
    }
    return cut;
}

StaticBound static_bound(const Problem& problem, const std::stop_token& stop) {
    StaticBound bound = newton(problem, problem.loads, no_node, stop);
    if (hopeless(bound)) {
        const std::vector<NodeId>& nodes = bound.cut.nodes;
        const bool one = nodes.size() == 1;
        throw UnsuitableError(
            "the target cannot be reached: " +
            (one ? "node " + std::to_string(nodes.front()) + " (counted from 0) holds "
                 : std::to_string(nodes.size()) + " nodes (one of them is node " +
                       std::to_string(nodes.front()) + ", counting from 0) hold ") +
            with_noun(static_cast<std::uint64_t>(bound.cut.surplus), "token", "tokens") +
            " more than " + (one ? "its" : "their") + " target, and " +
            (bound.cut.surplus == 1 ? "this token" : "these tokens") + " cannot leave " +
            (one ? "it" : "them"));
    }
    return bound;
}

std::uint64_t static_bound_bytes(const Problem& problem) {
    constexpr std::uint64_t bytes_per_link = 160;  // two arcs with their flow, and copies of delays
    constexpr std::uint64_t bytes_per_node = 450;  // three nodes, up to five arcs, and loads
    return bytes_per_link * problem.network->link_count() + bytes_per_node * problem.loads.size();
}

std::optional<Step> static_upper_bound(const Problem& problem) {
    if (!problem.plain() || problem.all_ports) return std::nullopt;
    load::Loads raised = problem.loads;
    const NodeId count = problem.network->node_count();
    for (NodeId node = 0; node < count; ++node) {
        const Tokens ports = problem.ports_of(node);
        if (problem.target.base[node] < ports) return std::nullopt;
        raised[node] = std::max(raised[node], ports);
    }
    if (sum(raised) == sum(problem.loads)) return newton(problem, raised, no_node).steps;
    Step most = 0;
    for (NodeId outside = 0; outside < count; ++outside) {
        const StaticBound bound = newton(problem, raised, outside);
        if (hopeless(bound)) return std::nullopt;
        most = std::max(most, bound.steps);
    }
    return most;
}

}  // namespace equipoise::optimum
