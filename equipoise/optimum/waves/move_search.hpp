#pragma once
// The fewest moves, one after the other, that reach the target: a search of bounded length.

#include <cstdint>
#include <optional>

#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: fewest moves to the target, those that only make room for others included.
// Model: one move a wave. Moves that a wave allows together are allowed one after the other, in any
//   order; so a schedule in waves exists only if there is one here, and none has fewer moves.
// Source: A* (Hart, Nilsson, Raphael 1968) over all placements; a node that may not end as it is
//   needs as many moves as must leave it if the largest items go first.
// Guarantee: exact if it ends before `effort` looks at items and nodes are used up. Memory for at
//   most 8 million places of items. Cost O(effort).

struct SearchedMoves {
    std::optional<WaveSchedule> schedule;  ///< one move a wave
    Tokens moves_at_least = 0;             ///< no schedule has fewer
    bool is_complete = false;              ///< whether, without a schedule, there is none
};

[[nodiscard]] SearchedMoves search_moves(const ItemsProblem& problem, std::uint64_t effort);

/// The same moves in fewer waves; moves that an earlier one does not allow wait for it.
[[nodiscard]] WaveSchedule packed(const ItemsProblem& problem, const WaveSchedule& schedule);

}  // namespace equipoise::optimum
