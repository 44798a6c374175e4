#pragma once
// Bounds for networks that are another one in every round, as functions of numbers; proved in
// docs/results/changing-networks.md. n nodes, Phi = sum (x - mean)^2.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// max-neighbor: the expected number of rounds in which some link joins loads that differ by 2 or
/// more is at most 2 Phi, whatever the network of a round is. `scaled_potential` is
/// n * Phi = n sum x^2 - T^2, exact.
[[nodiscard]] double max_neighbor_steep_rounds(Int128 scaled_potential, std::uint64_t node_count);

/// On a path along which loads rise, with `smoothing` exchanges of two random places a round: the
/// probability that the two ends of the path are neighbours afterwards is at least
/// min(1, smoothing) min(1, 4 / (n (n-1))).
[[nodiscard]] double smoothed_meeting(std::uint64_t node_count, double smoothing);

/// There, for a rule that averages pairs so that a largest and a smallest load that are neighbours
/// lower sum x^2 by floor(D^2 / 2) with probability `activation`, or another pair does: rounds
/// after which the discrepancy D is above 1 with probability `failure` at most,
/// (9n / 16pq) ln(Phi / 2 failure), p the probability of a meeting and q that of its use. 0 if that
/// is true from the start. Saturates at the largest 64-bit number.
[[nodiscard]] std::uint64_t smoothed_rounds(std::uint64_t node_count, Int128 scaled_potential,
                                            double smoothing, double activation, double failure);

}  // namespace equipoise::theory
