#include "equipoise/optimum/steps/phased_flow.hpp"

#include <algorithm>
#include <limits>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

/// Short phases from the first step of the outermost tokens to the root's, one long phase to the
/// last step that all nodes have, and short ones to the root's last.
std::vector<PhasedFlow::Time> PhasedFlow::moments_of(const Problem& problem,
                                                     View<std::uint32_t> distances, Step steps,
                                                     Step phase) {
    std::uint32_t furthest = 0;
    std::uint32_t furthest_loaded = 0;
    for (NodeId node = 0; node < distances.size(); ++node) {
        furthest = std::max(furthest, distances[node]);
        if (problem.loads[node] > 0) furthest_loaded = std::max(furthest_loaded, distances[node]);
    }
    const auto step = static_cast<Time>(phase);
    const auto end = static_cast<Time>(steps);
    std::vector<Time> moments;
    for (Time at = -static_cast<Time>(furthest_loaded); at < 0; at += step)
        moments.push_back(at);
    moments.push_back(0);
    const Time common = std::max<Time>(0, end - static_cast<Time>(furthest));
    const std::size_t before = moments.size();
    for (Time at = end; at > common; at -= step)
        moments.push_back(at);
    if (common > 0) moments.push_back(common);
    std::reverse(moments.begin() + static_cast<std::ptrdiff_t>(before), moments.end());
    return moments;
}

bool PhasedFlow::sends_in(NodeId node, std::uint32_t phase) const {
    const auto late = static_cast<Time>(distances_[node]);
    return problem_->ports_of(node) > 0 && moments_[phase] >= -late &&
           moments_[phase + std::size_t{1}] <= static_cast<Time>(steps_) - late;
}

// A token arrives in the step in which its sender, one nearer to the root, sends it.
bool PhasedFlow::receives_in(NodeId node, std::uint32_t phase) const {
    const Time late = static_cast<Time>(distances_[node]) - 1;
    return late >= 0 && problem_->ports_of(node) > 0 && moments_[phase] >= -late &&
           moments_[phase + std::size_t{1}] <= static_cast<Time>(steps_) - late;
}

PhasedFlow::Phases PhasedFlow::phases_of(NodeId node) const {
    const auto count = static_cast<std::uint32_t>(moments_.size() - 1);
    const auto takes_part = [&](std::uint32_t phase) {
        return sends_in(node, phase) || receives_in(node, phase);
    };
    Phases phases;
    while (phases.first < count && !takes_part(phases.first))
        ++phases.first;
    if (phases.first == count) return {0, 0};
    phases.last = count - 1;
    while (!takes_part(phases.last))
        --phases.last;
    return phases;
}

PhasedFlow::PhasedFlow(const Problem& problem, View<std::uint32_t> distances, Step steps,
                       Step phase)
    : problem_(&problem),
      distances_(distances),
      steps_(steps),
      kinds_(problem.all_ports ? 1 : 3),
      moments_(moments_of(problem, distances, steps, phase)) {
    const network::Network& network = *problem.network;
    const NodeId count = network.node_count();
    Unit units = 0;
    for (NodeId node = 0; node < count; ++node) {
        phases_.push_back(phases_of(node));
        first_unit_.push_back(units);
        units += phases_[node].last - phases_[node].first + 1;
    }
    node_of_.reserve(units);
    for (NodeId node = 0; node < count; ++node)
        node_of_.resize(first_unit_[node] + (phases_[node].last - phases_[node].first + 1), node);
    hold_.assign(units, 0);
    if (!multi()) {
        out_.assign(units, 0);
        in_.assign(units, 0);
    }
    std::uint64_t flows = 0;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        first_flow_.push_back(flows);
        const auto [tail, head] = network.ends(link);
        if (distances[tail] == distances[head]) continue;
        const std::uint32_t first = std::max(phases_[tail].first, phases_[head].first);
        const std::uint32_t last = std::min(phases_[tail].last, phases_[head].last);
        if (first <= last) flows += last - first + 1;
    }
    sent_.assign(flows, 0);

    excess_.assign(1 + std::size_t{units} * kinds_, 0);
    const FinalLoads& target = problem.target;
    const auto may = std::count(target.may_hold_extra.begin(), target.may_hold_extra.end(), true);
    const bool all_extras = target.extras >= may;  // enough for all
    if (!all_extras && target.extras > 0) {
        extra_.assign(count, 0);
        excess_[hub] = -target.extras;
    }
    for (NodeId node = 0; node < count; ++node) {
        const bool extra = target.extra_at(node);
        const Tokens room = target.base[node] + (extra && all_extras ? 1 : 0);
        if (extra && !extra_.empty()) may_.push_back(node);
        // What may stay stays, at first.
        const Tokens stays = std::min(room, problem.loads[node]);
        for (Unit unit = first_unit_[node]; unit < unit_of(node, phases_[node].last); ++unit)
            hold_[unit] = stays;
        excess_[spot_of(first_unit_[node])] += problem.loads[node] - stays;
        excess_[spot_of(unit_of(node, phases_[node].last))] += stays - room;
    }
}

bool PhasedFlow::fits(const Problem& problem, View<std::uint32_t> distances, Step steps, Step phase,
                      std::uint64_t bytes) {
    constexpr std::uint64_t spot_bytes = 21;
    const std::uint64_t kinds = problem.all_ports ? 1 : 3;
    const std::uint64_t unit_bytes = kinds * (spot_bytes + sizeof(Tokens)) + sizeof(NodeId);
    const std::uint64_t nodes = std::max<std::uint64_t>(1, problem.loads.size());
    const std::uint64_t of_phase =
        unit_bytes * nodes + sizeof(Tokens) * problem.network->link_count();
    const std::uint64_t phases = moments_of(problem, distances, steps, phase).size() - 1;
    return phases <= bytes / of_phase &&
           phases < std::numeric_limits<Spot>::max() / (kinds * nodes);
}

