#pragma once
// Problems of items as problems of units: one unit for each item if all have one size, or one for
// each unit of size.

#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// Counts items; requires that all have one size.
[[nodiscard]] LevelProblem level_by_items(const ItemsProblem& problem);

/// Adds up sizes, as if items could be cut. Nodes that may hold one larger item are together
/// allowed an excess of as much as all such items can add, each giver at least that of its own
/// item: so lower bounds on the waves of this problem hold for the items too.
[[nodiscard]] LevelProblem level_by_size(const ItemsProblem& problem);

}  // namespace equipoise::optimum
