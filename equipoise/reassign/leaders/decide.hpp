#pragma once
// Which leaders change once it is known where items end.

#include <span>
#include <vector>

#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct LeaderPlan {
    std::vector<LeaderChange> changes;  ///< in the order of things
    // For all changes that `replay_leaders` allows with items where they are, after which given
    // leaders lead where they may.
    Bound over;     ///< on what machines lead above their limits
    Bound changed;  ///< on changes, given that
};

/// The changes of leaders that must be, when items are on these places: to given leaders, where
/// that is allowed; away from drained machines, where some other item may lead; and, if leaders are
/// to be level, so many that what machines lead above `Problem::leader_limits` is least, and no
/// more: both are exact (leader_flow.hpp). All other things are led by the item that led them,
/// wherever it has gone. Things that nobody led get no leader but a given one. Leaders on pinned
/// machines stay, and no other item of these begins to lead.
[[nodiscard]] LeaderPlan decide_leaders(const Problem& problem, std::span<const MachineId> places);

}  // namespace equipoise::reassign
