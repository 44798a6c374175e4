#include "equipoise/optimum/steps/phases.hpp"

#include <numeric>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/steps/gate_limits.hpp"

namespace equipoise::optimum {

namespace {

/// About `pieces` of the places that have a weight, or all if they are fewer; among them the first
/// and the last, with about the same weight between them. Clears `all` if some are left out.
std::vector<std::uint32_t> shares_of(const std::vector<Int128>& weights, std::uint32_t pieces,
                                     bool& all) {
    const Int128 sum = std::accumulate(weights.begin(), weights.end(), Int128{0});
    const auto some = std::count_if(weights.begin(), weights.end(),
                                    [](const Int128& weight) { return weight > 0; });
    const bool each = some <= static_cast<std::ptrdiff_t>(pieces);
    all = all && each;
    std::vector<std::uint32_t> places;
    Int128 before = 0;
    Int128 next = 0;
    std::uint32_t last = 0;
    for (std::uint32_t place = 0; place < weights.size(); ++place) {
        if (weights[place] == 0) continue;
        last = place;
        if (each || before * pieces >= next) {
            places.push_back(place);
            next += sum;
        }
        before += weights[place];
    }
    if (!places.empty() && places.back() != last) places.push_back(last);
    return places;
}

}  // namespace

Phases::Phases(const Problem& problem, View<std::uint32_t> places, Step steps, std::uint32_t pieces)
    : problem_(&problem), places_(places), end_(static_cast<Time>(steps)), relaxed_(pieces == 0) {
    EQUIPOISE_ASSERT(steps >= 1);
    if (relaxed_) {
        moments_ = {0, end_};
        parts_.assign(places_.size(), {});
        for (NodeId node = 0; node < places_.size(); ++node)
            if (problem.ports_of(node) > 0) parts_[node].starts = parts_[node].inflow = 0;
        return;
    }
    find_moments(pieces);
    find_parts();
}

Phases Phases::delayed(const Problem& problem, View<std::uint32_t> places, Step steps) {
    Phases phases(problem, places, steps, 0);
    phases.find_delays();
    return phases;
}

template <class Look>
void Phases::for_neighbours(NodeId node, bool before, const Look& look) const {
    for (const NodeId other : problem_->network->neighbours(node)) {
        const NodeId near = before ? other : node;
        const NodeId far = before ? node : other;
        if (places_[near] + 1 == places_[far] && parts_[other].starts != never) look(other);
    }
}

/// By node, the most steps before it begins to send. Nodes that no token reaches take no part.
std::vector<Phases::Time> Phases::find_late(const std::vector<NodeId>& order) {
    std::vector<Time> late(places_.size(), 0);
    for (const NodeId node : order) {
        if (parts_[node].starts == never) continue;
        Time joined = 0;  // when all inflow can have begun to arrive
        Tokens after = 0;
        for_neighbours(node, true,
                       [&](NodeId other) { joined = std::max(joined, late[other] + 1); });
        for_neighbours(node, false, [&](NodeId /*other*/) { ++after; });
        const Tokens load = problem_->loads[node];
        const Tokens a_step =
            std::max<Tokens>(problem_->all_ports ? after : problem_->ports_of(node), 1);
        if (joined == 0 && load == 0) parts_[node] = {};
        // So many steps of its outflow, and one more, are there from the beginning.
        late[node] = joined - std::clamp<Time>(load / a_step - 1, 0, joined);
    }
    return late;
}

/// By node, the most steps from its last one to the end: one for each node after it on a way that
/// keeps less than it may receive in a step.
std::vector<Phases::Time> Phases::find_early(const std::vector<NodeId>& order) const {
    const bool filled = problem_->target.room() == load::total(problem_->loads);
    std::vector<Time> early(places_.size(), 0);
    std::vector<bool> passes(places_.size(), false);  // tokens on
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        if (parts_[*node].starts == never) continue;
        Tokens before = 0;
        for_neighbours(*node, true, [&](NodeId /*other*/) { ++before; });
        const Tokens a_step = problem_->all_ports ? before : problem_->ports_of(*node);
        const bool keeps = filled && problem_->target.base[*node] >= a_step;
        const Time at_most = !passes[*node] ? 0 : early[*node] + (keeps ? 0 : 1);
        for_neighbours(*node, true, [&](NodeId other) {
            passes[other] = true;
            early[other] = std::max(early[other], at_most);
        });
    }
    return early;
}

/// Counts all steps that a node loses as if it lost them at the beginning.
void Phases::find_delays() {
    const std::vector<NodeId> order = by_place();
    const std::vector<Time> late = find_late(order);
    const std::vector<Time> early = find_early(order);
    for (const NodeId node : order) {
        Part& part = parts_[node];
        if (part.starts == never) continue;
        part.starts = late[node] + early[node];
        part.inflow = 0;
        for_neighbours(node, true, [&](NodeId other) {
            part.inflow = std::max(part.inflow, late[other] + early[other]);
        });
    }
}

