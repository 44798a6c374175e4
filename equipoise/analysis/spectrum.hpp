#pragma once
// Eigenvalues that determine how fast idealised processes converge.

#include <cstdint>
#include <vector>

#include "equipoise/analysis/round_matrix.hpp"

namespace equipoise::analysis {

/// A computed number x with |x - truth| <= error. `certified` says that nothing but rounding can
/// break the bound; otherwise a larger eigenvalue may have been missed.
struct Estimate {
    double value = 0;
    double error = 0;
    bool certified = false;

    [[nodiscard]] double lower() const { return value - error; }
    [[nodiscard]] double upper() const { return value + error; }
};

struct SpectrumOptions {
    /// Entries that a triangular factor may have, 12 bytes each. With one, eigenvalues near 1 are
    /// found by solves, and counted by its pivots.
    std::uint64_t fill_max = 40'000'000;
    /// Products that one factorisation may take: seconds.
    std::uint64_t work_max = 4'000'000'000;
    bool with_vector = false;
};

/// The part of the spectrum of a symmetric round matrix that convergence depends on, without the
/// eigenvalue 1 of the vector of ones.
struct DiffusionSpectrum {
    Estimate second_largest;     ///< lambda_2
    Estimate modulus;            ///< |lambda| = max(|lambda_2|, |lambda_min|)
    std::vector<double> vector;  ///< of lambda_2, length 1; if asked for
};

/// All eigenvalues for networks up to `dense_nodes_max`. Beyond, a Krylov iteration: on solves if a
/// sparse factor of I - P is affordable, else on products. Certified by the inertia of theta I - P
/// and theta I + P for a theta just beyond the value found, if a factor is affordable: then no
/// eigenvalue was missed. Zero for fewer than two nodes. Throws UnsuitableError when the iteration
/// does not converge.
[[nodiscard]] DiffusionSpectrum diffusion_spectrum(const DiffusionMatrix& matrix,
                                                   const SpectrumOptions& options = {});

/// |lambda| = max(|lambda_2|, |lambda_min|) of a symmetric round matrix (Rabani, Sinclair, Wanka
/// 1998, Section 3), as `diffusion_spectrum`.
[[nodiscard]] Estimate second_eigenvalue(const DiffusionMatrix& matrix,
                                         const SpectrumOptions& options = {});

/// lambda_2 of the symmetrised round matrix P P^T of a balancing circuit; its gap is 1 - lambda_2.
/// All eigenvalues for small networks. Beyond, P P^T is a symmetric round matrix itself: as
/// `diffusion_spectrum` if it has few entries per row (few matchings) and a sparse factor is
/// affordable, else a Krylov iteration on products, uncertified. Throws UnsuitableError when the
/// iteration does not converge.
[[nodiscard]] Estimate second_eigenvalue(const CircuitMatrix& matrix);

/// Networks up to this size get all their eigenvalues computed.
inline constexpr NodeId dense_nodes_max = 600;

}  // namespace equipoise::analysis
