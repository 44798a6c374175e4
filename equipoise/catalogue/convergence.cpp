#include "equipoise/catalogue/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

namespace {

using analysis::Estimate;

/// Links that may be looked at for a local divergence: about a second.
constexpr double divergence_budget = 4e8;
/// Networks with more links get no eigenvalue.
constexpr std::uint64_t spectrum_links_max = 50'000;
constexpr double relative_error = 1e-6;
constexpr double closed_form_error = 1e-14;

/// Rounds until a sum over all time is known to the wanted error, and links looked at.
double divergence_work(double sources, double links, double tail_factor, double decay) {
    if (decay <= 0) return sources * links;
    const double rounds = std::log(tail_factor / relative_error) / -std::log(decay);
    return sources * links * std::max(8.0, rounds);
}

/// |lambda| of the uniform diffusion on a torus: the eigenvalues of its Laplacian are sums of those
/// of its axes.
Estimate torus_eigenvalue(const network::Grid& grid) {
    double least = 4;
    double most = 0;
    for (const NodeId side : grid.sides()) {
        if (side < 2) continue;
        const auto laplacian = [&](NodeId k) {
            if (side == 2) return k == 0 ? 0.0 : 2.0;
            return 2 - 2 * std::cos(2 * std::numbers::pi * k / side);
        };
        least = std::min(least, laplacian(1));
        most += laplacian(side / 2);
    }
    const double weight = 1.0 / (grid.degree_max() + 1.0);
    return {std::max(std::abs(1 - weight * least), std::abs(1 - weight * most)), closed_form_error,
            true};
}

std::optional<Estimate> natural_diffusion_eigenvalue(const network::AnyNetwork& network) {
    if (network.node_count() < 2) return std::nullopt;
    const network::Grid* grid = network.grid();
    if (grid != nullptr && grid->shape() == network::Grid::Shape::torus)
        return torus_eigenvalue(*grid);
    if (network::is_hypercube(network))
        return Estimate{1 - 2 / (network.degree_max() + 1.0), closed_form_error, true};
    return std::nullopt;
}

std::optional<Estimate> natural_circuit_eigenvalue(const network::AnyNetwork& network) {
    if (network::is_hypercube(network)) return Estimate{0, 0, true};
    const network::Grid* grid = network.grid();
    if (grid == nullptr) return std::nullopt;
    Estimate largest{0, 0, true};
    for (const NodeId side : grid->sides()) {
        if (side < 2) continue;
        const network::Grid axis({side}, grid->shape());
        const Estimate found =
            second_eigenvalue(analysis::CircuitMatrix(side, network::natural_matchings(axis)));
        if (found.value + found.error > largest.value + largest.error) largest = found;
    }
    return largest;
}

/// Whether translations by two nodes and reflections carry the natural matchings into themselves.
bool transitive_circuit(const network::AnyNetwork& network) {
    if (network::is_hypercube(network)) return true;
    const network::Grid* grid = network.grid();
    return grid != nullptr && grid->shape() == network::Grid::Shape::torus &&
           std::all_of(grid->sides().begin(), grid->sides().end(),
                       [](NodeId side) { return side % 2 == 0 || side == 1; });
}

template <class Matrix>
std::optional<Estimate> eigenvalue_of(const Matrix& matrix, std::uint64_t links) {
    if (links > spectrum_links_max) return std::nullopt;
    try {
        return second_eigenvalue(matrix);
    } catch (const UnsuitableError&) {
        return std::nullopt;
    }
}

}  // namespace

std::optional<double> Convergence::gap() const {
    if (!lambda) return std::nullopt;
    const double gap = 1 - (lambda->value + lambda->error);
    // A gap that rounding could have made is none.
    constexpr double least = 1e-9;
    return gap > least ? std::optional<double>(gap) : std::nullopt;
}

std::optional<double> Convergence::divergence_upper() const {
    if (!divergence) return std::nullopt;
    return divergence->value + divergence->error;
}

bool known_vertex_transitive(const network::AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    if (const network::Grid* grid = network.grid();
        grid != nullptr && grid->shape() == network::Grid::Shape::torus)
        return true;
    if (network::is_hypercube(network)) return true;
    const Port degree = network.degree_min();
    return degree == network.degree_max() && (degree == 2 || degree + 1 == nodes);
}

Convergence diffusion_convergence(const network::AnyNetwork& network,
                                  const analysis::DiffusionMatrix& matrix, bool natural) {
    Convergence result;
    if (natural) result.lambda = natural_diffusion_eigenvalue(network);
    if (!result.lambda) result.lambda = eigenvalue_of(matrix, matrix.links().size());
    if (!result.gap()) return result;
    const bool one_source = natural && known_vertex_transitive(network);
    const auto links = static_cast<double>(matrix.links().size());
    const double decay = result.lambda->value + result.lambda->error;
    const double work =
        divergence_work(one_source ? 1.0 : matrix.node_count(), links,
                        std::sqrt(2.0 * matrix.degree_max() * links) / (1 - decay), decay);
    if (work > divergence_budget) return result;
    analysis::DivergenceOptions options;
    options.relative_error = relative_error;
    if (one_source) options.source = 0;
    result.divergence = local_divergence(matrix, *result.lambda, options);
    return result;
}

Convergence circuit_convergence(const network::AnyNetwork& network,
                                const analysis::CircuitMatrix& matrix, bool natural) {
    Convergence result;
    if (natural) result.lambda = natural_circuit_eigenvalue(network);
    if (!result.lambda) result.lambda = eigenvalue_of(matrix, matrix.slot_count());
    if (!result.gap()) return result;
    const bool one_source = natural && transitive_circuit(network);
    const auto slots = static_cast<double>(matrix.slot_count());
    const double decay = std::sqrt(result.lambda->value + result.lambda->error);
    const double work = divergence_work(one_source ? 1.0 : matrix.node_count(), slots,
                                        std::sqrt(2.0 * slots) / (1 - decay), decay);
    if (work > divergence_budget) return result;
    analysis::DivergenceOptions options;
    options.relative_error = relative_error;
    if (one_source) options.source = 0;
    result.divergence = local_divergence(matrix.reversed(), *result.lambda, options);
    return result;
}

}  // namespace equipoise::catalogue
