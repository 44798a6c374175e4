#include "equipoise/optimum/steps/phased_flow.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

PhasedFlow::Common PhasedFlow::common(const Phases& phases, Ends ends) {
    const auto [tail, head] = ends;
    const std::uint32_t one = phases.place(tail);
    const std::uint32_t other = phases.place(head);
    if (one + 1 != other && other + 1 != one) return {1, 0};
    return {std::max(phases.first(tail), phases.first(head)),
            std::min(phases.last(tail), phases.last(head))};
}

PhasedFlow::PhasedFlow(const Problem& problem, Phases phases, const PhasedFlow* coarse)
    : problem_(&problem), phases_(std::move(phases)), kinds_(problem.all_ports ? 1 : 3) {
    number_units();
    number_flows();
    find_room();
    for (const NodeId node : phases_.by_place()) {
        if (coarse != nullptr) follow(node, *coarse);
        keep(node, coarse);
    }
}

void PhasedFlow::number_units() {
    const NodeId count = problem_->network->node_count();
    Unit units = 0;
    unit_0_.reserve(count);
    for (NodeId node = 0; node < count; ++node) {
        const std::uint32_t first = phases_.first(node);
        unit_0_.push_back(units - first);
        units += phases_.last(node) - first + 1;
    }
    node_of_.reserve(units);
    most_out_.reserve(units);
    most_in_.reserve(units);
    for (NodeId node = 0; node < count; ++node)
        for (std::uint32_t phase = phases_.first(node); phase <= phases_.last(node); ++phase) {
            node_of_.push_back(node);
            most_out_.push_back(phases_.most_sent(node, phase));
            most_in_.push_back(phases_.most_received(node, phase));
        }
    hold_.assign(units, 0);
    if (multi()) return;
    out_.assign(units, 0);
    in_.assign(units, 0);
}

void PhasedFlow::number_flows() {
    const network::Network& network = *problem_->network;
    first_flow_.reserve(network.link_count() + 1);
    first_flow_.push_back(0);
    first_phase_.reserve(network.link_count());
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Common both = common(phases_, network.ends(link));
        first_phase_.push_back(both.first);
        first_flow_.push_back(first_flow_.back() + both.count());
    }
    sent_.assign(first_flow_.back(), 0);
    open_.reserve(sent_.size());
    for (LinkId link = 0; link < network.link_count(); ++link) {
        auto [near, far] = network.ends(link);
        if (phases_.place(near) > phases_.place(far)) std::swap(near, far);
        const Common both = common(phases_, {near, far});
        for (std::uint32_t phase = both.first; phase < both.first + both.count(); ++phase)
            open_.push_back(phases_.open(near, far, phase));
    }
}

void PhasedFlow::find_room() {
    const NodeId count = problem_->network->node_count();
    const FinalLoads& target = problem_->target;
    excess_.assign(1 + node_of_.size() * kinds_, 0);
    const auto may = std::count(target.may_hold_extra.begin(), target.may_hold_extra.end(), true);
    all_extras_ = target.extras >= may;
    filled_ = target.room() == load::total(problem_->loads);
    if (!all_extras_ && target.extras > 0) {
        extra_.assign(count, 0);
        excess_[hub] = -target.extras;
    }
    for (NodeId node = 0; node < count; ++node) {
        excess_[spot_of(first_unit(node))] = problem_->loads[node];
        if (!extra_.empty() && target.extra_at(node)) may_.push_back(node);
    }
}

/// The tokens that a coarser flow sends from a node, by phase and port.
std::vector<Tokens> PhasedFlow::wanted_from(NodeId node, const PhasedFlow& coarse) const {
    const network::Network& network = *problem_->network;
    const Port degree = network.degree(node);
    const std::uint32_t first = phases_.first(node);
    const std::uint32_t last = phases_.last(node);
    std::vector<Tokens> wanted(std::size_t{last - first + 1} * degree, 0);
    for (Port port = 0; port < degree; ++port) {
        const NodeId other = network.neighbour(node, port);
        if (phases_.place(node) + 1 != phases_.place(other)) continue;
        const LinkId link = network.link(node, port);
        const Common both = common(coarse.phases_, {node, other});
        for (std::uint32_t before = both.first; before < both.first + both.count(); ++before) {
            const Tokens tokens = coarse.sent_[coarse.flow_index(link, before)];
            if (tokens == 0) continue;
            const Phases::Span span = coarse.phases_.sending(node, before);
            EQUIPOISE_ASSERT(span.length() > 0);
            Tokens shared = 0;
            for (std::uint32_t phase = std::max(first, phases_.phase_of(span.first));
                 phase <= last && phases_.span(phase).first < span.end; ++phase) {
                const Phases::Span part{span.first, std::min(phases_.span(phase).end, span.end)};
                const auto by_then =
                    static_cast<Tokens>(Int128{tokens} * part.length() / span.length());
                wanted[std::size_t{phase - first} * degree + port] += by_then - shared;
                shared = by_then;
            }
        }
    }
    return wanted;
}

