#include "equipoise/analysis/laplacian_spectrum.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <Eigen/Dense>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

constexpr LinkId links_max = 50'000;

/// The smallest eigenvalue but 0 of a connected network of n nodes is at least 4 / (n D), where D
/// is its diameter (Mohar 1991), hence at least this.
double laplacian_at_least(NodeId nodes) {
    const double n = nodes;
    return 4 / (n * n);
}

std::vector<theory::Enclosure> dense_eigenvalues(const network::AnyNetwork& network) {
    const Eigen::Index size = network.node_count();
    Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(size, size);
    for (const auto& [tail, head] : network::all_links(network)) {
        laplacian(tail, head) = laplacian(head, tail) = -1;
        ++laplacian(tail, tail);
        ++laplacian(head, head);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(laplacian, Eigen::EigenvaluesOnly);
    // The solver is backward stable: its error is a small multiple of size times precision times
    // norm.
    const double error = 16 * static_cast<double>(size) * epsilon * laplacian_at_most(network);
    const double least = laplacian_at_least(network.node_count());
    std::vector<theory::Enclosure> enclosures;
    for (Eigen::Index i = 1; i < size; ++i) {
        const double value = solver.eigenvalues()[i];
        enclosures.push_back({std::max(value - error, least), std::max(value, least) + error});
    }
    return joined(std::move(enclosures));
}

}  // namespace

double laplacian_at_most(const network::AnyNetwork& network) {
    double most = 0;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const Port degree = network.degree(node);
        if (degree == 0) continue;
        double sum = 0;
        for (Port port = 0; port < degree; ++port)
            sum += network.degree(network.neighbour(node, port));
        most = std::max(most, degree + sum / degree);
    }
    return most * (1 + 4 * epsilon);
}

std::vector<theory::Enclosure> joined(std::vector<theory::Enclosure> enclosures) {
    std::sort(enclosures.begin(), enclosures.end(),
              [](const theory::Enclosure& a, const theory::Enclosure& b) {
                  return std::pair(a.least, a.most) < std::pair(b.least, b.most);
              });
    std::vector<theory::Enclosure> result;
    for (const theory::Enclosure& next : enclosures) {
        if (!result.empty() && next.least <= result.back().most)
            result.back().most = std::max(result.back().most, next.most);
        else
            result.push_back(next);
    }
    return result;
}

LaplacianSpectrum laplacian_spectrum(const network::AnyNetwork& network) {
    if (auto known = known_laplacian_eigenvalues(network, distinct_eigenvalues_max))
        return {std::move(*known), true};
    if (network.node_count() > laplacian_nodes_max)
        throw UnsuitableError(
            "all eigenvalues of the network's Laplacian are needed, which are computed for up to " +
            std::to_string(laplacian_nodes_max) +
            " nodes: expected a smaller network, a grid, a "
            "hypercube, a star or a complete network, found " +
            std::to_string(network.node_count()) + " nodes");
    return {dense_eigenvalues(network), false};
}

LaplacianEnds laplacian_ends(const network::AnyNetwork& network) {
    if (const auto known = known_laplacian_ends(network))
        return {known->first, known->second, true};
    if (network.node_count() < 2) return {{1, 1}, {1, 1}, true};
    if (network.node_count() <= laplacian_nodes_max) {
        const std::vector<theory::Enclosure> all = dense_eigenvalues(network);
        return {all.front(), all.back(), true};
    }
    if (network.link_count() > links_max)
        throw UnsuitableError(
            "the smallest eigenvalue of the network's Laplacian is computed for "
            "up to " +
            std::to_string(links_max) + " links: expected the parameter l2, found " +
            std::to_string(network.link_count()) + " links");
    const Estimate second = diffusion_spectrum(DiffusionMatrix::uniform(network)).second_largest;
    const double scale = network.degree_max() + 1.0;
    const double least =
        std::max((1 - second.upper()) * scale, laplacian_at_least(network.node_count()));
    const double most = laplacian_at_most(network);
    return {{least, std::max(least, (1 - second.lower()) * scale)}, {most, most}, second.certified};
}

}  // namespace equipoise::analysis
