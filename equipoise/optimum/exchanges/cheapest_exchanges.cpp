#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"

#include <functional>
#include <optional>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::optimum {

MinimumExchanges cheapest_exchanges(const Problem& problem, ExchangeCost cost) {
    return *cheapest_exchanges_until({}, problem, cost);
}

std::optional<MinimumExchanges> cheapest_exchanges_until(const std::function<bool()>& is_stopped,
                                                         const Problem& problem,
                                                         ExchangeCost cost) {
    problem.check();
    if (is_stopped && is_stopped()) return std::nullopt;
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    FlowNetwork flow;
    flow.nodes = count + 3;
    flow.source = count;
    flow.sink = count + 1;
    const FlowNode extra = count + 2;
    flow.reserve(2 * network.link_count() + 3 * std::size_t{count} + 1);
    std::vector<std::int64_t> costs;
    const auto add = [&](FlowNode from, FlowNode to, std::int64_t most, std::int64_t price) {
        flow.add_arc(from, to, most);
        costs.push_back(price);
    };
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        const bool open = problem.ports_of(ends.tail) > 0 && problem.ports_of(ends.head) > 0;
        const auto price = cost == ExchangeCost::link
                               ? std::int64_t{1}
                               : static_cast<std::int64_t>(problem.delay_of(link));
        add(ends.tail, ends.head, open ? unlimited_flow : 0, price);
        add(ends.head, ends.tail, open ? unlimited_flow : 0, price);
    }
    const auto first_base = static_cast<FlowArc>(flow.from.size());
    for (NodeId node = 0; node < count; ++node)
        add(node, flow.sink, problem.target.base[node], 0);
    for (NodeId node = 0; node < count; ++node)
        if (problem.target.extra_at(node)) add(node, extra, 1, 0);
    const auto end_of_extras = static_cast<FlowArc>(flow.from.size());
    add(extra, flow.sink, problem.target.extras, 0);
    for (NodeId node = 0; node < count; ++node)
        if (problem.loads[node] > 0) add(flow.source, node, problem.loads[node], 0);

    const CheapestFlow cheapest =
        cheapest_flow(flow, costs, load::total(problem.loads), is_stopped);
    if (!cheapest.complete) return std::nullopt;
    if (!cheapest.feasible)
        throw UnsuitableError(
            "the target cannot be reached: tokens have no way to the nodes that have room");
    EQUIPOISE_ASSERT(flow_value(flow, cheapest.by_arc) == load::total(problem.loads));
    MinimumExchanges result;
    result.exchanges = cheapest.cost;
    result.flows.resize(network.link_count());
    for (LinkId link = 0; link < network.link_count(); ++link)
        result.flows[link] = cheapest.by_arc[2 * link] - cheapest.by_arc[2 * link + 1];
    result.loads.resize(count);
    for (NodeId node = 0; node < count; ++node)
        result.loads[node] = cheapest.by_arc[first_base + node];
    for (FlowArc arc = first_base + count; arc < end_of_extras; ++arc)
        result.loads[flow.from[arc]] += cheapest.by_arc[arc];
    return result;
}

}  // namespace equipoise::optimum
