#include "equipoise/optimum/steps/layered_network.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::optimum {

namespace {

constexpr FlowArc no_arc = std::numeric_limits<FlowArc>::max();
constexpr Step never = ~Step{0};

/// The first layer at which every node may hold a token: sums of link delays from loaded nodes,
/// through nodes that take part.
std::vector<Step> first_layers(const Problem& problem) {
    const network::Network& network = *problem.network;
    std::vector<Step> first(network.node_count(), never);
    using Entry = std::pair<Step, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (problem.loads[node] == 0) continue;
        first[node] = 0;
        open.emplace(0, node);
    }
    while (!open.empty()) {
        const auto [layer, node] = open.top();
        open.pop();
        if (first[node] < layer || problem.ports_of(node) == 0) continue;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            const Step then = layer + problem.delay_of(network.link(node, port));
            if (problem.ports_of(other) == 0 || first[other] <= then) continue;
            first[other] = then;
            open.emplace(then, other);
        }
    }
    return first;
}

}  // namespace

LayeredNetwork::LayeredNetwork(const Problem& problem, std::vector<Step> sizes)
    : problem_(problem), sizes_(std::move(sizes)) {
    EQUIPOISE_ASSERT(problem.plain() || std::all_of(sizes_.begin(), sizes_.end(),
                                                    [](Step size) { return size == 1; }));
    const NodeId count = problem.network->node_count();
    const std::vector<Step> first = first_layers(problem);
    order_.resize(count);
    for (NodeId node = 0; node < count; ++node)
        order_[node] = node;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](NodeId a, NodeId b) { return first[a] < first[b]; });
    rank_.resize(count);
    for (NodeId rank = 0; rank < count; ++rank)
        rank_[order_[rank]] = rank;
    layers_.resize(sizes_.size() + 1);
    NodeId present = 0;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        while (present < count && first[order_[present]] <= layer)
            ++present;
        layers_[layer].present = present;
    }
    number_nodes();
    add_arcs();
}

std::uint64_t LayeredNetwork::memory_bytes(const Problem& problem, std::size_t steps) {
    constexpr std::uint64_t bytes_an_arc = 70;
    constexpr std::uint64_t bytes_a_node = 24;
    const std::uint64_t nodes = problem.network->node_count();
    const std::uint64_t arcs = 2 * problem.network->link_count() + 4 * nodes;
    return (steps + std::uint64_t{1}) * (arcs * bytes_an_arc + 4 * nodes * bytes_a_node);
}

void LayeredNetwork::number_nodes() {
    FlowNode next = 0;
    const auto take = [&](NodeId nodes) {
        const FlowNode first = next;
        next += nodes;
        return first;
    };
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        Layer& layer = layers_[i];
        layer.held = take(layer.present);
        layer.arriving = problem_.capacities.empty() || i == 0 ? layer.held : take(layer.present);
        layer.sending = layer.held;
        layer.receiving = layer.arriving;
        if (problem_.all_ports) continue;
        if (i < sizes_.size()) layer.sending = take(layer.present);
        if (i > 0) layer.receiving = take(layer.present);
    }
    flow_.source = take(1);
    flow_.sink = take(1);
    flow_.nodes = next + 1;  // the extras' node is the last
}

std::int64_t LayeredNetwork::passing(NodeId node, Step size) const {
    Tokens most = 0;
    if (__builtin_mul_overflow(problem_.ports_of(node), static_cast<Tokens>(size), &most))
        return unlimited_flow;
    return std::min<std::int64_t>(most, unlimited_flow);
}

template <class Visit>
void LayeredNetwork::for_links(std::size_t step, const Visit& visit) const {
    const network::Network& network = *problem_.network;
    FlowArc arc = layers_[step].links;
    for (NodeId rank = 0; rank < layers_[step].present; ++rank) {
        const NodeId node = order_[rank];
        if (problem_.ports_of(node) == 0) continue;
        const Port degree = network.degree(node);
        for (Port port = 0; port < degree; ++port) {
            const NodeId other = network.neighbour(node, port);
            if (problem_.ports_of(other) == 0) continue;
            const std::size_t then =
                step + (problem_.delays.empty() ? 1 : problem_.delays[network.link(node, port)]);
            if (then < layers_.size()) visit(arc++, rank, rank_[other], then);
        }
    }
}

