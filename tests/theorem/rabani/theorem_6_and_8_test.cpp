// Theorem 6. For both uniform diffusion and the balancing circuit model on the N-cycle, the local
// divergence is Psi = Theta(N). With constants: 3N/4 (N even) and 3/4 (N - 1/N) (N odd) for
// diffusion, N/2 for the circuit (N even).
//
// Theorem 8. For both on the r-dimensional torus with side N^(1/r), Psi = Theta(r N^(1/r)): true
// for the circuit, r s / 2 with s the side. Repaired for diffusion: r (2r+1) s / 4 (s even) and r
// (2r+1) (s - 1/s) / 4 (s odd), so Theta(r^2 N^(1/r)): a link carries 1 / (2r+1) of a difference,
// so that every axis levels (2r+1)/3 times as slowly as a cycle.

//
// Lemma 7. For uniform diffusion on the N-cycle P^t_{1+k,1} = P^t_{1-k,1} for all k, t, and
// P^t_{11} >= P^t_{21} >= ... >= P^t_{1+floor(N/2),1}.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::test {
namespace {

network::AnyNetwork torus(NodeId side, std::size_t dimensions) {
    const std::vector<NodeId> sides(dimensions, side);
    return {network::Grid(sides, network::Grid::Shape::torus)};
}

/// Psi as the sum over time from node 0, which looks like every other node.
analysis::Estimate summed_diffusion(const network::AnyNetwork& network) {
    const auto matrix = analysis::DiffusionMatrix::uniform(network);
    return local_divergence(matrix, second_eigenvalue(matrix),
                            {.relative_error = 1e-9, .source = 0});
}

analysis::Estimate summed_circuit(const network::AnyNetwork& network) {
    const analysis::CircuitMatrix circuit(network.node_count(),
                                          network::natural_matchings(network));
    return local_divergence(circuit, second_eigenvalue(circuit), {.relative_error = 1e-9});
}

double diffusion_formula(double side, double r) {
    const bool even = std::fmod(side, 2) == 0;
    return r * (2 * r + 1) / 4 * (even ? side : side - 1 / side);
}

void expect_encloses(const analysis::Estimate& found, double truth) {
    EXPECT_LE(found.lower() - 1e-9 * truth, truth);
    EXPECT_GE(found.upper() + 1e-9 * truth, truth);
    EXPECT_LE(found.error, 1e-6 * truth);
}

TEST(Theorem6, HoldsForDiffusionWithItsConstantOnAllCyclesUpToFortyNodes) {
    for (NodeId nodes = 3; nodes <= 40; ++nodes) {
        const network::AnyNetwork cycle = torus(nodes, 1);
        expect_encloses(summed_diffusion(cycle), diffusion_formula(nodes, 1));
        expect_encloses(*analysis::known_diffusion_divergence(cycle), diffusion_formula(nodes, 1));
    }
}

TEST(Theorem6, HoldsForTheCircuitWithItsConstantOnAllEvenCyclesUpToFortyNodes) {
    for (NodeId nodes = 4; nodes <= 40; nodes += 2) {
        const network::AnyNetwork cycle = torus(nodes, 1);
        expect_encloses(summed_circuit(cycle), nodes / 2.0);
        expect_encloses(*analysis::known_circuit_divergence(cycle), nodes / 2.0);
        const auto stored = network::generate("cycle:n=" + std::to_string(nodes), 0);
        expect_encloses(summed_circuit(stored), nodes / 2.0);
        expect_encloses(*analysis::known_circuit_divergence(stored), nodes / 2.0);
    }
}

TEST(Lemma7, HoldsExactlyForTheColumnsOfAllPowersOnCyclesUpToTwentyNodes) {
    // 3^t P^t has whole entries.
    constexpr int powers = 70;
    for (std::size_t nodes = 3; nodes <= 20; ++nodes) {
        std::vector<Int128> column(nodes, 0);
        column[0] = 1;
        for (int t = 0; t <= powers; ++t) {
            for (std::size_t k = 1; k < nodes; ++k)
                ASSERT_TRUE(column[k] == column[nodes - k]) << nodes << ' ' << t;
            for (std::size_t k = 0; k < nodes / 2; ++k)
                ASSERT_TRUE(column[k] >= column[k + 1]) << nodes << ' ' << t;
            std::vector<Int128> next(nodes);
            for (std::size_t k = 0; k < nodes; ++k)
                next[k] = column[k] + column[(k + 1) % nodes] + column[(k + nodes - 1) % nodes];
            column.swap(next);
        }
    }
}

TEST(Lemma7, MakesTheSumOverTimeTelescope) {
    // Psi is twice the sum over t of P^t_11 - P^t_{1+floor(N/2),1}: what the proof makes of it.
    for (const NodeId nodes : {5U, 8U, 13U}) {
        const auto matrix = analysis::DiffusionMatrix::uniform(torus(nodes, 1));
        std::vector<double> column(nodes, 0);
        std::vector<double> next(nodes);
        column[0] = 1;
        double sum = 0;
        for (int t = 0; t < 3000; ++t) {
            sum += 2 * (column[0] - column[nodes / 2]);
            matrix.apply(column, next);
            column.swap(next);
        }
        EXPECT_NEAR(sum, diffusion_formula(nodes, 1), 1e-9);
    }
}

TEST(Theorem8, HoldsForTheCircuitOnToriOfEvenSide) {
    for (const auto& [side, r] : {std::pair{4, 2}, {8, 2}, {4, 3}, {6, 3}, {4, 4}})
        expect_encloses(
            summed_circuit(torus(static_cast<NodeId>(side), static_cast<std::size_t>(r))),
            side * r / 2.0);
}

TEST(Theorem8, NeedsTheSquareOfTheDimensionForDiffusion) {
    for (const auto& [side, r] :
         {std::pair{3, 2}, {4, 2}, {5, 2}, {8, 2}, {3, 3}, {4, 3}, {5, 3}, {3, 4}, {4, 4}, {4, 5}})
        expect_encloses(
            summed_diffusion(torus(static_cast<NodeId>(side), static_cast<std::size_t>(r))),
            diffusion_formula(side, r));
    // So no constant times r s is above Psi: the ratio is (2r + 1) / 4.
    for (std::size_t r = 1; r <= 6; ++r) {
        const double psi = analysis::known_diffusion_divergence(torus(4, r))->value;
        EXPECT_NEAR(psi / (4.0 * static_cast<double>(r)), (2.0 * static_cast<double>(r) + 1) / 4,
                    1e-9);
    }
}

}  // namespace
}  // namespace equipoise::test
