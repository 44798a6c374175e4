#pragma once
// Problems of items as problems of units: one unit for each item if all have one size, or one for
// each unit of size.

#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// Counts items; requires that all have one size.
[[nodiscard]] LevelProblem level_by_items(const ItemsProblem& problem);

/// Adds up sizes, as if items could be cut. Where nodes may end with one larger item, targets are
/// raised: first each such node's to the largest item that it holds, then those of nodes that give,
/// by what all such items can add in total. So lower bounds on the waves hold for the items too.
[[nodiscard]] LevelProblem level_by_size(const ItemsProblem& problem);

}  // namespace equipoise::optimum
