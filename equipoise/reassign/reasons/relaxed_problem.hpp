#pragma once
// Problems in which some rules have been relaxed.

#include <span>
#include <vector>

#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The rules of the problem alone, without aims; which machines give items is as it was.
[[nodiscard]] Problem rules_only(const Problem& problem);

/// The same rules, each relaxed as far as it is broken in a placement, `places`: more capacity,
/// fewer items needed, items that may stay where they are, items that need not be apart, spread or
/// near others. A rule of spread is relaxed for all items of a value at once.
[[nodiscard]] Problem relaxed(Problem rules, std::span<const BrokenRule> broken,
                              std::span<const MachineId> places);

}  // namespace equipoise::reassign
