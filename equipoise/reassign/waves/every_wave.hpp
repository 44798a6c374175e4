#pragma once
// The fewest waves of all schedules of small problems, by trying every wave.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

// Problem: the fewest waves that lead to one of some placements, or the best placement that any
//   schedule leads to.
// Model: waves as `replay` allows them, detours included, within `Problem::budget`.
// Source: breadth-first search over placements (and where items have been, where a resource is
//   released after the last wave, and what has moved, where there is a budget), by every set of
//   moves that may be one wave.
// Guarantee: exact when it ends within the effort. Cost at most the square of the number of
//   placements, in steps.

struct EveryWaveOptions {
    std::uint64_t effort = 1'000'000;  ///< looks at moves
    Step fewer_than = ~Step{0};        ///< only schedules with fewer waves are looked for
    bool once = false;                 ///< whether no item moves more than once
    Tokens moves_most = tokens_max;
    std::stop_token stop;
};

struct FewestWaves {
    /// Whether the search ended within the effort: without `moves`, there are none then.
    bool ended = false;
    Step at_least = 0;        ///< no schedule has fewer waves
    std::uint64_t steps = 0;  ///< looks at moves
    /// A schedule with the fewest waves; nothing if none with fewer than asked for was found.
    std::optional<std::vector<Move>> moves;
};

/// `goals`: placements, by item.
[[nodiscard]] FewestWaves search_every_wave(const Problem& problem,
                                            std::span<const std::vector<MachineId>> goals,
                                            const EveryWaveOptions& options);

/// The same among schedules with the fewest moves: those that move no item twice, if there are any
/// to the goals, then those with one more move, and so on, and, where several more are needed, all.
/// `options` need not say so. Each search may take the whole effort.
[[nodiscard]] FewestWaves search_fewest_moves(const Problem& problem,
                                              std::span<const std::vector<MachineId>> goals,
                                              EveryWaveOptions options);

/// All placements with the best score of those to which schedules lead; nothing if the search does
/// not end within the effort.
[[nodiscard]] std::optional<std::vector<std::vector<MachineId>>> search_best_ends(
    const Problem& problem, const EveryWaveOptions& options);

}  // namespace equipoise::reassign