void LayeredNetwork::add_arcs() {
    const NodeId count = problem_.network->node_count();
    flow_.reserve((sizes_.size() + 1) * (2 * problem_.network->link_count() +
                                         (problem_.plain() ? 3 : 4) * std::uint64_t{count}));
    const Layer& first = layers_.front();
    const Layer& last = layers_.back();
    for (NodeId rank = 0; rank < first.present; ++rank)
        start_.push_back(
            flow_.add_arc(flow_.source, first.held + rank, problem_.loads[order_[rank]]));
    const auto next_arc = [&] { return static_cast<FlowArc>(flow_.from.size()); };
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        Layer& from = layers_[i];
        Layer& to = layers_[i + 1];
        from.hold = next_arc();
        for (NodeId rank = 0; rank < from.present; ++rank)
            flow_.add_arc(from.held + rank, to.arriving + rank, unlimited_flow);
        if (!problem_.all_ports) {
            from.send = next_arc();
            for (NodeId rank = 0; rank < from.present; ++rank)
                flow_.add_arc(from.held + rank, from.sending + rank,
                              passing(order_[rank], sizes_[i]));
            to.receive = next_arc();
            for (NodeId rank = 0; rank < to.present; ++rank)
                flow_.add_arc(to.receiving + rank, to.arriving + rank,
                              passing(order_[rank], sizes_[i]));
        }
        to.capacity = next_arc();
        if (to.arriving != to.held)
            for (NodeId rank = 0; rank < to.present; ++rank)
                flow_.add_arc(to.arriving + rank, to.held + rank,
                              problem_.capacities[order_[rank]]);
        from.links = next_arc();
        const std::int64_t of_link =
            problem_.all_ports ? static_cast<std::int64_t>(sizes_[i]) : unlimited_flow;
        for_links(i, [&](FlowArc, NodeId tail, NodeId head, std::size_t then) {
            flow_.add_arc(from.sending + tail, layers_[then].receiving + head, of_link);
        });
    }
    base_ = next_arc();
    for (NodeId rank = 0; rank < last.present; ++rank)
        flow_.add_arc(last.held + rank, flow_.sink, problem_.target.base[order_[rank]]);
    extra_arcs_.assign(last.present, no_arc);
    for (NodeId rank = 0; rank < last.present; ++rank)
        if (problem_.target.extra_at(order_[rank]))
            extra_arcs_[rank] = flow_.add_arc(last.held + rank, flow_.nodes - 1, 1);
    extras_ = flow_.add_arc(flow_.nodes - 1, flow_.sink, problem_.target.extras);
}

std::vector<std::int64_t> LayeredNetwork::link_costs() const {
    std::vector<std::int64_t> costs(flow_.from.size(), 0);
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        for_links(i, [&](FlowArc arc, NodeId, NodeId, std::size_t) { costs[arc] = 1; });
    return costs;
}

std::vector<std::int64_t> LayeredNetwork::flow_of(const Routing& routing) const {
    EQUIPOISE_ASSERT(problem_.plain() && routing.steps.size() == sizes_.size());
    std::vector<std::int64_t> flow(flow_.from.size(), 0);
    const NodeId count = problem_.network->node_count();
    load::Loads held = routing.started;
    load::Loads sent(count, 0);
    load::Loads received(count, 0);
    std::vector<Tokens> to(count, 0);  // by head, of one sender
    for (NodeId rank = 0; rank < layers_.front().present; ++rank)
        flow[start_[rank]] = held[order_[rank]];
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const Layer& layer = layers_[i];
        std::fill(sent.begin(), sent.end(), 0);
        std::fill(received.begin(), received.end(), 0);
        std::vector<FatMove> moves = routing.steps[i].moves;
        std::sort(moves.begin(), moves.end(), [&](const FatMove& a, const FatMove& b) {
            return rank_[a.from] < rank_[b.from];
        });
        for (const FatMove& move : moves) {
            sent[move.from] += move.tokens;
            received[move.to] += move.tokens;
        }
        std::size_t next = 0;
        std::size_t begun = 0;
        NodeId at = no_node;
        for_links(i, [&](FlowArc arc, NodeId tail, NodeId head, std::size_t) {
            if (tail != at) {
                for (; begun < next; ++begun)
                    to[moves[begun].to] = 0;
                for (; next < moves.size() && rank_[moves[next].from] == tail; ++next)
                    to[moves[next].to] += moves[next].tokens;
                at = tail;
            }
            flow[arc] = to[order_[head]];
        });
        for (; begun < next; ++begun)
            to[moves[begun].to] = 0;
        for (NodeId rank = 0; rank < layer.present; ++rank) {
            flow[layer.hold + rank] = held[order_[rank]] - sent[order_[rank]];
            if (!problem_.all_ports) flow[layer.send + rank] = sent[order_[rank]];
        }
        for (NodeId rank = 0; rank < layers_[i + 1].present; ++rank) {
            const NodeId node = order_[rank];
            if (!problem_.all_ports) flow[layers_[i + 1].receive + rank] = received[node];
            held[node] += received[node] - sent[node];
        }
    }
    for (NodeId rank = 0; rank < layers_.back().present; ++rank) {
        const Tokens tokens = held[order_[rank]];
        flow[base_ + rank] = std::min(tokens, problem_.target.base[order_[rank]]);
        if (tokens == flow[base_ + rank]) continue;
        flow[extra_arcs_[rank]] = tokens - flow[base_ + rank];
        flow[extras_] += flow[extra_arcs_[rank]];
    }
    return flow;
}

