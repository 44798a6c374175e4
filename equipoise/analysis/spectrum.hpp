#pragma once
// Eigenvalues that say how fast idealised processes converge.

#include "equipoise/analysis/round_matrix.hpp"

namespace equipoise::analysis {

/// A computed number x with |x - truth| <= error. `certified` says that nothing but rounding can
/// break the bound; otherwise a larger eigenvalue may have been missed.
struct Estimate {
    double value = 0;
    double error = 0;
    bool certified = false;
};

/// |lambda| = max(|lambda_2|, |lambda_min|) of a symmetric round matrix (Rabani, Sinclair, Wanka
/// 1998, Section 3); the eigenvalue gap is 1 - |lambda|. All eigenvalues are computed for small
/// networks, a Krylov iteration is used beyond. 0 for fewer than two nodes.
/// Throws UnsuitableError when the iteration does not converge.
[[nodiscard]] Estimate second_eigenvalue(const DiffusionMatrix& matrix);

/// lambda_2 of the symmetrised round matrix P P^T of a balancing circuit; its gap is 1 - lambda_2.
[[nodiscard]] Estimate second_eigenvalue(const CircuitMatrix& matrix);

/// Networks up to this size get all their eigenvalues computed.
inline constexpr NodeId dense_nodes_max = 600;

}  // namespace equipoise::analysis
