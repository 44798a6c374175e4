#pragma once
// From which machine each thing is led, so that no machine leads more than it may: as a flow.

#include <cstdint>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Things, each of which is led from one of several machines.
struct LeaderChoices {
    std::vector<Tokens> limits;  ///< by machine: how many it may lead, 0 or more
    /// By thing, and one more: where its choices begin. Each thing has some, those of the thing on
    /// different machines.
    std::vector<std::uint32_t> first = {0};
    std::vector<MachineId> machine;  ///< by choice
    std::vector<bool> is_change;     ///< by choice: whether it counts as a change

    [[nodiscard]] std::uint32_t things() const {
        return static_cast<std::uint32_t>(first.size() - 1);
    }
};

struct LeaderFlow {
    std::vector<std::uint32_t> chosen;  ///< by thing: the number of its choice
    Tokens over = 0;                    ///< what machines lead above their limits, in all
    Tokens changes = 0;
    /// By machine, from 0 to `over_price`: what it costs to be led there. They prove that no
    /// choice has a lower `over_price * over + changes`, as `at_least` adds up.
    std::vector<Tokens> prices;
    Tokens over_price = 0;  ///< more than all changes together
    /// By machine: whether it is in the set of those that lead too much, in all, since all things
    /// that it leads could be led from the set only. No other machine is above its limit.
    std::vector<bool> crowded;
};

// Problem: the least excess over limits and, with that, the fewest changes.
// Model: any things and machines.
// Source: minimum-cost flow by the primal-dual method (Ford, Fulkerson 1962), with blocking flows
//   (Dinic 1970), on a network of machines: an arc for every thing and other machine where it may
//   be led, at a cost of 1, 0 or -1. It is never stored.
// Guarantee: exact, with prices that prove it.
// Cost: O(choices + machines log machines) for each length of a path and each blocking flow; a
//   length is at most the number of machines, and mostly 1 or 2.

[[nodiscard]] LeaderFlow level_leaders(const LeaderChoices& choices);

/// What the prices prove: the sum over things of the cheapest choice, its change and its machine's
/// price together, less the prices of all that machines may lead.
[[nodiscard]] Int128 at_least(const LeaderChoices& choices, const std::vector<Tokens>& prices);

}  // namespace equipoise::reassign
