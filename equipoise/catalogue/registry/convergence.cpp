#include "equipoise/catalogue/registry/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

namespace {

using analysis::Convergence;
using analysis::Estimate;

constexpr double relative_error = 1e-6;

/// Link visits that it takes to know a sum over all time to the required error.
double divergence_work(double sources, double links, double tail_factor, double decay) {
    if (decay <= 0) return sources * links;
    const double rounds = std::log(tail_factor / relative_error) / -std::log(decay);
    return sources * links * std::max(8.0, rounds);
}

template <class Matrix>
std::optional<Estimate> eigenvalue_of(const Matrix& matrix, std::uint64_t links,
                                      const ConvergenceEffort& effort) {
    if (links > effort.links_max) return std::nullopt;
    try {
        return second_eigenvalue(matrix);
    } catch (const UnsuitableError&) {
        return std::nullopt;
    }
}

/// lambda_2(P P^T) of the natural circuit of a grid: the largest of those of its axes.
std::optional<Estimate> natural_circuit_eigenvalue(const network::AnyNetwork& network, double share,
                                                   const ConvergenceEffort& effort) {
    const network::Grid* grid = network.grid();
    if (grid == nullptr) return std::nullopt;
    Estimate largest{0, 0, true};
    for (const NodeId side : grid->sides()) {
        if (side < 2) continue;
        const network::Grid axis({side}, grid->shape());
        std::optional<Estimate> found;
        if (share == 0.5) found = analysis::known_circuit_eigenvalue(axis);
        if (!found)
            found = eigenvalue_of(
                analysis::CircuitMatrix(side, network::natural_matchings(axis), share), side,
                effort);
        if (!found) return std::nullopt;
        const bool certified = largest.certified && found->certified;
        if (found->upper() > largest.upper()) largest = *found;
        largest.certified = certified;
    }
    return largest;
}

}  // namespace

analysis::DiffusionMatrix WeightedLinks::matrix(NodeId node_count) const {
    const auto value = [](const network::Weight& weight) {
        return static_cast<double>(weight.numerator) / static_cast<double>(weight.denominator);
    };
    std::vector<double> there;
    std::vector<double> back_again;
    for (std::size_t link = 0; link < links.size(); ++link) {
        there.push_back(value(forth(link)));
        back_again.push_back(value(back(link)));
    }
    return {node_count, links, std::move(there), std::move(back_again)};
}

Tokens WeightedLinks::divisor_max() const {
    Tokens largest = 1;
    for (std::size_t link = 0; link < links.size(); ++link)
        largest = std::max(largest, std::lcm(forth(link).denominator, back(link).denominator));
    return largest;
}

WeightedLinks weighted_links(const network::AnyNetwork& network,
                             const network::RoundWeights& weights) {
    const LinkId links = network.link_count();
    WeightedLinks weighted;
    network::RoundWeights back;
    for (LinkId link = 0; link < links; ++link) {
        const network::Weight& reverse = weights[weights.size() == links ? link : links + link];
        if (weights[link].numerator == 0 && reverse.numerator == 0) continue;
        weighted.links.push_back(network.ends(link));
        weighted.weights.push_back(weights[link]);
        if (weights.size() != links) back.push_back(reverse);
    }
    weighted.weights.insert(weighted.weights.end(), back.begin(), back.end());
    return weighted;
}

analysis::Convergence diffusion_convergence(const network::AnyNetwork& network,
                                            const analysis::DiffusionMatrix& matrix, bool natural,
                                            const ConvergenceEffort& effort,
                                            std::optional<Estimate> lambda) {
    Convergence result;
    result.lambda = lambda;
    if (natural) {
        if (!lambda) result.lambda = analysis::known_diffusion_eigenvalue(network);
        result.divergence = analysis::known_diffusion_divergence(network);
    }
    if (!result.lambda) result.lambda = eigenvalue_of(matrix, matrix.links().size(), effort);
    if (!result.gap() || result.divergence) return result;
    const auto links = static_cast<double>(matrix.links().size());
    const double decay =
        matrix.symmetric() ? result.lambda->upper() : std::sqrt(result.lambda->upper());
    const double work =
        divergence_work(matrix.node_count(), links,
                        std::sqrt(2.0 * matrix.degree_max() * links) / (1 - decay), decay);
    if (work > effort.link_visits) return result;
    analysis::DivergenceOptions options;
    options.relative_error = relative_error;
    options.threads = effort.threads;
    result.divergence = local_divergence(matrix.transposed(), *result.lambda, options);
    return result;
}

analysis::Convergence circuit_convergence(const network::AnyNetwork& network,
                                          const analysis::CircuitMatrix& matrix, bool natural,
                                          const ConvergenceEffort& effort) {
    Convergence result;
    if (natural && matrix.even()) {
        result.lambda = analysis::known_circuit_eigenvalue(network);
        result.divergence = analysis::known_circuit_divergence(network);
    }
    if (natural && !result.lambda)
        result.lambda = natural_circuit_eigenvalue(network, matrix.share(), effort);
    if (!result.lambda) result.lambda = eigenvalue_of(matrix, matrix.slot_count(), effort);
    if (!result.gap() || result.divergence) return result;
    const auto slots = static_cast<double>(matrix.slot_count());
    const double decay = std::sqrt(result.lambda->upper());
    const double work = divergence_work(
        matrix.node_count(), slots,
        std::sqrt(slots / (2 * matrix.share() * (1 - matrix.share()))) / (1 - decay), decay);
    if (work > effort.link_visits) return result;
    analysis::DivergenceOptions options;
    options.relative_error = relative_error;
    options.threads = effort.threads;
    result.divergence = local_divergence(matrix.reversed(), *result.lambda, options);
    return result;
}

}  // namespace equipoise::catalogue
