#pragma once
// A lower bound on the exchanges of every plan, found without a search.

#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: a lower bound on exchanges (tokens times links crossed) that is known before there is a
//          plan.
// Model:   off-line; ports, capacities and delays can only increase the number.
// Method:  every token that must leave an overfull node ends at a node with room. In a cheapest
//          flow only overfull nodes give, so that at best it fills the nearest rooms first, each at
//          its distance from the nearest overfull node. Exact if only one node is overfull and
//          there are no extras.
// Cost:    O(nodes + links).

[[nodiscard]] Int128 exchanges_at_least(const Problem& problem);

/// Throws InputError if this bound exceeds what can be counted.
void expect_countable_exchanges(const Problem& problem);

/// Throws InputError if this bound exceeds the number of moves that are written out one by one.
void expect_writable_moves(const Problem& problem, const MovesLimit& limit);

}  // namespace equipoise::optimum
