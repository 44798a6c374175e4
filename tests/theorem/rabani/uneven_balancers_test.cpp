// Rabani, Sinclair, Wanka 1998, Section 2: "our results on coarse balancing can be adapted readily
// to handle general (uneven) dimension exchange schemes, and any reasonable discretization."
//
// A balancer that moves the share s = p / q of a difference: P^(k) has 1 - s on the diagonal and s
// beside it. Proved on docs/results/rabani-1998.md: with Psi(P^T) as in Definition 3 and these
// matrices, every load is within (q - 1) / q Psi(P^T) of the idealised process after every round,
// whichever way odd tokens go; Theorem 1 holds with the gap of P P^T; Theorem 4 and Corollary 5
// with the constants of theory::local_divergence_bound.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test {
namespace {

using analysis::CircuitMatrix;
using protocols::BalancerState;
using protocols::BalancingCircuit;

constexpr double rounding_slack = 1e-9;

struct Share {
    Tokens numerator;
    Tokens denominator;
    [[nodiscard]] double value() const {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }
};
constexpr std::array<Share, 6> shares = {{{1, 2}, {1, 3}, {2, 5}, {3, 4}, {1, 10}, {9, 10}}};

std::vector<network::Circuit> circuits() {
    std::vector<network::Circuit> result{network::bitonic_counting_network(8)};
    for (NodeId wires = 3; wires <= 8; ++wires)
        result.push_back(network::hamiltonian_cycle_circuit(wires));
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes))
            result.push_back({nodes, greedy_colouring(graph).classes(graph)});
    return result;
}

CircuitMatrix matrix_of(const network::Circuit& circuit, const Share& share) {
    return {circuit.wire_count, circuit.levels, share.value()};
}

analysis::Estimate divergence_of(const CircuitMatrix& matrix) {
    return analysis::local_divergence(matrix.reversed(), second_eigenvalue(matrix));
}

