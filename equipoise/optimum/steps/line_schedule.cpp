#include "equipoise/optimum/steps/line_schedule.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "equipoise/load/line_timetable.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::optimum {

namespace {

/// The nodes of a line from end to end; nothing if the network is not a line of two or more nodes.
std::vector<NodeId> line_of(const network::Network& network) {
    const NodeId count = network.node_count();
    if (count < 2 || network.link_count() + 1 != count || network.degree_max() > 2) return {};
    NodeId node = 0;
    while (node < count && network.degree(node) != 1)
        ++node;
    if (node == count) return {};
    std::vector<NodeId> line{node};
    for (NodeId before = no_node; line.size() < count;) {
        const std::span<const NodeId> next = network.neighbours(node);
        if (network.degree(node) == 1 && before != no_node) return {};  // not connected
        before = std::exchange(node, next.front() == before ? next.back() : next.front());
        line.push_back(node);
    }
    return line;
}

struct Interval {
    Tokens least = 0;
    Tokens most = 0;
};

/// The net number of tokens that a node may send in this many steps: what it holds minus what it
/// may keep.
Interval surplus_of(const Problem& problem, NodeId node, bool exact, Tokens steps) {
    const Tokens load = problem.loads[node];
    const Tokens base = problem.target.base[node];
    const Tokens most_kept = base + (problem.target.extra_at(node) ? 1 : 0);
    return {std::max(load - most_kept, -steps), std::min(exact ? load - base : load, steps)};
}

/// What every node of the line is to hold at the end; nothing if no flows are possible.
std::vector<Tokens> final_loads(const Problem& problem, std::span<const NodeId> line,
                                Tokens steps) {
    const bool exact = problem.target.room() == load::total(problem.loads);
    if (!exact && problem.target.extras > 0) return {};
    std::vector<Interval> flows;  // over the link behind each node
    Interval flow;
    for (const NodeId node : line) {
        const Interval surplus = surplus_of(problem, node, exact, steps);
        if (surplus.least > surplus.most) return {};
        const Tokens slack = flows.size() + 1 == line.size() ? 0 : steps;
        flow = {std::max(flow.least + surplus.least, -slack),
                std::min(flow.most + surplus.most, slack)};
        if (flow.least > flow.most) return {};
        flows.push_back(flow);
    }
    std::vector<Tokens> ends(line.size());
    Tokens behind = 0;
    for (std::size_t i = line.size(); i-- > 0;) {
        const Interval surplus = surplus_of(problem, line[i], exact, steps);
        const Interval before = i == 0 ? Interval{} : flows[i - 1];
        const Tokens ahead = std::clamp<Tokens>(0, std::max(behind - surplus.most, before.least),
                                                std::min(behind - surplus.least, before.most));
        ends[i] = problem.loads[line[i]] - (behind - ahead);
        behind = ahead;
    }
    return ends;
}

}  // namespace

std::optional<std::vector<FatStep>> line_schedule(const Problem& problem, Step steps,
                                                  std::uint64_t moves_max) {
    const auto single = [](Tokens ports) { return ports == 1; };
    if (!problem.plain() || steps > moves_max ||
        !std::all_of(problem.ports.begin(), problem.ports.end(), single))
        return std::nullopt;
    const std::vector<NodeId> line = line_of(*problem.network);
    if (line.empty()) return std::nullopt;
    const std::vector<Tokens> ends = final_loads(problem, line, static_cast<Tokens>(steps));
    if (ends.empty()) return std::nullopt;
    std::vector<Tokens> supply;
    supply.reserve(line.size());
    for (const NodeId node : line)
        supply.push_back(problem.loads[node]);
    std::vector<load::LinkTimes> links;
    if (load::make_timetable(supply, ends, links) > steps) return std::nullopt;
    std::uint64_t moves = steps;
    for (const load::LinkTimes& link : links) {
        moves += static_cast<std::uint64_t>(link.flow < 0 ? -link.flow : link.flow);
        if (moves > moves_max) return std::nullopt;
    }
    std::vector<FatStep> schedule(steps);
    for (std::size_t e = 0; e < links.size(); ++e) {
        const bool onward = links[e].flow > 0;
        const auto amount = static_cast<Step>(onward ? links[e].flow : -links[e].flow);
        const NodeId from = line[onward ? e : e + 1];
        const NodeId to = line[onward ? e + 1 : e];
        for (Step i = 0; i < amount; ++i)
            schedule[links[e].first + i].moves.push_back({from, to, 1});
    }
    return schedule;
}

}  // namespace equipoise::optimum
