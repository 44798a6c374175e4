#include "equipoise/optimum/problem.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::optimum {

Tokens FinalLoads::room(std::span<const NodeId> nodes) const {
    Tokens sum = 0;
    Tokens may = 0;
    for (const NodeId node : nodes) {
        sum = checked_add(sum, base[node]);
        if (extra_at(node)) ++may;
    }
    return checked_add(sum, std::min(may, extras));
}

Tokens FinalLoads::room() const {
    Tokens sum = 0;
    for (const Tokens tokens : base)
        sum = checked_add(sum, tokens);
    const auto may = std::count(may_hold_extra.begin(), may_hold_extra.end(), true);
    return checked_add(sum, std::min<Tokens>(may, extras));
}

bool FinalLoads::allows(std::span<const Tokens> loads) const {
    Tokens used = 0;
    for (NodeId node = 0; node < loads.size(); ++node) {
        const Tokens above = loads[node] - base[node];
        if (above > 1 || (above == 1 && !extra_at(node))) return false;
        if (above == 1) ++used;
    }
    return used <= extras;
}

FinalLoads at_most(NodeId nodes, Tokens most) {
    return {load::Loads(nodes, most), {}, 0};
}

FinalLoads exact_up_to(std::span<const Tokens> loads, Tokens delta) {
    const auto nodes = static_cast<NodeId>(loads.size());
    return at_most(nodes, checked_add(load::mean_load(load::total(loads), nodes).ceiling, delta));
}

FinalLoads floor_or_ceiling(std::span<const Tokens> loads, std::span<const std::uint64_t> speeds,
                            const std::vector<bool>& pinned) {
    const auto nodes = static_cast<NodeId>(loads.size());
    const auto shares_in = [&](NodeId node) { return pinned.empty() || !pinned[node]; };
    const auto speed = [&](NodeId node) { return speeds.empty() ? UInt128{1} : speeds[node]; };
    if (!speeds.empty() && speeds.size() != loads.size())
        throw InputError("expected one speed for each of " + std::to_string(nodes) +
                         " nodes, found " + std::to_string(speeds.size()));
    UInt128 speed_total = 0;
    Tokens tokens = 0;
    for (NodeId node = 0; node < nodes; ++node) {
        if (!shares_in(node)) continue;
        speed_total += speed(node);
        tokens = checked_add(tokens, loads[node]);
    }
    if (speed_total == 0 && tokens > 0)
        throw InputError("expected a node that takes part and has a speed above 0, found none");
    FinalLoads target{load::Loads(loads.begin(), loads.end()), std::vector<bool>(nodes), tokens};
    if (speed_total == 0) return target;  // all stay as they are
    bool all_floors_zero = true;
    for (NodeId node = 0; node < nodes; ++node) {
        if (!shares_in(node)) continue;
        const UInt128 share = static_cast<UInt128>(tokens) * speed(node);  // below 2^61 * 2^64
        target.base[node] = static_cast<Tokens>(share / speed_total);
        target.may_hold_extra[node] = share % speed_total != 0;
        target.extras -= target.base[node];
        all_floors_zero = all_floors_zero && target.base[node] == 0;
    }
    // Fewer tokens than nodes: the same loads as "at most one".
    if (all_floors_zero && speeds.empty() && target.extras > 0) {
        for (NodeId node = 0; node < nodes; ++node)
            if (shares_in(node)) target.base[node] = 1;
        target.may_hold_extra.clear();
        target.extras = 0;
    }
    return target;
}

Tokens minimum_moves(std::span<const Tokens> loads, const FinalLoads& target) {
    Tokens moves = 0;
    Tokens spared = 0;
    for (NodeId node = 0; node < loads.size(); ++node) {
        if (loads[node] <= target.base[node]) continue;
        moves += loads[node] - target.base[node];
        if (target.extra_at(node)) ++spared;
    }
    return moves - std::min(spared, target.extras);
}

namespace {

void expect_one_each(std::size_t found, std::size_t wanted, const char* what, const char* each) {
    if (found != wanted)
        throw InputError(std::string("expected one ") + what + " for each of " +
                         std::to_string(wanted) + ' ' + each + ", found " + std::to_string(found));
}

}  // namespace

void Problem::check() const {
    const NodeId nodes = network->node_count();
    if (nodes == 0) throw InputError("the network has no nodes");
    expect_one_each(loads.size(), nodes, "load", "nodes");
    expect_one_each(target.base.size(), nodes, "final load", "nodes");
    if (!target.may_hold_extra.empty())
        expect_one_each(target.may_hold_extra.size(), nodes, "final load", "nodes");
    if (!ports.empty()) expect_one_each(ports.size(), nodes, "number of ports", "nodes");
    if (!capacities.empty()) expect_one_each(capacities.size(), nodes, "capacity", "nodes");
    if (!delays.empty()) expect_one_each(delays.size(), network->link_count(), "delay", "links");
    const auto negative = [](Tokens value) { return value < 0; };
    if (std::any_of(loads.begin(), loads.end(), negative) ||
        std::any_of(ports.begin(), ports.end(), negative) ||
        std::any_of(target.base.begin(), target.base.end(), negative))
        throw InputError("expected no negative load, final load or number of ports");
    if (all_ports && std::any_of(ports.begin(), ports.end(), [](Tokens held) { return held > 1; }))
        throw InputError("expected 0 or 1 as a number of ports, since all ports may be used");
    if (all_ports && !capacities.empty())
        throw InputError("expected no capacities if all ports may be used");
    if (std::find(delays.begin(), delays.end(), Step{0}) != delays.end())
        throw InputError("expected every link delay to be 1 step or more, found 0");
    for (NodeId node = 0; node < capacities.size(); ++node)
        if (loads[node] > capacities[node])
            throw InputError("node " + std::to_string(node) + " holds " +
                             std::to_string(loads[node]) + " tokens, more than its capacity of " +
                             std::to_string(capacities[node]));
    if (const Tokens tokens = load::total(loads), space = target.room(); tokens > space)
        throw InputError("the target has room for " + std::to_string(space) +
                         " tokens, but there are " + std::to_string(tokens));
}

FinalLoads within_capacities(FinalLoads target, std::span<const Tokens> capacities) {
    if (capacities.empty()) return target;
    for (NodeId node = 0; node < capacities.size(); ++node) {
        if (target.base[node] < capacities[node]) continue;
        target.base[node] = capacities[node];
        if (target.extra_at(node)) target.may_hold_extra[node] = false;
    }
    return target;
}

}  // namespace equipoise::optimum
