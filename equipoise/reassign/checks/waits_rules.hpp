#pragma once
// Rules that are judged while nothing moves that they count, in all executions.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "equipoise/reassign/checks/move_order.hpp"
#include "equipoise/reassign/checks/waits_closure.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct RuleBrokenOnTheWay {
    std::size_t move = 0;  ///< one that the rule counts
    std::string words;
};

/// A rule of `least_items`, `spread` or `near`, or one of `apart` that is not judged on the way,
/// that some execution breaks further than it was in the beginning, or that cannot be judged (see
/// `check_waits`). Each item's moves are in order.
[[nodiscard]] std::optional<RuleBrokenOnTheWay> find_broken_rule(const Problem& problem,
                                                                 std::span<const Move> moves,
                                                                 const MoveOrder& order,
                                                                 const Executions& executions);

}  // namespace equipoise::reassign
