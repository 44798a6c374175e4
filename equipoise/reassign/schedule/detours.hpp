#pragma once
// Where no item can go straight to its end: ways by which one gets there.

#include <cstdint>
#include <stop_token>

#include "equipoise/reassign/schedule/wave_list.hpp"

namespace equipoise::reassign {

// Problem: a wave list from which nothing moves on its own.
// Model: waves as `replay` allows them; here of a single move with its partners.
// Source: the by-pass nodes of Hall, Hartline, Karlin, Saia, Wilkes 2001, found by depth-first
//   search with increasing depth.
// Guarantee: none but that every wave is allowed. Cost: at most `effort` looks at moves.

/// Adds waves after which fewer items are away from their ends, by way of other machines; false,
/// with nothing changed, if none are found. They keep to the amounts of `Problem::budget`.
[[nodiscard]] bool make_way(WaveList& list, const Problem& problem, std::uint64_t effort,
                            const std::stop_token& stop);

}  // namespace equipoise::reassign
