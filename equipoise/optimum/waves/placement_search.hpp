#pragma once
// Where items of several sizes end, with the fewest moves: a search of bounded length.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

// Problem: final places within the target that differ from today's for as few items as possible
//   (bin packing with most items packed already: NP-hard). Model: items without copies.
// Source: branch and bound by depth-first search, the largest items first, one more move allowed
//   each time nothing is found; a node that holds too much needs at least its excess divided by the
//   largest item left.
// Guarantee: no placement needs fewer moves than `moves_at_least`; exact if it returns places
//   before `effort` looks at nodes are spent. Cost O(effort).

/// What the search showed.
struct SearchedPlaces {
    std::optional<std::vector<NodeId>> ends;  ///< with as many moves as `moves_at_least`
    Tokens moves_at_least = 0;
};

[[nodiscard]] SearchedPlaces search_final_places(const ItemsProblem& problem, Tokens moves_least,
                                                 Tokens moves_most, std::uint64_t effort);

}  // namespace equipoise::optimum
