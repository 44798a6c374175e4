#pragma once
// Bounds of Margara, Pistocchi, Vassura 2004 for perfect token distribution on trees, repaired, as
// functions of numbers: N nodes, T tokens, diameter D, largest degree d, H the height above the
// elected root (at most D).

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Section 5: time units of Phase 1, after which every node knows T and N: 2 D d with single ports,
/// 2 D with all.
[[nodiscard]] std::uint64_t tree_totals_time(std::uint64_t diameter, std::uint64_t degree_max,
                                             bool single_port);

/// Section 5, repaired: time units of the three phases, 3 D (T + d), with single ports or with all
/// (proof: docs/algorithms/perfect-tree.md). The printed O(TD) is false for T < d: a star takes a
/// step for each leaf even without tokens. Saturates at the largest 64-bit number.
[[nodiscard]] std::uint64_t tree_distribution_time(std::uint64_t diameter, Tokens tokens,
                                                   std::uint64_t degree_max);

/// Section 5: bits that a node of the given degree remembers, (d + 2)(log T + log N) + 6 log d + 4,
/// each logarithm with a sign or a spare value.
[[nodiscard]] std::uint64_t tree_distribution_space_bits(std::uint64_t degree, Tokens tokens,
                                                         std::uint64_t node_count);

/// Section 5, repaired: exchanges beyond the fewest, 2 H (T mod N). The printed D min(T, N) is
/// false: a star of six leaves, five of them with one token each, takes 17 more than the fewest.
[[nodiscard]] std::uint64_t tree_distribution_excess(std::uint64_t height, Tokens tokens,
                                                     std::uint64_t node_count);

/// With tokens in bundles: 4 N - 3 messages and 5 D + 1 time units.
[[nodiscard]] std::uint64_t tree_distribution_batched_messages(std::uint64_t node_count);
[[nodiscard]] std::uint64_t tree_distribution_batched_time(std::uint64_t diameter);

/// Fewest exchanges, found without a centre: how many (slope, count) pairs are asked of a subtree,
/// min(r, 2H + 1) with r extra tokens.
[[nodiscard]] std::uint64_t minimum_exchange_pairs(std::uint64_t height, std::uint64_t extras);
/// Messages that carry no tokens: on every link one each of the kinds local, global, surplus and
/// keep, a first offer, and a request and an offer for each pair; and one local message more, which
/// crosses another.
[[nodiscard]] std::uint64_t minimum_exchange_messages(std::uint64_t node_count,
                                                      std::uint64_t height, std::uint64_t extras);
/// Time units: 6 H for T, S, surpluses and the choice, 2 H for each pair, and 2 H + T for the
/// tokens (in bundles 2 H).
[[nodiscard]] std::uint64_t minimum_exchange_time(std::uint64_t height, std::uint64_t extras,
                                                  Tokens tokens, bool bundles);

}  // namespace equipoise::theory
