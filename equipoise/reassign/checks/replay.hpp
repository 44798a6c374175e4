#pragma once
// Replays a schedule move by move, whoever made it.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct Replayed {
    bool allowed = false;           ///< every move is allowed
    bool within_budget = false;     ///< what moves, and the waves, are within `Problem::budget`
    std::string fault;              ///< the first that is not, in words; empty: none
    std::size_t fault_at = 0;       ///< a move of the first wave with a fault: one that it is about
    std::vector<MachineId> places;  ///< in the end (or before the wave of the fault)
    Standing end;                   ///< how these stand
    Step waves = 0;                 ///< with moves in them (before the wave of the fault)
    std::vector<Tokens> moved;      ///< by resource, every move; the first one is moves
    /// By machine, then resource: most that it held on the way, counted as below.
    std::vector<Tokens> peaks;
    /// By wave: seconds, if rates a second are known; empty otherwise. Infinite where a rate is 0.
    std::vector<double> seconds;
};

/// Replays moves in the order of their waves. A move is allowed if the item is where the move
/// begins, goes elsewhere, moves once in the wave, may be where it goes (`Problem::may_be_on`), and
/// if in its wave
/// - no machine gives or takes more than it may (`gives`, `takes`, `at_once`; where `gives` or
///   `takes` is 0, not even items that need nothing), or both together (`half_duplex`). The machine
///   that gives is the one that the item leaves or, where it is copied from another item, the one
///   on which that is when the wave begins (`CopySources`); what is outside gives without limit;
/// - no machine that takes some of a resource holds more of it than its capacity. It holds what it
///   held before the wave and all that arrives; less what leaves in the wave, if the resource is
///   released at once; and if it is released after the last wave, what all items need that have
///   been there so far, each counted once;
/// - no item arrives where one is, or arrives in the same wave, from which it must be apart; items
///   that leave in the wave are still there, except for rules that do not hold `on_the_way`;
/// and if after the wave no rule is broken further than it was in the beginning: at least as many
/// items on a machine as its least number, or as it had; for items of one value that are spread,
/// and for each pair of services that are to be near, the sum of `BrokenRule::by` over all places.
/// (Capacities, drained machines, items that are apart and those where they must not be get no
/// worse by what is said above.) `Problem::only_if_above` is not looked at here (see givers.hpp).
/// Cost O(moves log moves + items (resources + labels) log items + in each wave, what the machines,
/// values and pairs that it touches have).
[[nodiscard]] Replayed replay(const Problem& problem, std::span<const Move> moves);

/// Where items are after the moves, in their order, whether they are allowed or not.
[[nodiscard]] std::vector<MachineId> places_after(const Problem& problem,
                                                  std::span<const Move> moves);

}  // namespace equipoise::reassign
