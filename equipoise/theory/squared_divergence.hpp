#pragma once
// Divergences in the 2-norm: the squares of the differences between neighbours, summed over time,
// and what they bound. Psi_2^2 is the largest, over all nodes l, of
//   sum_t sum_{ij in E} (P^t_li - P^t_lj)^2
// for a diffusion, and the same with the differences across matched pairs for a circuit. Proofs:
// docs/results/local-divergence.md.

#include <cstdint>

namespace equipoise::theory {

/// Psi_2^2 of a circuit of N nodes whose idealised process levels, if its balancers move the share
/// s of a difference: (1 - 1/N) / (2 s (1 - s)), so 2 (1 - 1/N) if they are even. An upper bound
/// for any finite sequence of matchings. 0 for fewer than two nodes.
[[nodiscard]] double squared_divergence_of_matchings(std::uint64_t node_count, double share = 0.5);

/// An upper bound on Psi_2^2 of a diffusion with symmetric weights, w the least weight of a link
/// and lambda_min the least eigenvalue: (1 - 1/N) / (w (1 + lambda_min)). `weight_min` > 0,
/// `eigenvalue_min` > -1. If a node keeps at least the share k of its load, lambda_min >= 2k - 1.
[[nodiscard]] double squared_divergence_of_diffusion(std::uint64_t node_count, double weight_min,
                                                     double eigenvalue_min);

/// An upper bound on Psi from Psi_2^2: sqrt(tau m Psi_2^2) / (1 - q^tau) for the best whole tau, m
/// the links (of a circuit: the pairs of a round). `decay` q in [0, 1) is the factor by which the
/// squares from some round on shrink, under a root, from round to round: |lambda| of a symmetric
/// diffusion, sqrt(lambda_2(P P^T)) of a circuit.
[[nodiscard]] double divergence_by_squares(double links, double squared, double decay);

/// Roundings that are random, 0 on average whatever happened before, and in an interval of length
/// 1: with probability 1 - `probability` at least, no node deviates by this much at a given time:
/// sqrt(Psi_2^2 ln(2N / probability) / 2). `probability` in (0, 1].
[[nodiscard]] double random_rounding_deviation(std::uint64_t node_count, double squared,
                                               double probability);

/// An upper bound on Psi of any doubly stochastic diffusion with m links and largest degree d, by
/// the gap mu of P^k (P^k)^T, `rounds` = k: the least of d k tau + k sqrt(2 d m) q^tau / (1 - q),
/// q = sqrt(1 - mu), over whole tau >= 0. A k of at most N - 1 has a gap if the process levels all
/// loads. `gap` in (0, 1].
[[nodiscard]] double divergence_of_rounds_together(double degree_max, double links, double gap,
                                                   std::uint64_t rounds);

/// A lower bound on Psi(P) = Psi(P^T) of the natural circuit of a cycle of an odd number N >= 3 of
/// nodes: N/2 + 1/(2N) + 1/N^2. From N = 21 on it is within 10^-6 of Psi on all cycles of up to 401
/// nodes.
[[nodiscard]] double odd_cycle_circuit_divergence(std::uint64_t node_count);

}  // namespace equipoise::theory
