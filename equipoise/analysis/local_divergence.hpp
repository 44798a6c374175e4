#pragma once
// The local divergence Psi: the differences between the loads of neighbours, summed over all time.

#include <cstdint>

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"

namespace equipoise::analysis {

/// Which start nodes l of Definitions 2 and 3 are tried, and how precisely.
struct DivergenceOptions {
    /// Ends when the rest of the sum is proved to be below this fraction of the sum.
    double relative_error = 1e-9;
    /// Only this source: enough on vertex-transitive networks; no_node: the maximum over all.
    NodeId source = no_node;
    int threads = 1;
    /// The number of rounds that the eigenvalue is for, taken together (see `second_eigenvalue`).
    std::uint64_t rounds = 1;
};

/// Psi(P) of a diffusion (Rabani, Sinclair, Wanka 1998, Definition 2):
///   max_l sum_t sum_{ij in E} |P^t_li - P^t_lj|.
/// The sum is cut off at a step tau after which the rest is at most sqrt(2 d_max |E|) ||f_tau||_2 /
/// (1 - lambda), f_tau = row l of P^tau minus 1/N; the value is the middle of the enclosing
/// interval, which allows for every rounding of the rows and of the sums (proofs are beside the
/// code). `lambda` is what `second_eigenvalue` returns; for a matrix that is not symmetric the same
/// bound holds with 1 - sqrt(lambda_2(P P^T)) in place of 1 - lambda, and k times that bound if the
/// eigenvalue is for k rounds together, as no round makes a row longer. The deviation of the token
/// process is governed by Psi(P^T): pass the transposed matrix, which has the same lambda.
/// Certified when lambda is. Cost O(sources * links * steps), steps about log(1 / relative_error) /
/// gap. Throws UnsuitableError when the gap is 0.
[[nodiscard]] Estimate local_divergence(const DiffusionMatrix& matrix, const Estimate& lambda,
                                        const DivergenceOptions& options = {});

/// Psi(P) of a balancing circuit (Definition 3): the differences across every matched pair before
/// it averages or shares unevenly. `lambda_2` is the second eigenvalue of P P^T. The deviation of
/// the token process is governed by Psi(P^T): pass the reversed circuit.
[[nodiscard]] Estimate local_divergence(const CircuitMatrix& matrix, const Estimate& lambda_2,
                                        const DivergenceOptions& options = {});

}  // namespace equipoise::analysis
