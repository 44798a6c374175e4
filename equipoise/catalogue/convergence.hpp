#pragma once
// How fast idealised processes converge and how far token processes stray from them, as far as it
// takes about a second to say.

#include <optional>

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::catalogue {

/// Eigenvalue and local divergence of a round matrix.
struct Convergence {
    /// |lambda| of a diffusion, lambda_2(P P^T) of a circuit; nothing where the network is too
    /// large or the iteration did not converge.
    std::optional<analysis::Estimate> lambda;
    /// Psi(P) of a diffusion, Psi(P^T) of a circuit; nothing where it would take too long.
    std::optional<analysis::Estimate> divergence;

    /// A lower bound on the eigenvalue gap of Theorem 1; nothing where it is 0 or unknown.
    [[nodiscard]] std::optional<double> gap() const;
    /// An upper bound on the local divergence.
    [[nodiscard]] std::optional<double> divergence_upper() const;
};

/// Whether the network looks the same from every node, as far as its shape says so: tori,
/// hypercubes, cycles and complete networks. One source is enough for their local divergence.
[[nodiscard]] bool known_vertex_transitive(const network::AnyNetwork& network);

/// Of a diffusion with any weights. Eigenvalues of tori and hypercubes under the weights
/// 1 / (d + 1) (`natural`) are known in closed form.
[[nodiscard]] Convergence diffusion_convergence(const network::AnyNetwork& network,
                                                const analysis::DiffusionMatrix& matrix,
                                                bool natural);

/// Of a balancing circuit whose pairs are shared evenly. For the natural matchings of a grid the
/// round matrix is the product of those of its axes.
[[nodiscard]] Convergence circuit_convergence(const network::AnyNetwork& network,
                                              const analysis::CircuitMatrix& matrix, bool natural);

}  // namespace equipoise::catalogue
