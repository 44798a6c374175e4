#pragma once
// The fewest steps by trying all schedules.

#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// Calls `visit(loads, moves)` for every step that is possible: every node sends at most one token
/// that it holds to a neighbour and receives at most one.
inline void for_each_step_with_moves(const network::Network& network, const load::Loads& loads,
                                     const std::function<void(const load::Loads&, Tokens)>& visit) {
    load::Loads next = loads;
    Tokens moves = 0;
    std::vector<bool> receives(loads.size(), false);
    const std::function<void(NodeId)> choose = [&](NodeId node) {
        if (node == loads.size()) {
            visit(next, moves);
            return;
        }
        choose(node + 1);
        if (loads[node] == 0) return;
        for (const NodeId other : network.neighbours(node)) {
            if (receives[other]) continue;
            receives[other] = true;
            --next[node];
            ++next[other];
            ++moves;
            choose(node + 1);
            receives[other] = false;
            ++next[node];
            --next[other];
            --moves;
        }
    };
    choose(0);
}

/// The same without the number of moves.
inline void for_each_step(const network::Network& network, const load::Loads& loads,
                          const std::function<void(const load::Loads&)>& visit) {
    for_each_step_with_moves(network, loads,
                             [&](const load::Loads& after, Tokens) { visit(after); });
}

/// The fewest steps from some loads to wanted ones, by breadth-first search over all loads that are
/// `possible`.
inline Step fewest_steps_by_search(
    const network::Network& network, const load::Loads& loads,
    const std::function<bool(const load::Loads&)>& wanted,
    const std::function<bool(const load::Loads&)>& possible = [](const load::Loads&) {
        return true;
    }) {
    std::map<load::Loads, Step> steps = {{loads, 0}};
    std::deque<load::Loads> open = {loads};
    while (!open.empty()) {
        const load::Loads at = open.front();
        open.pop_front();
        const Step now = steps[at];
        if (wanted(at)) return now;
        for_each_step(network, at, [&](const load::Loads& next) {
            if (possible(next) && steps.try_emplace(next, now + 1).second) open.push_back(next);
        });
    }
    return ~Step{0};
}

}  // namespace equipoise::test
