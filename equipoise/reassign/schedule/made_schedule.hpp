#pragma once
// What moves make of a schedule to given ends.

#include <span>
#include <vector>

#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"

namespace equipoise::reassign {

/// The schedule of these moves, in the order of waves. Waves without moves are closed up.
[[nodiscard]] Schedule made_schedule(const Problem& problem, std::span<const MachineId> ends,
                                     std::vector<Move> moves);

}  // namespace equipoise::reassign
