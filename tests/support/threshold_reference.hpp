#pragma once
// The protocols THRESHOLD-1 and THRESHOLD-2 as the paper prints them, one step at a time, to check
// theorems without an engine.

#include <algorithm>

#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::test {

/// Plays step t: one token over every link of colour t mod chi whose ends differ by at least
/// `threshold`. Returns the largest discrepancy of an active link before the move.
inline Tokens threshold_step(const network::Network& network,
                             const network::EdgeColouring& colouring, load::Loads& loads, Step step,
                             Tokens threshold) {
    Tokens worst = 0;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        if (colouring.by_link[link] != step % colouring.colour_count) continue;
        const auto [v, w] = network.ends(link);
        const Tokens difference = loads[v] - loads[w];
        worst = std::max(worst, difference < 0 ? -difference : difference);
        if (difference >= threshold) {
            --loads[v];
            ++loads[w];
        } else if (difference <= -threshold) {
            ++loads[v];
            --loads[w];
        }
    }
    return worst;
}

/// The largest discrepancy of an active link during one phase (chi * n steps) of THRESHOLD-1 that
/// starts at `step`; moves the loads to the end of the phase.
inline Tokens threshold_1_phase(const network::Network& tree,
                                const network::EdgeColouring& colouring, load::Loads& loads,
                                Step step) {
    Tokens worst = 0;
    const Step steps = Step{colouring.colour_count} * tree.node_count();
    for (Step i = 0; i < steps; ++i)
        worst = std::max(worst, threshold_step(tree, colouring, loads, step + i, 1));
    return worst;
}

/// The definition of a stable distribution under THRESHOLD-1 on a tree, played out: after a phase
/// the loads are the same again, and no active link has had a discrepancy of 2.
inline bool is_stable_when_played(const network::Network& tree,
                                  const network::EdgeColouring& colouring, load::Loads loads,
                                  Step step) {
    const load::Loads before = loads;
    return threshold_1_phase(tree, colouring, loads, step) <= 1 && loads == before;
}

/// The next of all loads in {0 .. most}^n, starting with all zeros; false after the last.
inline bool next_loads(load::Loads& loads, Tokens most) {
    for (auto& load : loads) {
        if (++load <= most) return true;
        load = 0;
    }
    return false;
}

}  // namespace equipoise::test
