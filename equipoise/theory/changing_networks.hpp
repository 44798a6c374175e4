#pragma once
// Bounds for networks that change in every round, as functions of numbers; proved in
// docs/results/changing-networks.md. n nodes, Phi = sum (x - mean)^2.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// max-neighbor: the expected number of rounds in which some link joins loads that differ by 2 or
/// more is at most 2 Phi, however the network changes. `scaled_potential` is n * Phi = n sum x^2 -
/// T^2, exact.
[[nodiscard]] double max_neighbor_steep_rounds(Int128 scaled_potential, std::uint64_t node_count);

/// On a path along which loads rise, in which `smoothing` times a round two random places exchange
/// their nodes: the two ends of the path then become neighbours with probability at least min(1,
/// smoothing) min(1, 4 / (n (n-1))).
[[nodiscard]] double smoothed_meeting(std::uint64_t node_count, double smoothing);

/// On such a path, for a rule that averages pairs: whenever a node of largest load and one of
/// smallest load are neighbours, a pair lowers sum x^2 by at least floor(D^2 / 2) with probability
/// `activation`. After this many rounds the discrepancy D is above 1 with probability at most
/// `failure`: (9n / 16pq) ln(Phi / 2 failure), where p is the probability that they meet and q is
/// `activation`. 0 if that holds from the start. Saturates at the largest 64-bit number.
[[nodiscard]] std::uint64_t smoothed_rounds(std::uint64_t node_count, Int128 scaled_potential,
                                            double smoothing, double activation, double failure);

}  // namespace equipoise::theory
