#pragma once
// Fewest waves if every item may go anywhere: only what nodes hold, may hold, give and take
// matters.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// Units on nodes, all alike, and how many nodes may hold in the end, give and take in a wave.
struct LevelProblem {
    load::Loads loads;
    FinalLoads target;
    std::vector<Tokens> gives;
    std::vector<Tokens> takes;
};

/// The fewest waves, and a set of nodes that shows why one wave less is too few: together they must
/// give (or take) `amount`, at most `a_wave` a wave. No nodes if 0 waves are enough.
struct LevelWaves {
    bool possible = true;
    Step waves = 0;
    bool tight_takes = false;  ///< whether the nodes take rather than give
    std::vector<NodeId> tight;
    Tokens amount = 0;
    Tokens a_wave = 0;
};

/// How many units each node gives and takes: as few as possible in all, within the given number of
/// waves, which is enough.
struct LevelQuotas {
    std::vector<Tokens> gives;
    std::vector<Tokens> takes;
};

// Problem: fewest waves in which nodes that hold too much give it to those that have room.
// Model: units, all nodes reach each other.
// Source: Theorem 1 of Meyer auf der Heide, Oesterdiekhoff, Wanka 1996 on this network, whose cuts
//   are nodes that give (w(X) their surplus, match(X) what they can give in a wave) or nodes that
//   take.
// Guarantee: exact, with fewest moves: an extra goes where it saves a move, first to nodes that
//   cannot give everything in time. Cost O(nodes log tokens).

[[nodiscard]] LevelWaves fewest_level_waves(const LevelProblem& problem);

[[nodiscard]] LevelQuotas level_quotas(const LevelProblem& problem, Step waves);

}  // namespace equipoise::optimum
