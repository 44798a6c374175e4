#pragma once
// How fast an idealised process converges, and how far a token process strays from it.

#include <cstdint>
#include <optional>

#include "equipoise/analysis/spectrum.hpp"

namespace equipoise::analysis {

/// Eigenvalue and local divergence of a round matrix.
struct Convergence {
    /// |lambda| of a symmetric diffusion, lambda_2(P P^T) of others and of a circuit; nothing if
    /// the network is too large or the iteration did not converge.
    std::optional<analysis::Estimate> lambda;
    /// The number k of rounds that `lambda` is for, taken together: lambda_2(P^k (P^k)^T). Above 1
    /// for matrices P that are not symmetric and have lambda_2(P P^T) = 1 although they level all
    /// loads.
    std::uint64_t rounds = 1;
    /// Psi(P^T), which is Psi(P) if P is symmetric; nothing if it would take too long.
    std::optional<analysis::Estimate> divergence;

    /// A lower bound on the eigenvalue gap of Theorem 1, for `rounds` rounds together; nothing if
    /// it is 0 or unknown.
    [[nodiscard]] std::optional<double> gap() const;
    /// An upper bound on the local divergence.
    [[nodiscard]] std::optional<double> divergence_upper() const;
};

}  // namespace equipoise::analysis
