#pragma once
// A problem of items as a problem of units: one an item where all have one size, or one a unit of
// size.

#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// Items counted; requires that all have one size.
[[nodiscard]] LevelProblem level_by_items(const ItemsProblem& problem);

/// Sizes added up, as if items could be cut. Where nodes may hold one larger item, they are allowed
/// as much more together as all such items can be, each giver at least its own: what the fewest
/// waves of this problem show holds for the items, too.
[[nodiscard]] LevelProblem level_by_size(const ItemsProblem& problem);

}  // namespace equipoise::optimum
