#pragma once
// Placing very many tokens at random nodes.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::load {

/// How many of `trials` independent trials succeed, each with probability part / whole, which is 0
/// to 1. Exact up to the rounding of doubles; beyond 2^30 trials a rounded normal variate, whose
/// distribution differs by less than 10^-4. Cost O(1) expected if `part` is at least a third of
/// `whole`, as it is when a range is halved; never more than O(trials).
/// Source: Hörmann 1993, "The generation of binomial random variates" (BTRS).
[[nodiscard]] std::uint64_t binomial(std::uint64_t trials, std::uint64_t part, std::uint64_t whole,
                                     RandomStream& random);

/// Puts every token at one of `node_count` nodes, independently. `loads` are those of the nodes
/// from `first` on; they become what they would be if the loads of all nodes were made, since the
/// tokens of a range of nodes are divided between its halves by binomial draws that belong to the
/// range alone. Cost O(loads + log nodes), whatever the number of tokens.
void spread_at_random(Tokens tokens, NodeId node_count, NodeId first, std::span<Tokens> loads,
                      std::uint64_t seed);

}  // namespace equipoise::load
