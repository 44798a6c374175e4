#pragma once
// List scheduling: waves filled one after the other, for problems that exact methods do not solve.

#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: moves with fixed ends, in few waves.
// Model: items in waves (problem.hpp).
// Source: list scheduling (Graham 1966): the node with the most waves of work left first, its
//   largest items first. If capacities let nothing move, an item makes room by going to a node that
//   has some, and goes on later (the by-pass nodes of Hall, Hartline, Karlin, Saia, Wilkes 2001).
// Guarantee: none; bound.hpp bounds the distance from the best.
// Cost: O(moves * (log moves + 256) + waves * nodes log nodes).

/// A plan that brings items to `final_places`; nothing if it gets stuck.
[[nodiscard]] std::optional<WaveSchedule> list_to_places(const ItemsProblem& problem,
                                                         const std::vector<NodeId>& final_places);

/// Which of the nodes with room takes the next item.
enum class TakerChoice { emptiest, fastest, fullest };

// Problem: items that must leave, wherever they go, in few waves.
// Model: as above.
// Source: as above; each item's node is chosen when it leaves, so that takers share the work.
// Guarantee: fewest items leave each node, unless the smallest set of them does not fit. Cost
//   O(moves * nodes + waves * nodes log nodes).

/// A plan that levels; nothing if some item finds no room. Items above `size_max` leave only nodes
/// that are to end empty.
[[nodiscard]] std::optional<WaveSchedule> list_anywhere(const ItemsProblem& problem,
                                                        TakerChoice choice,
                                                        Tokens size_max = tokens_max);

}  // namespace equipoise::optimum