Routing LayeredNetwork::routing_of(const std::vector<std::int64_t>& by_arc) const {
    Routing routing;
    routing.started.assign(problem_.network->node_count(), 0);
    for (NodeId rank = 0; rank < layers_.front().present; ++rank)
        routing.started[order_[rank]] = by_arc[start_[rank]];
    routing.steps.resize(sizes_.size());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        routing.steps[i].size = sizes_[i];
        for_links(i, [&](FlowArc arc, NodeId tail, NodeId head, std::size_t) {
            if (by_arc[arc] > 0)
                routing.steps[i].moves.push_back({order_[tail], order_[head], by_arc[arc]});
        });
        // Cycles of one step change nothing, unless their tokens are under way for longer.
        if (problem_.delays.empty())
            cancel_cycles(routing.steps[i], problem_.network->node_count());
    }
    return routing;
}

std::vector<std::size_t> LayeredNetwork::changing_steps(
    const std::vector<std::uint8_t>& source_side) const {
    std::vector<std::size_t> changing;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        for (NodeId rank = 0; rank < layers_[i + 1].present; ++rank)
            if (in_zone(source_side, i, rank) != in_zone(source_side, i + 1, rank)) {
                changing.push_back(i);
                break;
            }
    return changing;
}

Zone LayeredNetwork::zone_of(const std::vector<std::uint8_t>& side, std::size_t step) const {
    Zone zone;
    zone.steps = sizes_[step];
    const Layer& before = layers_[step];
    const Layer& after = layers_[step + 1];
    for (NodeId rank = 0; rank < before.present; ++rank) {
        if (!in_zone(side, step, rank)) continue;
        zone.nodes.push_back(order_[rank]);
        if (side[before.sending + rank] == 0 && problem_.ports_of(order_[rank]) > 0)
            zone.senders.push_back(order_[rank]);
    }
    for (NodeId rank = 0; rank < after.present; ++rank) {
        if (side[after.receiving + rank] != 0 && side[after.arriving + rank] == 0)
            zone.receivers.push_back(order_[rank]);
        if (side[after.arriving + rank] != 0 && !in_zone(side, step + 1, rank))
            zone.dropped.push_back(order_[rank]);
    }
    for (auto* list : {&zone.nodes, &zone.senders, &zone.receivers, &zone.dropped})
        std::sort(list->begin(), list->end());
    return zone;
}

Certificate LayeredNetwork::certificate_of(const std::vector<std::uint8_t>& source_side) const {
    Certificate certificate;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        Zone zone = zone_of(source_side, i);
        zone.first = certificate.steps;
        certificate.steps += zone.steps;
        Zone* const last = certificate.zones.empty() ? nullptr : &certificate.zones.back();
        if (last != nullptr && last->nodes == zone.nodes && last->senders == zone.senders &&
            last->receivers == zone.receivers && last->dropped == zone.dropped) {
            last->steps += zone.steps;
        } else {
            certificate.zones.push_back(std::move(zone));
        }
    }
    for (NodeId rank = 0; rank < layers_.back().present; ++rank)
        if (in_zone(source_side, sizes_.size(), rank))
            certificate.last_zone.push_back(order_[rank]);
    std::sort(certificate.last_zone.begin(), certificate.last_zone.end());
    add_up(problem_, certificate);
    return certificate;
}

CutOverTime LayeredNetwork::cut_over_time_of(const std::vector<std::uint8_t>& source_side) const {
    CutOverTime cut;
    cut.nodes.resize(problem_.network->node_count());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        for (NodeId rank = 0; rank < layers_[i].present; ++rank)
            if (Step& inside = cut.nodes[order_[rank]].inside; in_zone(source_side, i, rank))
                inside = std::min(inside, cut.steps);
        if (i < sizes_.size()) cut.steps += sizes_[i];
    }
    add_up(problem_, cut);
    return cut;
}

}  // namespace equipoise::optimum