/// Sends what a coarser flow sends from a node, as far as it has the tokens and gates let them
/// pass. Expects the same of all nodes at the place before.
void PhasedFlow::follow(NodeId node, const PhasedFlow& coarse) {
    const network::Network& network = *problem_->network;
    const Port degree = network.degree(node);
    const std::uint32_t first = phases_.first(node);
    const std::uint32_t last = phases_.last(node);
    const std::vector<Tokens> wanted = wanted_from(node, coarse);
    for (std::uint32_t phase = first; phase <= last; ++phase) {
        const Unit unit = unit_of(node, phase);
        Tokens& held = excess_[spot_of(unit)];
        for (Port port = 0; port < degree; ++port) {
            Tokens tokens = std::min(held, wanted[std::size_t{phase - first} * degree + port]);
            if (tokens == 0) continue;
            const LinkId link = network.link(node, port);
            const std::uint64_t flow = flow_index(link, phase);
            // A phase before the first of both ends has a number far beyond the last.
            if (phase < first_phase_[link] || flow >= first_flow_[link + 1] || !open_[flow])
                continue;
            const Unit next = unit_of(network.neighbour(node, port), phase);
            if (multi()) {
                tokens = std::min({tokens, most_out_[unit] - sent_[flow], most_in_[next]});
            } else {
                tokens =
                    std::min({tokens, most_out_[unit] - out_[unit], most_in_[next] - in_[next]});
                out_[unit] += tokens;
                in_[next] += tokens;
            }
            sent_[flow] += tokens;
            held -= tokens;
            excess_[spot_of(next)] += tokens;
        }
        if (phase == last) break;
        hold_[unit] = held;
        excess_[spot_of(unit + 1)] += held;
        held = 0;
    }
}

/// Keeps what a node has until the end, as far as there is room; the rest is excess as early as
/// possible.
void PhasedFlow::keep(NodeId node, const PhasedFlow* coarse) {
    const bool extra = problem_->target.extra_at(node);
    const Unit first = first_unit(node);
    const Unit last = last_unit(node);
    if (coarse == nullptr)
        for (Unit unit = first; unit < last; ++unit) {
            hold_[unit] = excess_[spot_of(unit)];
            excess_[spot_of(unit + 1)] += hold_[unit];
            excess_[spot_of(unit)] = 0;
        }
    Tokens& rest = excess_[spot_of(last)];
    rest -= problem_->target.base[node] + (extra && all_extras_ ? 1 : 0);
    if (rest > 0 && coarse != nullptr && !extra_.empty() && coarse->extra_[node] > 0) {
        extra_[node] = 1;
        ++excess_[hub];
        --rest;
    }
    Tokens back = std::max<Tokens>(0, rest);
    rest -= back;
    for (Unit unit = last; back > 0; --unit) {
        const Tokens further = unit == first ? 0 : std::min(back, hold_[unit - 1]);
        excess_[spot_of(unit)] += back - further;
        if (further > 0) hold_[unit - 1] -= further;
        back = further;
    }
}

std::uint64_t PhasedFlow::bytes(const Problem& problem, const Phases& phases) {
    constexpr std::uint64_t spot_bytes = 21;
    const std::uint64_t kinds = problem.all_ports ? 1 : 3;
    const std::uint64_t units = phases.units();
    if (units >= std::numeric_limits<Spot>::max() / kinds)
        return std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t search =
        units * (kinds * (spot_bytes + sizeof(Tokens)) + 2 * sizeof(Tokens) + sizeof(NodeId));
    const std::uint64_t windows = flows_in(problem, phases) * sizeof(Window);
    return bytes_shrunk(problem, phases) + std::max(search, windows);
}

std::uint64_t PhasedFlow::bytes_shrunk(const Problem& problem, const Phases& phases) {
    constexpr std::uint64_t link_bytes = 12;
    constexpr std::uint64_t node_bytes = 100;  // with phases, and finer ones that are judged
    return flows_in(problem, phases) * sizeof(Tokens) + link_bytes * problem.network->link_count() +
           node_bytes * problem.network->node_count();
}

std::uint64_t PhasedFlow::flows_in(const Problem& problem, const Phases& phases) {
    std::uint64_t flows = 0;
    for (LinkId link = 0; link < problem.network->link_count(); ++link)
        flows += common(phases, problem.network->ends(link)).count();
    return flows;
}

PhasedFlow::Place PhasedFlow::place_of(Spot spot) const {
    if (spot == hub) return {spot, Kind::held, 0, 0, 0};
    const Unit unit = (spot - 1) / kinds_;
    const NodeId node = node_of_[unit];
    return {spot, static_cast<Kind>((spot - 1) % kinds_), unit, node, unit - unit_0_[node]};
}

std::uint32_t PhasedFlow::arcs_of(const Place& place) const {
    if (place.spot == hub) return static_cast<std::uint32_t>(may_.size());
    const Port degree = problem_->network->degree(place.node);
    if (place.kind == Kind::sends) return most_out_[place.unit] > 0 ? degree + 1 : 1;
    if (place.kind == Kind::receives) return most_in_[place.unit] > 0 ? degree + 1 : 1;
    const bool extra = !extra_.empty() && problem_->target.extra_at(place.node) &&
                       place.unit == last_unit(place.node);
    return (multi() ? degree : 2) + 2 + (extra ? 1 : 0);
}

