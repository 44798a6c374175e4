#pragma once
// Levelling by random pairs: which rank sends how many items to which, hop by hop.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// The exchanges of random pairs of ranks that share evenly until all ranks hold the floor or the
/// ceiling of the mean (catalogue: random-pairs; Berenbrink, Friedetzky, Kaaser, Kling 2019). The
/// odd item stays with the rank that has more: in a network where all can meet, this does not
/// change the sizes, only which rank has which. Exchanges without items are left out; the others
/// are put into rounds, each exchange as early as possible, so that in a round a rank meets at most
/// one other. Every rank computes the same from the same counts. Expected cost O(P^2) draws at
/// worst, of which O(P log(P K)) move items, K the discrepancy.
[[nodiscard]] std::vector<std::vector<Transfer>> random_pair_rounds(std::span<const Tokens> counts);

}  // namespace equipoise::placement
