#include "equipoise/analysis/round_matrix.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

network::AnyNetwork cycle(NodeId n) {
    std::vector<Ends> links;
    for (NodeId v = 0; v < n; ++v)
        links.push_back({v, (v + 1) % n});
    return network::Network(n, links);
}

network::AnyNetwork path(NodeId n) {
    std::vector<Ends> links;
    for (NodeId v = 0; v + 1 < n; ++v)
        links.push_back({v, v + 1});
    return network::Network(n, links);
}

network::AnyNetwork star(NodeId leaves) {
    std::vector<Ends> links;
    for (NodeId v = 1; v <= leaves; ++v)
        links.push_back({0, v});
    return network::Network(leaves + 1, links);
}

network::AnyNetwork complete(NodeId n) {
    std::vector<Ends> links;
    for (NodeId v = 0; v < n; ++v)
        for (NodeId w = v + 1; w < n; ++w)
            links.push_back({v, w});
    return network::Network(n, links);
}

network::AnyNetwork hypercube(unsigned d) {
    std::vector<Ends> links;
    for (NodeId v = 0; v < (NodeId{1} << d); ++v)
        for (unsigned bit = 0; bit < d; ++bit)
            if ((v >> bit & 1U) == 0) links.push_back({v, v | (NodeId{1} << bit)});
    return network::Network(NodeId{1} << d, links);
}

network::AnyNetwork petersen() {
    return network::Network(10, {{0, 1},
                                 {1, 2},
                                 {2, 3},
                                 {3, 4},
                                 {0, 4},
                                 {0, 5},
                                 {1, 6},
                                 {2, 7},
                                 {3, 8},
                                 {4, 9},
                                 {5, 7},
                                 {7, 9},
                                 {6, 9},
                                 {6, 8},
                                 {5, 8}});
}

std::vector<std::vector<Ends>> cycle_matchings(NodeId n) {
    std::vector<std::vector<Ends>> matchings(2);
    for (NodeId v = 0; v < n; ++v)
        matchings[v % 2].push_back({v, (v + 1) % n});
    return matchings;
}

void expect_divergence(const network::AnyNetwork& network, double expected) {
    const auto matrix = DiffusionMatrix::metropolis(network);
    const Estimate lambda = second_eigenvalue(matrix);
    const Estimate psi = local_divergence(matrix, lambda);
    EXPECT_LE(std::abs(psi.value - expected), psi.error + 1e-12) << network.node_count();
    EXPECT_LT(psi.error, 1e-6 * expected);
    EXPECT_TRUE(psi.certified);
}

TEST(SecondEigenvalue, MatchesTheClosedFormOfTheCycle) {
    for (const NodeId n : {3U, 4U, 7U, 10U, 31U}) {
        const Estimate lambda = second_eigenvalue(DiffusionMatrix::uniform(cycle(n)));
        double expected = 0;
        for (NodeId j = 1; j < n; ++j)
            expected = std::max(
                expected, std::abs(1.0 / 3 + 2.0 / 3 * std::cos(2 * std::numbers::pi * j / n)));
        EXPECT_NEAR(lambda.value, expected, lambda.error);
    }
}

TEST(SecondEigenvalue, MatchesTheClosedFormOfTheHypercube) {
    for (const unsigned d : {1U, 2U, 3U, 6U}) {
        const Estimate lambda = second_eigenvalue(DiffusionMatrix::uniform(hypercube(d)));
        EXPECT_NEAR(lambda.value, (d - 1.0) / (d + 1.0), lambda.error) << d;
    }
}

TEST(SecondEigenvalue, IsOneOnAnUnconnectedNetwork) {
    const network::AnyNetwork two = network::Network(4, {{0, 1}, {2, 3}});
    EXPECT_NEAR(second_eigenvalue(DiffusionMatrix::uniform(two)).value, 1.0, 1e-12);
    const auto matrix = DiffusionMatrix::uniform(two);
    EXPECT_THROW((void)local_divergence(matrix, second_eigenvalue(matrix)), UnsuitableError);
}

TEST(LocalDivergence, EqualsTheClosedFormsOfUniformDiffusion) {
    for (const NodeId n : {4U, 6U, 12U})
        expect_divergence(cycle(n), 3.0 * n / 4);
    for (const NodeId n : {3U, 5U, 11U})
        expect_divergence(cycle(n), 0.75 * (n - 1.0 / n));
    for (const unsigned d : {1U, 2U, 3U, 4U})
        expect_divergence(hypercube(d), d * (d + 1) / 2.0);
    for (const NodeId n : {2U, 3U, 4U, 5U, 9U})
        expect_divergence(complete(n), n - 1.0);
    expect_divergence(petersen(), 6);
}

TEST(LocalDivergence, EqualsTheClosedFormsOfMetropolisWeights) {
    for (const NodeId n : {3U, 4U, 9U})
        expect_divergence(path(n), 3 * (n - 1.0) / 2);
    for (const NodeId leaves : {2U, 3U, 8U})
        expect_divergence(star(leaves), 2 * (leaves + 1.0) - 3);
}

TEST(LocalDivergence, EqualsTheClosedFormOfCircuitsOnEvenCycles) {
    for (const NodeId n : {4U, 6U, 10U}) {
        const CircuitMatrix matrix(n, cycle_matchings(n));
        const Estimate psi = local_divergence(matrix.reversed(), second_eigenvalue(matrix));
        EXPECT_LE(std::abs(psi.value - n / 2.0), psi.error + 1e-12) << n;
    }
}

TEST(LocalDivergence, OfACircuitHasTheSquaredSumThatIsKnownExactly) {
    // sum over t, k, M_k of (R_li - R_lj)^2 = 2 (1 - 1/N) for every source l.
    const NodeId n = 8;
    const CircuitMatrix matrix(n, cycle_matchings(n));
    std::vector<double> row(n, -1.0 / n);
    row[3] += 1;
    double squares = 0;
    for (int round = 0; round < 500; ++round) {
        for (const auto& matching : matrix.matchings()) {
            for (const Ends& pair : matching) {
                const double difference = row[pair.tail] - row[pair.head];
                squares += difference * difference;
            }
            average_pairs(matching, row);
        }
    }
    EXPECT_NEAR(squares, 2 * (1 - 1.0 / n), 1e-9);
}

TEST(DiffusionMatrix, RefusesRowsThatSumToMoreThanOne) {
    EXPECT_THROW(DiffusionMatrix(3, {{0, 1}, {1, 2}}, {0.6, 0.5}), InputError);
    EXPECT_THROW(DiffusionMatrix(3, {{0, 1}}, {-0.1}), InputError);
}

TEST(CircuitMatrix, RefusesAMatchingThatUsesANodeTwice) {
    EXPECT_THROW(CircuitMatrix(3, {{{0, 1}, {1, 2}}}), InputError);
}

}  // namespace
}  // namespace equipoise::analysis
