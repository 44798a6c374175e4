#pragma once
// Lower bounds on the waves of any plan: sums that anyone can check.

#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// What a bound counts.
enum class WaveBoundKind {
    none,         ///< nothing must move
    gives,        ///< sizes that the nodes must give
    takes,        ///< sizes that the nodes must take
    gives_items,  ///< items that a node must give
    takes_items,  ///< items that a node must take
    large_gives,  ///< items above a size that a node must give
    large_takes,  ///< items above a size that a node must take
    both,         ///< sizes that a node must give or take, where these count together
    both_items,   ///< items that a node must give or take, where these count together
    large_both,   ///< items above a size, where these count together
    within,  ///< items from and to the nodes, where giving and taking count together; others take
             ///< nothing, so that each such item has a move that counts at two of the nodes
};

/// The name in JSON: "gives", "takes", "gives-items", ...
[[nodiscard]] std::string to_string(WaveBoundKind kind);

/// Together the nodes must give (or take) `amount`, and at most `a_wave` in a wave: so at least
/// ceil(amount / a_wave) waves.
struct WaveBound {
    WaveBoundKind kind = WaveBoundKind::none;
    std::vector<NodeId> nodes;
    Tokens amount = 0;
    Tokens a_wave = 0;
    Tokens size_above = 0;  ///< of `large_gives`, ...: only larger items count

    [[nodiscard]] Step waves() const {
        return amount == 0 ? 0 : static_cast<Step>(ceil_divide(amount, a_wave));
    }
};

/// The fewest items, and the least size, that must change place in any plan.
struct MovesBound {
    Tokens moves = 0;
    Tokens size = 0;
};

// Problem: how many moves and waves any plan needs.
// Model: items in waves (problem.hpp).
// Source: for unit sizes the cut of the single-port bound of Meyer auf der Heide, Oesterdiekhoff,
//   Wanka 1996, Theorem 1, in a network where all nodes reach each other; for several sizes the
//   bounds of bin packing by total size and by items of which k + 1 do not fit (Martello, Toth
//   1990). For half duplex: a wave is a b-matching, and one within a set of nodes has at most half
//   of what they may give and take, rounded down (Edmonds 1965).
// Guarantee: valid for every plan, however many moves it makes. Cost O(items log items).

[[nodiscard]] MovesBound moves_at_least(const ItemsProblem& problem);

/// The best bound of all kinds, on nodes taken one by one and on everything that must be taken in
/// all.
[[nodiscard]] WaveBound waves_at_least(const ItemsProblem& problem);

/// Adds a bound up again from the problem alone; returns what is wrong, or an empty text.
[[nodiscard]] std::string check_wave_bound(const ItemsProblem& problem, const WaveBound& bound);

}  // namespace equipoise::optimum