/// Forward: to a node at the next place; otherwise from one at the place before.
PhasedFlow::Way PhasedFlow::over_port(const Place& place, Port port, bool forward) {
    const Way nothing{place.spot, &none_, 0, true};
    const network::Network& network = *problem_->network;
    const NodeId other = network.neighbour(place.node, port);
    if (forward != (phases_.place(other) > phases_.place(place.node))) return nothing;
    const LinkId link = network.link(place.node, port);
    if (place.phase < first_phase_[link]) return nothing;
    const std::uint64_t flow = flow_index(link, place.phase);
    if (flow >= first_flow_[link + 1] || !open_[flow]) return nothing;
    const Unit unit = unit_of(other, place.phase);
    if (!multi())
        return {spot_of(unit, forward ? Kind::receives : Kind::sends), &sent_[flow], tokens_max,
                forward};
    const Tokens most = forward ? std::min(most_out_[place.unit], most_in_[unit])
                                : std::min(most_out_[unit], most_in_[place.unit]);
    return {spot_of(unit), &sent_[flow], most, forward};
}

PhasedFlow::Way PhasedFlow::way(const Place& place, std::uint32_t i) {
    if (place.spot == hub) {
        const NodeId node = may_[i];
        return {spot_of(last_unit(node)), &extra_[node], 1, false};
    }
    const auto& [spot, kind, unit, node, phase] = place;
    const Way nothing{spot, &none_, 0, true};
    if (kind == Kind::sends)
        return i == 0 ? Way{spot_of(unit), &out_[unit], most_out_[unit], false}
                      : over_port(place, i - 1, true);
    if (kind == Kind::receives)
        return i == 0 ? Way{spot_of(unit), &in_[unit], most_in_[unit], true}
                      : over_port(place, i - 1, false);
    if (multi()) {
        const Port degree = problem_->network->degree(node);
        if (i < degree) {
            const NodeId other = problem_->network->neighbour(node, i);
            return over_port(place, i, phases_.place(other) > phases_.place(node));
        }
        i -= degree;
    } else if (i < 2) {
        return i == 0 ? Way{spot_of(unit, Kind::sends), &out_[unit], most_out_[unit], true}
                      : Way{spot_of(unit, Kind::receives), &in_[unit], most_in_[unit], false};
    } else {
        i -= 2;
    }
    if (i == 0)
        return unit == last_unit(node) ? nothing
                                       : Way{spot_of(unit + 1), &hold_[unit], tokens_max, true};
    if (i == 1)
        return unit == first_unit(node)
                   ? nothing
                   : Way{spot_of(unit - 1), &hold_[unit - 1], tokens_max, false};
    return {hub, &extra_[node], 1, true};
}

FlowOutcome PhasedFlow::carry(const std::stop_token& stop, std::uint64_t rounds_max) {
    const Limits limits{.until_stuck = true, .rounds_max = rounds_max};
    return filled_ ? push_all_from_many(sent_.size(), stop, limits)
                   : push_all(sent_.size(), stop, limits);
}

void PhasedFlow::shrink() {
    for (auto* numbers : {&excess_, &hold_, &out_, &in_, &most_out_, &most_in_})
        *numbers = {};
    node_of_ = {};
    unit_0_ = {};
    open_ = {};
    forget_search();
}

std::vector<Tokens> PhasedFlow::over_links() const {
    const network::Network& network = *problem_->network;
    std::vector<Tokens> tokens;
    tokens.reserve(network.link_count());
    for (LinkId link = 0; link < network.link_count(); ++link) {
        Tokens sum = 0;
        for (std::uint64_t i = first_flow_[link]; i < first_flow_[link + 1]; ++i)
            sum += sent_[i];
        const auto [tail, head] = network.ends(link);
        const bool forward = (tail < head) == (phases_.place(tail) < phases_.place(head));
        tokens.push_back(forward ? sum : -sum);
    }
    return tokens;
}

FlowOverTime PhasedFlow::flow_over_time() const {
    FlowOverTime flow;
    flow.steps = phases_.steps();
    const auto used =
        std::count_if(sent_.begin(), sent_.end(), [](Tokens sent) { return sent != 0; });
    flow.windows.reserve(static_cast<std::size_t>(used));
    const network::Network& network = *problem_->network;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        auto [near, far] = network.ends(link);
        if (phases_.place(near) > phases_.place(far)) std::swap(near, far);
        for (std::uint64_t i = first_flow_[link]; i < first_flow_[link + 1]; ++i) {
            if (sent_[i] == 0) continue;
            const std::uint32_t phase =
                first_phase_[link] + static_cast<std::uint32_t>(i - first_flow_[link]);
            const Phases::Span sends = phases_.sending(near, phase);
            const Phases::Time begin = sends.first + Phases::Time{phases_.place(near)};
            EQUIPOISE_ASSERT(begin >= 0);
            flow.windows.push_back(
                {near, far, static_cast<Step>(begin), static_cast<Step>(sends.length()), sent_[i]});
        }
    }
    return flow;
}

}  // namespace equipoise::optimum
