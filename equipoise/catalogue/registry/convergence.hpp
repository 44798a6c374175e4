#pragma once
// How fast idealised processes converge and how far token processes deviate from them, as far as
// this can be computed in about a second.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/analysis/convergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/round_files.hpp"

namespace equipoise::catalogue {

/// How much work may be done.
struct ConvergenceEffort {
    double link_visits = 1.5e9;        ///< for a local divergence; this is about a second
    std::uint64_t links_max = 50'000;  ///< networks with more links get no eigenvalue
    int threads = 1;
};

/// The links that have a weight, and their exact weights: one a link, or all from tail to head and
/// then all from head to tail.
struct WeightedLinks {
    std::vector<Ends> links;
    network::RoundWeights weights;

    [[nodiscard]] bool symmetric() const { return weights.size() == links.size(); }
    /// P_tail,head and P_head,tail of a link.
    [[nodiscard]] const network::Weight& forth(std::size_t link) const { return weights[link]; }
    [[nodiscard]] const network::Weight& back(std::size_t link) const {
        return weights[symmetric() ? link : links.size() + link];
    }
    /// The round matrix of the diffusion with these weights on this many nodes.
    [[nodiscard]] analysis::DiffusionMatrix matrix(NodeId node_count) const;
    /// The largest common divisor q of both weights of a link: roundings are at most (q - 1) / q
    /// tokens.
    [[nodiscard]] Tokens divisor_max() const;
};

/// The links that have a weight above 0; `weights` has one or two for every link of the network.
[[nodiscard]] WeightedLinks weighted_links(const network::AnyNetwork& network,
                                           const network::RoundWeights& weights);

/// The fewest rounds k that, together, mix all loads: P^k (P^k)^T, which is symmetric, connects all
/// nodes, so that its second eigenvalue is below 1. Nothing if there is no such k: then the
/// idealised process does not level all loads, since some go round for ever or never leave their
/// part of the network. Symmetric matrices need 1 round or never level. Exact: it depends only on
/// which weights are 0. Cost O(nodes + links), nearly.
[[nodiscard]] std::optional<std::uint64_t> rounds_that_mix(NodeId nodes,
                                                           const WeightedLinks& weighted);

/// The convergence of a diffusion with any weights. `natural` says that they are 1 / (max(deg u,
/// deg v) + 1), for which some shapes have closed forms (analysis/closed_forms). `lambda`: the
/// eigenvalue, if it is known already. `rounds`: the number of rounds that mix, if it may be more
/// than 1.
[[nodiscard]] analysis::Convergence diffusion_convergence(
    const network::AnyNetwork& network, const analysis::DiffusionMatrix& matrix, bool natural,
    const ConvergenceEffort& effort = {}, std::optional<analysis::Estimate> lambda = {},
    std::uint64_t rounds = 1);

/// The same for weights that the caller gives; if they do not level all loads the gap is 0.
[[nodiscard]] analysis::Convergence diffusion_convergence(const network::AnyNetwork& network,
                                                          const WeightedLinks& weighted,
                                                          const ConvergenceEffort& effort = {});

/// The convergence of a balancing circuit. For the `natural` matchings of a grid the round matrix
/// is the product of the matrices of its axes; closed forms are for even balancers.
[[nodiscard]] analysis::Convergence circuit_convergence(const network::AnyNetwork& network,
                                                        const analysis::CircuitMatrix& matrix,
                                                        bool natural,
                                                        const ConvergenceEffort& effort = {});

}  // namespace equipoise::catalogue
