#pragma once
// The final places of items with the fewest moves: a search of bounded length.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: final places within the target that differ from the present ones for as few items as
//   possible (bin packing with most items packed already: NP-hard).
// Model: items of several sizes, or copies that are never on one node.
// Source: branch and bound by depth-first search, the largest items first; whenever nothing is
//   found, one more move is allowed; a node that holds too much needs at least its excess divided
//   by the largest remaining item.
// Guarantee: no placement needs fewer moves than `moves_at_least`; exact if it returns places
//   before `effort` looks at nodes are used up. Cost O(effort).

/// The result of the search.
struct SearchedPlaces {
    std::optional<std::vector<NodeId>> ends;  ///< with exactly `moves_at_least` moves
    Tokens moves_at_least = 0;
};

[[nodiscard]] SearchedPlaces search_final_places(const ItemsProblem& problem, Tokens moves_least,
                                                 Tokens moves_most, std::uint64_t effort);

}  // namespace equipoise::optimum
