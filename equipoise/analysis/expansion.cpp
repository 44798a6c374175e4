#include "equipoise/analysis/expansion.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

EdgeExpansion edge_expansion(const network::AnyNetwork& network, const SpectrumOptions& options) {
    if (network.node_count() < 2)
        throw UnsuitableError("edge expansion: expected at least two nodes");
    if (const auto known = known_uniform_spectrum(network)) return edge_expansion(network, *known);
    SpectrumOptions wanted = options;
    wanted.with_vector = true;
    return edge_expansion(network, diffusion_spectrum(DiffusionMatrix::uniform(network), wanted));
}

EdgeExpansion edge_expansion(const network::AnyNetwork& network, const DiffusionSpectrum& uniform) {
    const NodeId nodes = network.node_count();
    if (nodes < 2 || uniform.vector.size() != nodes)
        throw UnsuitableError("edge expansion: expected at least two nodes and their vector");
    // P = I - Laplacian / (d_max + 1): the same vectors, eigenvalues in opposite order.
    EdgeExpansion result;
    result.lower =
        std::max(0.0, (1 - uniform.second_largest.upper()) * (network.degree_max() + 1.0) / 2);
    result.lower_certified = uniform.second_largest.certified;
    // Where the eigenvalue is a whole number, the bound is exact: on hypercubes it is attained.
    const auto known = known_laplacian_ends(network);
    if (known && known->first.least == known->first.most) {
        result.lower = known->first.least / 2;
        result.lower_certified = true;
    }

    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), NodeId{0});
    std::sort(order.begin(), order.end(), [&](NodeId left, NodeId right) {
        return uniform.vector[left] != uniform.vector[right]
                   ? uniform.vector[left] < uniform.vector[right]
                   : left < right;
    });
    std::vector<bool> inside(nodes, false);
    std::int64_t leaving = 0;
    NodeId best = 0;  // length of the best prefix
    for (NodeId taken = 0; taken + 1 < nodes; ++taken) {
        const NodeId node = order[taken];
        inside[node] = true;
        for (Port port = 0; port < network.degree(node); ++port)
            leaving += inside[network.neighbour(node, port)] ? -1 : 1;
        const double ratio = static_cast<double>(leaving) / std::min(taken + 1, nodes - taken - 1);
        if (best == 0 || ratio < result.upper) {
            best = taken + 1;
            result.upper = ratio;
            result.cut_links = static_cast<std::uint64_t>(leaving);
        }
    }
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(best);
    if (best <= nodes - best) {
        result.cut.assign(order.begin(), middle);
    } else {
        result.cut.assign(middle, order.end());
    }
    std::sort(result.cut.begin(), result.cut.end());
    return result;
}

}  // namespace equipoise::analysis
