#pragma once
// The fewest token exchanges that balance a network perfectly.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

/// A cheapest way to level a network perfectly.
struct MinimumExchanges {
    Tokens exchanges = 0;       ///< tokens times links crossed: the sum of |flow|
    load::Loads loads;          ///< what every node then holds
    std::vector<Tokens> flows;  ///< by link, tokens from its tail to its head (negative: back)
};

// Problem: fewest exchanges after which every node holds floor or ceiling of its share.
// Model: central. With cycles a cheapest flow (cheapest_exchanges.hpp).
// Source: on trees, the convex recursion over subtrees (Margara, Pistocchi, Vassura 2004, Section
//   5, leave it open).
// Method: let b_v be the tokens of v's subtree minus the floors of its nodes, and f_v(X) the cost
//   of the cheapest way to leave X of the r extra tokens in v's subtree. f_v is convex and kept as
//   the sorted list of its slopes, one for each node that may hold an extra: merge the children's
//   lists and [0] for v; the link to the parent adds |b_v - X|, so the first b_v slopes fall by 1
//   and the others rise by 1. The root gives the extras to the nodes of the r smallest slopes; a
//   prefix of a merged list is a prefix of each part, so these nodes are a cheapest choice in every
//   subtree. Lists are treaps with slopes added lazily: union and shift keep the order.

/// With speeds s, node v's share is T s_v / S, and an extra goes only to nodes whose share is not
/// whole; without, shares are T / n. Exact: products in 128 bits. Cost on trees O(n log^2 n) at
/// worst, about O(n) on random ones, and 50 bytes per node; on other networks that of network
/// simplex. Throws UnsuitableError when tokens have no way to their targets, InputError when loads
/// or speeds do not fit the network, one is negative or all speeds are 0, OverflowError for too
/// many tokens.
[[nodiscard]] MinimumExchanges minimum_exchanges(const network::Network& network,
                                                 std::span<const Tokens> loads,
                                                 std::span<const Tokens> speeds = {});

}  // namespace equipoise::optimum
