#pragma once
// Moves to given ends as a problem of items with one size, which optimum/waves solves.

#include <optional>
#include <span>
#include <vector>

#include "equipoise/optimum/waves/problem.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Items that are not yet at their ends, numbered anew; nodes are machines.
struct PlainProblem {
    optimum::ItemsProblem problem;  ///< `final_places` are the ends
    std::vector<ItemId> items;      ///< by item of `problem`
};

/// What a wave allows to be given and taken, and nothing else: no schedule to these ends has fewer
/// waves than one of this problem.
[[nodiscard]] PlainProblem rates_alone(const Problem& problem, std::span<const MachineId> ends);

/// The whole problem, if no more than capacities of one resource and copies can get in the way of
/// items that go straight to their ends: rules that cannot come to be broken on the way are left
/// out. Nothing otherwise, or if some item must not be where it ends. Detours may break rules
/// nevertheless. Cost O(items (resources + rules)).
[[nodiscard]] std::optional<PlainProblem> as_plain(const Problem& problem,
                                                   std::span<const MachineId> ends);

}  // namespace equipoise::reassign
