#pragma once
// Eigenvalues and local divergences that are known exactly, by the network's shape.
//
// Diffusion has the weights 1 / (max(deg u, deg v) + 1) (on regular networks 1 / (d + 1)), circuits
// the natural matchings with pairs shared evenly.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/theory/polynomial_scheme.hpp"

namespace equipoise::analysis {

/// |lambda| of the diffusion on tori, hypercubes, paths, cycles, stars and complete networks;
/// nothing for others. Cost O(nodes).
[[nodiscard]] std::optional<Estimate> known_diffusion_eigenvalue(
    const network::AnyNetwork& network);

/// The spectrum, with its vector, of the round matrix that gives every link of a mesh, torus or
/// hypercube the weight 1 / (d_max + 1); nothing for other networks. The vector is the cosine along
/// a longest axis; of a hypercube it tells two halves apart. Cost O(nodes).
[[nodiscard]] std::optional<DiffusionSpectrum> known_uniform_spectrum(
    const network::AnyNetwork& network);

/// Psi(P) of the diffusion. With link weight p: an axis of side s of a torus adds s / (4p) when s
/// is even, (s - 1/s) / (4p) when odd. (Every reflection that exchanges two neighbours keeps the
/// order of their loads, as p is at most the weight that a node keeps; so the sum over time
/// telescopes along every line of the axis.) Hypercubes have d (d+1) / 2, complete networks n - 1,
/// paths 3 (n-1) / 2, stars 2n - 3 (n >= 3).
[[nodiscard]] std::optional<Estimate> known_diffusion_divergence(
    const network::AnyNetwork& network);

/// Psi(P) = Psi(P^T) of the natural circuit on tori whose sides are even, half the sum of the
/// sides, even cycles, half the nodes, and hypercubes, d.
[[nodiscard]] std::optional<Estimate> known_circuit_divergence(const network::AnyNetwork& network);

/// lambda_2(P P^T) of the natural circuit on hypercubes (0), even cycles and grids whose closed
/// axes have even sides; nothing for others. P P^T is the product of the matrices of the axes. On a
/// ring of even side s the projections A and B on the two matchings make planes of waves turn: A B
/// A has the eigenvalues cos^2(2 pi k / s), and a line of s nodes, which is a ring of 2s folded in
/// half, has cos^2(pi k / s).
[[nodiscard]] std::optional<Estimate> known_circuit_eigenvalue(const network::AnyNetwork& network);

/// The distinct eigenvalues of the Laplacian except 0, ascending and enclosed, of grids,
/// hypercubes, paths, cycles, stars and complete networks; nothing for others. A ring of s nodes
/// has 4 sin^2(pi k / s), a path 4 sin^2(pi k / (2 s)), a grid the sums over its axes, a hypercube
/// 2 k, a star 1 and n, a complete network n. Whole numbers are exact. Throws UnsuitableError for
/// more than `count_max`.
[[nodiscard]] std::optional<std::vector<theory::Enclosure>> known_laplacian_eigenvalues(
    const network::AnyNetwork& network, std::size_t count_max);

/// The smallest and the largest of these, whatever their number. Cost O(nodes).
[[nodiscard]] std::optional<std::pair<theory::Enclosure, theory::Enclosure>> known_laplacian_ends(
    const network::AnyNetwork& network);

/// Whether the network is known by its shape to look the same from every node: tori, hypercubes,
/// cycles and complete networks. One source is enough for their local divergence.
[[nodiscard]] bool known_vertex_transitive(const network::AnyNetwork& network);

}  // namespace equipoise::analysis
