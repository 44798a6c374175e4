#pragma once
// Which placements a plan may aim at.

#include <span>

#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Whether no rule is broken further than it was, in the sense of `replay`: the amounts above each
/// capacity, the items missing on or left on each machine, each item where it must not be, items
/// that are apart on each machine by value; items of each value that are spread, and pairs of
/// services, over all places.
[[nodiscard]] bool is_no_worse(const Standing& now, const Standing& before);

/// Whether a schedule might lead to the placement, `standing`, waves and their order aside: every
/// item that moves may be where it goes; a machine that takes some of a resource has room for it,
/// beside what never leaves if the resource is released after the last wave; nothing arrives where
/// it must be apart; and the placement is no worse than the present one. No schedule leads to other
/// placements. `before` is how the present one stands.
[[nodiscard]] bool may_end(const Problem& problem, std::span<const MachineId> places,
                           const Standing& standing, const Standing& before);

}  // namespace equipoise::reassign
