#pragma once
// Items of one size that may go anywhere: fewest waves with fewest moves.

#include <optional>

#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: level items of one size in the fewest waves.
// Model: every node reaches every other.
// Source: the wrap-around rule of McNaughton 1959. The nodes that give stand in a row, each as many
//   times as it gives; so do those that take; the j-th giver sends to the j-th taker in wave j mod
//   W.
// Guarantee: a node that stands d times in a row is at most ceil(d / W) times in a wave, so W waves
//   are enough if they are enough for each node alone (level.hpp): exact. With copies, items are
//   matched to takers that hold none of their copies; if that cannot be done giver by giver,
//   nothing is returned. Cost O(moves), with copies at worst O(moves * items of a node).

/// The schedule, of `waves` waves; requires that they are enough.
[[nodiscard]] std::optional<WaveSchedule> wrap_around(const ItemsProblem& problem, Step waves);

}  // namespace equipoise::optimum
