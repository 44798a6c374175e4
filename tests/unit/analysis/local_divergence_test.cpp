// What is certified must hold the truth, to the last bit: networks whose divergence is a fraction.
#include "equipoise/analysis/local_divergence.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::analysis {
namespace {

void expect_holds(const Estimate& found, double truth, const std::string& name) {
    EXPECT_TRUE(found.certified) << name;
    EXPECT_LE(found.lower(), truth) << name;
    EXPECT_GE(found.upper(), truth) << name;
    EXPECT_LE(found.error, 1e-8 * truth) << name;
}

Estimate of_diffusion(const network::AnyNetwork& network) {
    const auto matrix = DiffusionMatrix::metropolis(network);
    return local_divergence(matrix, second_eigenvalue(matrix), {.relative_error = 1e-12});
}

/// The complete network on 2 `pairs` nodes without a perfect matching M. On vectors that sum to 0
/// its diffusion is -M / (2 pairs - 1), so that Psi = d sum_t (1 / (d + 1))^t = d + 1.
network::AnyNetwork without_matching(NodeId pairs) {
    std::vector<Ends> links;
    for (NodeId v = 0; v < 2 * pairs; ++v)
        for (NodeId w = v + 1; w < 2 * pairs; ++w)
            if (v / 2 != w / 2) links.push_back({v, w});
    return network::Network(2 * pairs, links);
}

TEST(CertifiedDivergence, HoldsTheTruthOnCompleteNetworksWithoutAPerfectMatching) {
    for (const NodeId pairs : {2U, 3U, 7U, 16U, 33U, 64U, 120U})
        expect_holds(of_diffusion(without_matching(pairs)), 2.0 * pairs - 1,
                     std::to_string(2 * pairs));
}

TEST(CertifiedDivergence, HoldsTheTruthOfDiffusionsThatAreKnownExactly) {
    for (const NodeId n : {3U, 4U, 5U, 8U, 21U, 50U}) {
        const std::string nodes = "n=" + std::to_string(n);
        const double size = n;
        expect_holds(of_diffusion(network::generate("complete:" + nodes, 0)), size - 1, nodes);
        expect_holds(of_diffusion(network::generate("path:" + nodes, 0)), 3 * (size - 1) / 2,
                     nodes);
        expect_holds(of_diffusion(network::generate("star:leaves=" + std::to_string(n), 0)),
                     2 * (size + 1) - 3, nodes);
        if (n % 2 == 0)
            expect_holds(of_diffusion(network::generate("cycle:" + nodes, 0)), 3 * size / 4, nodes);
    }
    for (unsigned d = 1; d <= 7; ++d)
        expect_holds(of_diffusion(network::generate("hypercube:d=" + std::to_string(d), 0)),
                     d * (d + 1) / 2.0, "hypercube");
    expect_holds(of_diffusion(network::generate("torus:8x8", 0)), 20, "torus:8x8");
    expect_holds(of_diffusion(network::generate("torus:4x4x4", 0)), 21, "torus:4x4x4");
}

TEST(CertifiedDivergence, HoldsTheTruthOfOneSource) {
    for (const auto& [spec, truth] : {std::pair{"torus:16x16", 40.0}, {"cycle:n=40", 30.0}}) {
        const auto matrix = DiffusionMatrix::metropolis(network::generate(spec, 0));
        expect_holds(local_divergence(matrix, second_eigenvalue(matrix),
                                      {.relative_error = 1e-12, .source = 5}),
                     truth, spec);
    }
}

TEST(CertifiedDivergence, HoldsTheTruthOfCircuits) {
    for (const auto& [spec, truth] : {std::pair{"torus:6", 3.0},
                                      {"torus:50", 25.0},
                                      {"torus:8x6", 7.0},
                                      {"torus:4x4x6", 7.0},
                                      {"hypercube:d=5", 5.0},
                                      {"hypercube:d=7", 7.0},
                                      {"mesh:9", 8.0},
                                      {"mesh:40", 39.0}}) {
        const auto network = network::generate(spec, 0);
        const CircuitMatrix circuit(network.node_count(), network::natural_matchings(network));
        expect_holds(local_divergence(circuit.reversed(), second_eigenvalue(circuit),
                                      {.relative_error = 1e-12}),
                     truth, spec);
    }
}

}  // namespace
}  // namespace equipoise::analysis