/// Psi(P^T) by Definition 3.
double divergence_by_definition(const network::Circuit& circuit, double share) {
    double largest = 0;
    for (NodeId source = 0; source < circuit.wire_count; ++source) {
        std::vector<double> row(circuit.wire_count, 0);
        row[source] = 1;
        double sum = 0;
        for (int round = 0; round < 3000; ++round) {
            for (auto level = circuit.levels.rbegin(); level != circuit.levels.rend(); ++level) {
                for (const auto& [tail, head] : *level) {
                    const double difference = row[tail] - row[head];
                    sum += std::abs(difference);
                    row[tail] -= share * difference;
                    row[head] += share * difference;
                }
            }
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

TEST(UnevenBalancers, PsiOfTheTransposeIsTheSumOfDefinition3) {
    for (const network::Circuit& circuit : circuits()) {
        for (const Share& share : shares) {
            const CircuitMatrix matrix = matrix_of(circuit, share);
            if (second_eigenvalue(matrix).upper() > 0.99) continue;  // the sum would take long
            const analysis::Estimate psi = divergence_of(matrix);
            EXPECT_TRUE(psi.certified);
            EXPECT_NEAR(psi.value, divergence_by_definition(circuit, share.value()), 1e-6);
        }
    }
}

TEST(Theorem1UnevenBalancers, HoldsForSpikesAtEveryNode) {
    constexpr Tokens tokens = 1000;
    for (const network::Circuit& circuit : circuits()) {
        for (const Share& share : shares) {
            const CircuitMatrix matrix = matrix_of(circuit, share);
            const double gap = 1 - second_eigenvalue(matrix).upper();
            if (gap < 1e-3) continue;  // too slow to play here
            const std::uint64_t rounds =
                theory::idealised_smoothing_rounds(circuit.wire_count, tokens, gap, 1);
            for (NodeId node = 0; node < circuit.wire_count; ++node) {
                std::vector<double> loads(circuit.wire_count, 0);
                loads[node] = tokens;
                for (std::uint64_t round = 0; round < rounds; ++round)
                    matrix.apply(loads);
                const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
                EXPECT_LE(*most - *least, 1);
            }
        }
    }
}

TEST(Theorem4UnevenBalancers, BoundsTheLocalDivergenceByTheGap) {
    for (const network::Circuit& circuit : circuits()) {
        for (const Share& share : shares) {
            const CircuitMatrix matrix = matrix_of(circuit, share);
            EXPECT_LE(divergence_of(matrix).upper(),
                      theory::local_divergence_bound(circuit.wire_count, circuit.levels.size(),
                                                     1 - second_eigenvalue(matrix).upper(), false,
                                                     share.value()));
        }
    }
}

/// The largest deviation after any of the first `rounds` rounds.
double deviation_of(const network::Circuit& circuit, const Share& share, BalancerState initial,
                    const load::Loads& loads, int rounds) {
    const network::Network graph = circuit.network();
    model::PeriodicSchedule schedule(circuit.levels);
    engine::EdgeRounds play(BalancingCircuit{initial, share.numerator, share.denominator}, schedule,
                            loads, graph, {});
    const CircuitMatrix matrix = matrix_of(circuit, share);
    std::vector<double> ideal(loads.begin(), loads.end());
    double largest = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t level = 0; level < circuit.levels.size(); ++level)
            play.step();
        matrix.apply(ideal);
        for (std::size_t node = 0; node < ideal.size(); ++node)
            largest =
                std::max(largest, std::abs(static_cast<double>(play.loads()[node]) - ideal[node]));
    }
    return largest;
}

TEST(Theorem2UnevenBalancers, DeviationIsAtMostTheSharpenedDivergenceInAllStatesOfBalancers) {
    RandomStream random(31, Purpose::sampling);
    double nearest = 0;
    for (const network::Circuit& circuit : circuits()) {
        for (const Share& share : shares) {
            const double bound = theory::circuit_deviation(
                divergence_of(matrix_of(circuit, share)).upper(), share.denominator);
            for (const BalancerState initial :
                 {BalancerState::up, BalancerState::down, BalancerState::random}) {
                const auto check = [&](const load::Loads& loads, int rounds) {
                    const double deviation = deviation_of(circuit, share, initial, loads, rounds);
                    EXPECT_LE(deviation, bound + rounding_slack);
                    nearest = std::max(nearest, deviation / bound);
                };
                if (circuit.wire_count <= 3)
                    for_each_loads(circuit.wire_count, 4,
                                   [&](const load::Loads& loads) { check(loads, 20); });
                for (const load::Loads& loads : uneven_loads(circuit.wire_count, 60, 4, random))
                    check(loads, 40);
            }
        }
    }
    EXPECT_GT(nearest, 0.9) << "the bound is nearly attained";
}

TEST(Corollary5UnevenBalancers, HoldsByTheGapAlone) {
    RandomStream random(32, Purpose::sampling);
    constexpr Tokens tokens = 500;
    for (const network::Circuit& circuit : circuits()) {
        const network::Network graph = circuit.network();
        for (const Share& share : shares) {
            const double gap = 1 - second_eigenvalue(matrix_of(circuit, share)).upper();
            if (gap < 1e-2) continue;
            const std::uint64_t rounds =
                theory::idealised_smoothing_rounds(circuit.wire_count, tokens, gap, 1);
            const Tokens bound = theory::token_discrepancy(
                1, theory::circuit_deviation(
                       theory::local_divergence_bound(circuit.wire_count, circuit.levels.size(),
                                                      gap, false, share.value()),
                       share.denominator));
            for (const load::Loads& loads : uneven_loads(circuit.wire_count, tokens, 2, random)) {
                model::PeriodicSchedule schedule(circuit.levels);
                engine::EdgeRounds play(
                    BalancingCircuit{BalancerState::up, share.numerator, share.denominator},
                    schedule, loads, graph, {});
                for (std::uint64_t step = 0; step < rounds * circuit.levels.size(); ++step)
                    play.step();
                EXPECT_LE(load::discrepancy(play.loads()), bound);
            }
        }
    }
}

}  // namespace
}  // namespace equipoise::test
