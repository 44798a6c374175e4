#pragma once
// Eigenvalues that determine how fast idealised processes converge.

#include <cstdint>
#include <vector>

#include "equipoise/analysis/round_matrix.hpp"

namespace equipoise::analysis {

/// A computed number x with |x - truth| <= error. If it is not `certified`, a larger eigenvalue may
/// have been missed.
struct Estimate {
    double value = 0;
    double error = 0;
    bool certified = false;

    [[nodiscard]] double lower() const { return value - error; }
    [[nodiscard]] double upper() const { return value + error; }
};

struct SpectrumOptions {
    /// Entries that a triangular factor may have, 12 bytes each. With such a factor, eigenvalues
    /// near 1 are found by solving linear systems, and its pivots count them.
    std::uint64_t fill_max = 40'000'000;
    /// Multiplications allowed for one factorisation (a few seconds).
    std::uint64_t work_max = 4'000'000'000;
    bool with_vector = false;
};

/// The part of the spectrum of a symmetric round matrix that convergence depends on, without the
/// eigenvalue 1 of the vector of ones.
struct DiffusionSpectrum {
    Estimate second_largest;     ///< lambda_2
    Estimate modulus;            ///< |lambda| = max(|lambda_2|, |lambda_min|)
    std::vector<double> vector;  ///< eigenvector of lambda_2, unit length; only if requested
};

/// For networks up to `dense_nodes_max`, all eigenvalues are computed. Beyond, a Krylov iteration
/// finds those at the ends: it solves linear systems if a sparse factor of I - P is affordable,
/// else it only multiplies by the matrix. Certified by the inertia of theta I - P and theta I + P
/// for a theta just beyond the value found, if a factor is affordable: then no eigenvalue was
/// missed. Zero for fewer than two nodes. Throws UnsuitableError when the iteration
/// does not converge. The matrix must be symmetric.
[[nodiscard]] DiffusionSpectrum diffusion_spectrum(const DiffusionMatrix& matrix,
                                                   const SpectrumOptions& options = {});

/// |lambda| = max(|lambda_2|, |lambda_min|) of a symmetric round matrix, computed as in
/// `diffusion_spectrum`; of one that is not symmetric lambda_2(P P^T), computed as for circuits.
/// The gap is 1 minus this in both cases (Rabani, Sinclair, Wanka 1998, Section 3). With k > 1
/// `rounds` taken together, lambda_2(P^k (P^k)^T) of a matrix that is not symmetric; this is not
/// certified beyond `dense_nodes_max` nodes.
[[nodiscard]] Estimate second_eigenvalue(const DiffusionMatrix& matrix,
                                         const SpectrumOptions& options = {},
                                         std::uint64_t rounds = 1);

/// lambda_2 of the symmetrised round matrix P P^T of a balancing circuit; its gap is 1 - lambda_2.
/// For small networks all eigenvalues are computed. Beyond, P P^T is a symmetric round matrix
/// itself: computed as in `diffusion_spectrum` if it has few entries per row (few matchings) and a
/// sparse factor is affordable, else by a Krylov iteration that only multiplies by the matrix,
/// uncertified. Throws UnsuitableError when the iteration does not converge.
[[nodiscard]] Estimate second_eigenvalue(const CircuitMatrix& matrix);

/// All eigenvalues are computed for networks up to this number of nodes.
inline constexpr NodeId dense_nodes_max = 600;

}  // namespace equipoise::analysis
