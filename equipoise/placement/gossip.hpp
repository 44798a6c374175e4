#pragma once
// Levelling by random pairs: who sends how many items to whom, hop by hop.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// The exchanges of random pairs of ranks that share evenly until all ranks hold the floor or the
/// ceiling of the mean (catalogue: random-pairs; Berenbrink, Friedetzky, Kaaser, Kling 2019). The
/// odd item stays with the rank that has more: in a network where all can meet, that changes no
/// sizes but which rank has which. Exchanges without items are left out; the others are in rounds,
/// each as early as possible, in which a rank meets at most one other. The same for the same counts
/// on every rank. Expected cost O(P^2) draws at worst, of which O(P log(P K)) move items, K the
/// discrepancy.
[[nodiscard]] std::vector<std::vector<Transfer>> random_pair_rounds(std::span<const Tokens> counts);

}  // namespace equipoise::placement
