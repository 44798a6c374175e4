#include "equipoise/optimum/steps/layered_flow.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/steps/whole_steps.hpp"

namespace equipoise::optimum {

namespace {

/// Grows a list without room to spare, since these lists are large.
void grow(std::vector<Tokens>& list, std::size_t size) {
    list.reserve(size);
    list.resize(size, 0);
}

}  // namespace

LayeredFlow::LayeredFlow(const Problem& problem, Step steps)
    : problem_(&problem), count_(problem.network->node_count()), kinds_(kinds(problem)) {
    excess_.assign(1 + std::size_t{count_} * kinds_, 0);
    const FinalLoads& target = problem.target;
    const auto may = std::count(target.may_hold_extra.begin(), target.may_hold_extra.end(), true);
    const bool all_extras = target.extras >= may;  // enough for all
    if (!all_extras && target.extras > 0) {
        extra_.assign(count_, 0);
        excess_[hub] = -target.extras;
    }
    for (NodeId node = 0; node < count_; ++node) {
        const bool extra = target.extra_at(node);
        room_.push_back(target.base[node] + (extra && all_extras ? 1 : 0));
        if (extra && !extra_.empty()) may_.push_back(node);
        excess_[spot_of(node, 0)] = problem.loads[node] - room_[node];
    }
    while (steps_ < steps)
        add_step();
}

bool LayeredFlow::fits(const Problem& problem, Step steps, std::uint64_t bytes) {
    constexpr std::uint64_t search_bytes = 13;
    const std::uint64_t links = problem.network->link_count();
    const std::uint64_t spots = std::uint64_t{kinds(problem)} * problem.network->node_count();
    const std::uint64_t search = spots * search_bytes;
    // While a layer is added, one list is in memory twice.
    const std::uint64_t growing = std::max(2 * links, spots) * sizeof(Tokens);
    // While the flow is read, in its place.
    const std::uint64_t windows = links * sizeof(Window);
    const std::uint64_t layer =
        (2 * spots + 2 * links) * sizeof(Tokens) + std::max({search, growing, windows});
    return steps + 1 < bytes / std::max<std::uint64_t>(1, layer) &&
           steps + 1 < std::numeric_limits<Spot>::max() / std::max<std::uint64_t>(1, spots);
}

void LayeredFlow::add_step() {
    forget_search();
    const Step last = steps_++;
    const std::size_t of_nodes = steps_ * std::size_t{count_};
    grow(excess_, 1 + (of_nodes + count_) * kinds_);
    grow(hold_, of_nodes);
    if (!multi()) {
        grow(out_, of_nodes);
        grow(in_, of_nodes);
    }
    grow(sent_, steps_ * 2 * problem_->network->link_count());
    for (NodeId node = 0; node < count_; ++node) {
        Tokens& before = excess_[spot_of(node, last)];
        const Tokens came = before + room_[node] + (extra_.empty() ? 0 : extra_[node]);
        // At first, tokens without room wait for a way.
        const Tokens wait = last == 0 ? std::max<Tokens>(0, before) : 0;
        hold_[last * count_ + node] = came - wait;
        excess_[spot_of(node, steps_)] = before - wait;
        before = wait;
    }
}

void LayeredFlow::follow(std::span<const Tokens> flow) {
    const network::Network& network = *problem_->network;
    WholeSteps whole(*problem_, flow, steps_);
    for (Step step = 0; step < steps_; ++step) {
        const auto hold = hold_.begin() + static_cast<std::ptrdiff_t>(step * count_);
        std::copy(whole.held().begin(), whole.held().end(), hold);
        for (const auto& [from, port] : whole.next()) {
            ++sent_[index(from, port, step)];
            --hold[from];
            if (multi()) continue;
            ++out_[step * count_ + from];
            ++in_[step * count_ + network.neighbour(from, port)];
        }
    }
    for (NodeId node = 0; node < count_ && steps_ > 0; ++node) {
        excess_[spot_of(node, 0)] = 0;
        excess_[spot_of(node, steps_)] = whole.held()[node] - room_[node];
    }
    for (const NodeId node : may_)
        if (Tokens& above = excess_[spot_of(node, steps_)]; above > 0 && excess_[hub] < 0) {
            extra_[node] = 1;
            ++excess_[hub];
            --above;
        }
}

LayeredFlow::Place LayeredFlow::place_of(Spot spot) const {
    const Spot at = (spot - 1) / kinds_;
    const Step layer = at / count_;
    return {spot, static_cast<Kind>((spot - 1) % kinds_), static_cast<NodeId>(at - layer * count_),
            layer};
}

std::uint64_t LayeredFlow::index(NodeId node, Port port, Step step) const {
    const network::Network& network = *problem_->network;
    return 2 * (step * network.link_count() + network.link(node, port)) +
           (node < network.neighbour(node, port) ? 0 : 1);
}

std::uint32_t LayeredFlow::arcs_of(const Place& place) const {
    if (place.spot == hub) return static_cast<std::uint32_t>(may_.size());
    const Port degree = problem_->network->degree(place.node);
    if (place.kind != Kind::held) return degree + 1;
    const bool extra =
        place.layer == steps_ && !extra_.empty() && problem_->target.extra_at(place.node);
    return (multi() ? 2 * degree + 2 : 4) + (extra ? 1 : 0);
}

/// Forward: what the place sends in the step after its layer; otherwise what arrives in the step
/// before.
LayeredFlow::Way LayeredFlow::over_link(const Place& place, Port port, bool forward) {
    if (forward ? place.layer == steps_ : place.layer == 0) return {place.spot, &none_, 0, true};
    const NodeId other = problem_->network->neighbour(place.node, port);
    const Tokens most = problem_->ports_of(place.node) == 0 || problem_->ports_of(other) == 0 ? 0
                        : multi()                                                             ? 1
                                  : tokens_max;
    if (forward)
        return {spot_of(other, place.layer + 1, multi() ? Kind::held : Kind::receives),
                &sent_[index(place.node, port, place.layer)], most, true};
    const std::uint64_t sent = index(place.node, port, place.layer - 1) ^ 1U;
    return {spot_of(other, place.layer - 1, multi() ? Kind::held : Kind::sends), &sent_[sent], most,
            false};
}

LayeredFlow::Way LayeredFlow::way(const Place& place, std::uint32_t i) {
    if (place.spot == hub) return {spot_of(may_[i], steps_), &extra_[may_[i]], 1, false};
    const auto& [spot, kind, node, layer] = place;
    const std::size_t after = layer * count_ + node;  // the step that begins here, and
    const std::size_t before = after - count_;        // the one that ends here
    const Tokens ports = problem_->ports_of(node);
    const bool first = layer == 0;
    const bool last = layer == steps_;
    const Way nothing{spot, &none_, 0, true};
    if (kind == Kind::sends)
        return last     ? nothing
               : i == 0 ? Way{spot_of(node, layer), &out_[after], ports, false}
                        : over_link(place, i - 1, true);
    if (kind == Kind::receives)
        return first    ? nothing
               : i == 0 ? Way{spot_of(node, layer), &in_[before], ports, true}
                        : over_link(place, i - 1, false);
    if (multi()) {
        const Port degree = problem_->network->degree(node);
        if (i < degree) return over_link(place, i, true);
        if (i < 2 * degree) return over_link(place, i - degree, false);
        i -= 2 * degree;
    } else if (i < 2) {
        if (i == 0)
            return last ? nothing
                        : Way{spot_of(node, layer, Kind::sends), &out_[after], ports, true};
        return first ? nothing
                     : Way{spot_of(node, layer, Kind::receives), &in_[before], ports, false};
    } else {
        i -= 2;
    }
    if (i == 0)
        return last ? nothing : Way{spot_of(node, layer + 1), &hold_[after], tokens_max, true};
    if (i == 1)
        return first ? nothing : Way{spot_of(node, layer - 1), &hold_[before], tokens_max, false};
    return {hub, &extra_[node], 1, true};
}

FlowOutcome LayeredFlow::carry(const std::stop_token& stop) {
    return push_all(steps_ * problem_->network->link_count(), stop);
}

void LayeredFlow::shrink() {
    for (auto* numbers : {&excess_, &hold_, &out_, &in_})
        *numbers = {};
    forget_search();
}

FlowOverTime LayeredFlow::flow_over_time() const {
    FlowOverTime flow;
    flow.steps = steps_;
    std::size_t used = 0;
    for (std::size_t i = 0; i < sent_.size(); i += 2)
        used += sent_[i] != sent_[i + 1] ? 1 : 0;
    flow.windows.reserve(used);
    const network::Network& network = *problem_->network;
    for (NodeId node = 0; node < count_; ++node)
        for (Port port = 0; port < network.degree(node); ++port) {
            Tokens rate = 0;  // of the step before
            for (Step step = 0; step < steps_; ++step) {
                const std::uint64_t at = index(node, port, step);
                // Tokens that come back in the same step might as well stay.
                const Tokens sent = std::max<Tokens>(0, sent_[at] - sent_[at ^ 1U]);
                if (sent > 0 && sent == rate) {
                    ++flow.windows.back().steps;
                    flow.windows.back().tokens += sent;
                } else if (sent > 0) {
                    flow.windows.push_back({node, network.neighbour(node, port), step, 1, sent});
                }
                rate = sent;
            }
        }
    return flow;
}

/// The gates of one step: among the smallest covers of the links that cross the cut, the one with
/// the most senders.
void LayeredFlow::find_gates(Step step, CutOverTime& cut) const {
    const network::Network& network = *problem_->network;
    const auto takes_part = [&](NodeId node) { return problem_->ports_of(node) > 0; };
    const auto outside = [&](NodeId node) {
        return cut.nodes[node].inside > step + 1 && takes_part(node);
    };
    FlowNetwork crossing;
    crossing.nodes = count_ + 2;
    crossing.source = count_;
    crossing.sink = count_ + 1;
    std::vector<std::int64_t> start;  // what passes already
    std::vector<Tokens> received(count_, 0);
    std::vector<bool> receives(count_, false);
    std::vector<NodeId> senders;
    for (NodeId node = 0; node < count_; ++node) {
        if (cut.nodes[node].inside > step || !takes_part(node)) continue;
        Tokens sent = 0;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (!outside(other)) continue;
            if (senders.empty() || senders.back() != node) senders.push_back(node);
            receives[other] = true;
            const Tokens passes = std::min(sent_[index(node, port, step)],
                                           problem_->ports_of(other) - received[other]);
            sent += passes;
            received[other] += passes;
            crossing.add_arc(node, other, unlimited_flow);
            start.push_back(passes);
        }
        if (senders.empty() || senders.back() != node) continue;
        crossing.add_arc(crossing.source, node, problem_->ports_of(node));
        start.push_back(sent);
    }
    for (NodeId node = 0; node < count_; ++node) {
        if (!receives[node]) continue;
        crossing.add_arc(node, crossing.sink, problem_->ports_of(node));
        start.push_back(received[node]);
    }
    const Flow flow = maximum_flow(crossing, std::move(start));
    for (const NodeId node : senders) {
        if (flow.source_side[node] != 0) continue;
        CutOverTime::Node& at = cut.nodes[node];
        if (at.send_end == 0) at.send_first = step;
        at.send_end = step + 1;
    }
    for (NodeId node = 0; node < count_; ++node) {
        if (!receives[node] || flow.source_side[node] == 0) continue;
        CutOverTime::Node& at = cut.nodes[node];
        if (at.receive_end == 0) at.receive_first = step;
        at.receive_end = step + 1;
    }
}

CutOverTime LayeredFlow::cut() const {
    CutOverTime cut;
    cut.steps = steps_;
    cut.nodes.resize(count_);
    for (NodeId node = 0; node < count_; ++node)
        for (Step layer = 0; layer <= steps_; ++layer)
            if (level_[spot_of(node, layer)] == unreached) {
                cut.nodes[node].inside = layer;
                break;
            }
    if (!multi())
        for (Step step = 0; step < steps_; ++step)
            find_gates(step, cut);
    add_up(*problem_, cut);
    EQUIPOISE_ASSERT(cut.surplus > cut.crossings);
    return cut;
}

}  // namespace equipoise::optimum
