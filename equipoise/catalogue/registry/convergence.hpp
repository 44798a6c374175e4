#pragma once
// How fast idealised processes converge and how far token processes stray from them, as far as this
// can be computed in about a second.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/analysis/convergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/round_files.hpp"

namespace equipoise::catalogue {

/// How much work may be spent.
struct ConvergenceEffort {
    double link_visits = 1.5e9;        ///< for a local divergence; this is about a second
    std::uint64_t links_max = 50'000;  ///< networks with more links get no eigenvalue
    int threads = 1;
};

/// The links that have a weight, and their weights exactly: one a link, or all from tail to head
/// and then all from head to tail.
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
/// nodes, so that its second eigenvalue is below 1. Nothing if no k does: then the idealised
/// process does not level every load, as some go round for ever or never leave their part of the
/// network. Symmetric matrices need 1 round or do not level. Exact: judged by which weights are 0.
/// Cost O(nodes + links), nearly.
[[nodiscard]] std::optional<std::uint64_t> rounds_that_mix(NodeId nodes,
                                                           const WeightedLinks& weighted);

/// The convergence of a diffusion with any weights. `natural` says that they are 1 / (max(deg u,
/// deg v) + 1), for which some shapes have closed forms (analysis/closed_forms). `lambda`: the
/// eigenvalue, if it is known already. `rounds`: how many mix, where it may be more than 1.
[[nodiscard]] analysis::Convergence diffusion_convergence(
    const network::AnyNetwork& network, const analysis::DiffusionMatrix& matrix, bool natural,
    const ConvergenceEffort& effort = {}, std::optional<analysis::Estimate> lambda = {},
    std::uint64_t rounds = 1);

/// The same for weights that somebody gave; where they do not level all loads the gap is 0.
[[nodiscard]] analysis::Convergence diffusion_convergence(const network::AnyNetwork& network,
                                                          const WeightedLinks& weighted,
                                                          const ConvergenceEffort& effort = {});

/// The convergence of a balancing circuit. For the `natural` matchings of a grid the round matrix
/// is the product of those of its axes; closed forms are for even balancers.
[[nodiscard]] analysis::Convergence circuit_convergence(const network::AnyNetwork& network,
                                                        const analysis::CircuitMatrix& matrix,
                                                        bool natural,
                                                        const ConvergenceEffort& effort = {});

}  // namespace equipoise::catalogue