PhasedFlow::Place PhasedFlow::place_of(Spot spot) const {
    if (spot == hub) return {spot, Kind::held, 0, 0, 0, false, false};
    const Unit unit = (spot - 1) / kinds_;
    const NodeId node = node_of_[unit];
    const std::uint32_t phase = phases_[node].first + (unit - first_unit_[node]);
    return {spot,
            static_cast<Kind>((spot - 1) % kinds_),
            unit,
            node,
            phase,
            sends_in(node, phase),
            receives_in(node, phase)};
}

std::uint64_t PhasedFlow::flow_index(LinkId link, NodeId one, NodeId other,
                                     std::uint32_t phase) const {
    return first_flow_[link] + (phase - std::max(phases_[one].first, phases_[other].first));
}

std::uint32_t PhasedFlow::arcs_of(const Place& place) const {
    if (place.spot == hub) return static_cast<std::uint32_t>(may_.size());
    const Port degree = problem_->network->degree(place.node);
    if (place.kind == Kind::sends) return place.sends ? degree + 1 : 1;
    if (place.kind == Kind::receives) return place.receives ? degree + 1 : 1;
    const bool extra = place.phase == phases_[place.node].last && !extra_.empty() &&
                       problem_->target.extra_at(place.node);
    return (multi() ? degree : 2) + 2 + (extra ? 1 : 0);
}

/// Forward: to a node further from the root; otherwise from a nearer one. A node can receive in the
/// very phases in which a nearer one can send.
PhasedFlow::Way PhasedFlow::over_port(const Place& place, Port port, bool forward) {
    const Way nothing{place.spot, &none_, 0, true};
    if (forward ? !place.sends : !place.receives) return nothing;
    const NodeId other = problem_->network->neighbour(place.node, port);
    const Step here = distances_[place.node];
    if (distances_[other] != (forward ? here + 1 : here - 1) || problem_->ports_of(other) == 0)
        return nothing;
    Tokens* const flow = &sent_[flow_index(problem_->network->link(place.node, port), place.node,
                                           other, place.phase)];
    const Tokens most = multi() ? length(place.phase) : tokens_max;
    const Kind kind = multi() ? Kind::held : forward ? Kind::receives : Kind::sends;
    return {spot_of(unit_of(other, place.phase), kind), flow, most, forward};
}

PhasedFlow::Way PhasedFlow::way(const Place& place, std::uint32_t i) {
    if (place.spot == hub) {
        const NodeId node = may_[i];
        return {spot_of(unit_of(node, phases_[node].last)), &extra_[node], 1, false};
    }
    const auto& [spot, kind, unit, node, phase, sends, receives] = place;
    const Way nothing{spot, &none_, 0, true};
    const Tokens most = checked_multiply(problem_->ports_of(node), length(phase));
    const auto gate = [&](bool open) { return open ? most : 0; };
    if (kind == Kind::sends)
        return i == 0 ? Way{spot_of(unit), &out_[unit], gate(sends), false}
                      : over_port(place, i - 1, true);
    if (kind == Kind::receives)
        return i == 0 ? Way{spot_of(unit), &in_[unit], gate(receives), true}
                      : over_port(place, i - 1, false);
    if (multi()) {
        const Port degree = problem_->network->degree(node);
        if (i < degree) {
            const NodeId other = problem_->network->neighbour(node, i);
            return over_port(place, i, distances_[other] > distances_[node]);
        }
        i -= degree;
    } else if (i < 2) {
        return i == 0 ? Way{spot_of(unit, Kind::sends), &out_[unit], gate(sends), true}
                      : Way{spot_of(unit, Kind::receives), &in_[unit], gate(receives), false};
    } else {
        i -= 2;
    }
    if (i == 0)
        return phase == phases_[node].last ? nothing
                                           : Way{spot_of(unit + 1), &hold_[unit], tokens_max, true};
    if (i == 1)
        return phase == phases_[node].first
                   ? nothing
                   : Way{spot_of(unit - 1), &hold_[unit - 1], tokens_max, false};
    return {hub, &extra_[node], 1, true};
}

FlowOutcome PhasedFlow::carry(const std::stop_token& stop) {
    return push_all(sent_.size(), stop);
}

FlowOverTime PhasedFlow::flow_over_time() const {
    FlowOverTime flow;
    flow.steps = steps_;
    const network::Network& network = *problem_->network;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        auto [near, far] = network.ends(link);
        if (distances_[near] == distances_[far]) continue;
        if (distances_[near] > distances_[far]) std::swap(near, far);
        const std::uint32_t first = std::max(phases_[near].first, phases_[far].first);
        const std::uint32_t last = std::min(phases_[near].last, phases_[far].last);
        for (std::uint32_t phase = first; phase <= last && first <= last; ++phase) {
            const Tokens tokens = sent_[flow_index(link, near, far, phase)];
            if (tokens == 0) continue;
            const Time begin = moments_[phase] + static_cast<Time>(distances_[near]);
            EQUIPOISE_ASSERT(begin >= 0);
            flow.windows.push_back(
                {near, far, static_cast<Step>(begin), static_cast<Step>(length(phase)), tokens});
        }
    }
    return flow;
}

}  // namespace equipoise::optimum