void Phases::find_moments(std::uint32_t pieces) {
    const std::uint32_t furthest = *std::max_element(places_.begin(), places_.end());
    std::vector<Int128> above(furthest + std::size_t{1}, 0);
    std::vector<Int128> below(furthest + std::size_t{1}, 0);
    std::uint32_t furthest_loaded = 0;
    for (NodeId node = 0; node < places_.size(); ++node) {
        if (problem_->loads[node] > 0) furthest_loaded = std::max(furthest_loaded, places_[node]);
        const Tokens more = problem_->loads[node] - problem_->target.base[node];
        const bool begins = more > 0 || (pieces == whole && problem_->loads[node] > 0);
        above[places_[node]] += begins ? std::max<Tokens>(1, more) : 0;
        // Nodes that only pass tokens on end as well.
        below[places_[node]] += 1 + std::max<Tokens>(0, -more);
    }
    finest_ = true;
    moments_ = {-Time{furthest_loaded}, end_};
    for (const std::uint32_t place : shares_of(above, pieces, finest_))
        moments_.push_back(-Time{place});
    for (const std::uint32_t place : shares_of(below, pieces, finest_))
        moments_.push_back(end_ - Time{place});
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
    const auto from = std::lower_bound(moments_.begin(), moments_.end(), -Time{furthest_loaded});
    moments_.erase(moments_.begin(), from);
}

std::uint64_t Phases::units() const {
    std::uint64_t sum = 0;
    for (const Part& part : parts_)
        sum += part.last - part.first + 1;
    return sum;
}

std::uint32_t Phases::phase_of(Time time) const {
    const auto after = std::upper_bound(moments_.begin() + 1, moments_.end() - 1, time);
    return static_cast<std::uint32_t>(after - moments_.begin() - 1);
}

std::vector<NodeId> Phases::by_place() const {
    std::vector<NodeId> order(places_.size());
    std::iota(order.begin(), order.end(), NodeId{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](NodeId a, NodeId b) { return places_[a] < places_[b]; });
    return order;
}

Phases::Span Phases::sending(NodeId node, std::uint32_t phase) const {
    const Part& part = parts_[node];
    if (phase == part.last && !part.sends_at_last) return {};
    return {std::max(moments_[phase], part.starts),
            std::min(moments_[phase + std::size_t{1}], end_of(node))};
}

Phases::Span Phases::receiving(NodeId node, std::uint32_t phase) const {
    const Part& part = parts_[node];
    return {phase == part.first ? std::max(moments_[phase], part.inflow) : moments_[phase],
            std::min(moments_[phase + std::size_t{1}], end_of(node) + 1)};
}

bool Phases::open(NodeId from, NodeId to, std::uint32_t phase) const {
    if (places_[from] + 1 != places_[to] || parts_[to].inflow == never) return false;
    const Span sends = sending(from, phase);
    if (relaxed_) return sends.length() > 0 && receiving(to, phase).length() > 0;
    return sends.length() > 0 && sends.first == receiving(to, phase).first;
}

Tokens Phases::most_sent(NodeId node, std::uint32_t phase) const {
    const Tokens steps = sending(node, phase).length();
    return most_passing(problem_->all_ports ? 1 : problem_->ports_of(node), steps);
}

Tokens Phases::most_received(NodeId node, std::uint32_t phase) const {
    const Tokens steps = receiving(node, phase).length();
    const Part& part = parts_[node];
    const bool slow = phase == part.last && part.slow_at_last;
    if (!problem_->all_ports)
        return most_passing(slow ? problem_->target.base[node] : problem_->ports_of(node), steps);
    if (!slow) return steps;
    return static_cast<Tokens>(Int128{problem_->target.base[node]} * steps / part.before);
}

void Phases::find_parts() {
    parts_.assign(places_.size(), {});
    // Whether every node holds its base in the end, and not less.
    const bool filled = problem_->target.room() == load::total(problem_->loads);
    for (const NodeId node : by_place()) {
        if (problem_->ports_of(node) == 0) continue;
        find_first(node);
        find_last(node, filled);
    }
}

/// Expects the parts of all nodes at the place before.
void Phases::find_first(NodeId node) {
    Part& part = parts_[node];
    Tokens after = 0;
    for (const NodeId other : problem_->network->neighbours(node)) {
        if (problem_->ports_of(other) == 0) continue;
        if (places_[other] + 1 == places_[node]) {
            ++part.before;
            part.inflow = std::min(part.inflow, parts_[other].starts);
        }
        if (places_[node] + 1 == places_[other]) ++after;
    }
    part.starts = part.inflow;
    if (problem_->loads[node] == 0) return;
    // If tokens come within its first phase, it lives on its own until then, or waits.
    const Time own = -Time{places_[node]};
    const Tokens a_step = problem_->all_ports ? after : problem_->ports_of(node);
    const bool lasts = part.inflow == never || phase_of(own) != phase_of(part.inflow) ||
                       Int128{problem_->loads[node]} >= Int128{a_step} * Int128{part.inflow - own};
    if (lasts) part.starts = own;
}

void Phases::find_last(NodeId node, bool filled) {
    Part& part = parts_[node];
    const Time end = end_of(node);
    const Time last = part.inflow == never ? end - 1 : end;
    if (part.starts > last) {
        part = {};
        return;
    }
    part.first = phase_of(part.starts);
    part.last = phase_of(last);
    // It receives at `end`, but sends no longer: what comes then must stay.
    if (part.inflow == never || end >= moments_[part.last + std::size_t{1}] ||
        sending(node, part.last).length() == 0)
        return;
    const Tokens keeps = filled ? problem_->target.base[node] : 0;
    const Tokens comes = problem_->all_ports ? Tokens{part.before} : problem_->ports_of(node);
    part.sends_at_last = keeps > 0;
    part.slow_at_last = keeps > 0 && keeps < comes;
}

}  // namespace equipoise::optimum
