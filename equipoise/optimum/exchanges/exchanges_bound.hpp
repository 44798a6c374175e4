#pragma once
// How many exchanges every plan makes at least, found without a search.

#include <cstdint>
#include <string_view>

#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

// Problem: a lower bound on exchanges (tokens times links crossed) that can be had before a plan
//   is. Model: off-line; ports, capacities and delays only make it more.
// Every token that must leave an overfull node ends at a node with room. In a cheapest flow only
//   overfull nodes give, so that it cannot do better than fill the nearest rooms first, each at its
//   distance from the nearest overfull node. Exact if only one node is overfull and there are no
//   extras.
// Cost O(nodes + links).

[[nodiscard]] Int128 exchanges_at_least(const Problem& problem);

/// Throws InputError if that is more than can be counted.
void expect_countable_exchanges(const Problem& problem);

/// Throws InputError, which ends with `advice`, if that is more than `moves_max` moves, as many as
/// are written out one by one.
void expect_writable_moves(const Problem& problem, std::uint64_t moves_max,
                           std::string_view advice = "");

}  // namespace equipoise::optimum
