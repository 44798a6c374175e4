#pragma once
// Edge expansion: how few links leave any set of at most half of the nodes.

#include <cstdint>
#include <vector>

#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::analysis {

/// Bounds on alpha = min over sets S of at most half of the nodes of (links leaving S) / |S|.
struct EdgeExpansion {
    /// lambda_2(Laplacian) / 2 (Cheeger's inequality, the easy side). On a hypercube lambda_2 is 2
    /// and half of the nodes has as many links to the other half, so alpha is 1.
    double lower = 0;
    double upper = 0;  ///< of the sweep cut
    bool lower_certified = false;
    std::vector<NodeId> cut;      ///< the sweep cut's smaller side, ascending
    std::uint64_t cut_links = 0;  ///< links that leave it
};

/// Sweeps the nodes in the order of their entries in the Laplacian's second eigenvector and keeps
/// the best prefix or suffix; upper <= sqrt(2 d_max lambda_2) (Cheeger's inequality).
/// Throws UnsuitableError for fewer than two nodes or when the iteration does not converge.
/// Cost of `diffusion_spectrum`, unless a closed form is known, and O(links + nodes log nodes).
[[nodiscard]] EdgeExpansion edge_expansion(const network::AnyNetwork& network,
                                           const SpectrumOptions& options = {});

/// The same from the spectrum, with its vector, of a round matrix that gives every link the weight
/// 1 / (d_max + 1): on regular networks that of the diffusion. Cost O(links + nodes log nodes).
[[nodiscard]] EdgeExpansion edge_expansion(const network::AnyNetwork& network,
                                           const DiffusionSpectrum& uniform);

}  // namespace equipoise::analysis
