// Theorem 2. In both the diffusive model and the balancing circuit model, the maximum deviation
// between the idealized process and the token process satisfies
//     max_{i,t} |x_i^(t) - xi_i^(t)| <= Psi(P^T).
//
// Sharpened: roundings are at most d/(d+1) for diffusion with divisors up to d + 1, and 0 or 1/2
// for circuits, so the deviation is at most d/(d+1) Psi, and Psi(P^T) / 2. Both are attained.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test {
namespace {

constexpr double rounding = 1e-9;

double largest_gap(std::span<const Tokens> tokens, const std::vector<double>& ideal) {
    double largest = 0;
    for (std::size_t node = 0; node < ideal.size(); ++node)
        largest = std::max(largest, std::abs(static_cast<double>(tokens[node]) - ideal[node]));
    return largest;
}

/// The largest deviation of rounded from idealised diffusion over `rounds` rounds.
double diffusion_deviation(const network::Network& graph, const analysis::DiffusionMatrix& matrix,
                           const load::Loads& loads, int rounds) {
    model::AllLinks schedule(graph);
    engine::EdgeRounds play(protocols::Diffusion{}, schedule, loads, graph, {});
    std::vector<double> ideal(loads.begin(), loads.end());
    std::vector<double> next(ideal.size());
    double largest = 0;
    for (int round = 0; round < rounds; ++round) {
        play.step();
        matrix.apply(ideal, next);
        ideal.swap(next);
        largest = std::max(largest, largest_gap(play.loads(), ideal));
    }
    return largest;
}

TEST(Theorem2Diffusion, DeviationIsAtMostTheSharpenedDivergenceOnAllGraphsUpToSixNodes) {
    RandomStream random(2, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const network::Network& graph : connected_graphs(nodes)) {
            const auto matrix = analysis::DiffusionMatrix::metropolis(network::AnyNetwork(graph));
            const auto psi = analysis::local_divergence(matrix, second_eigenvalue(matrix));
            const double bound =
                theory::diffusion_deviation(psi.upper(), Tokens{graph.degree_max()} + 1) + rounding;
            const Tokens most = nodes <= 4 ? 4 : nodes == 5 ? 2 : 1;
            for_each_loads(nodes, most, [&](const load::Loads& loads) {
                if (diffusion_deviation(graph, matrix, loads, 12) > bound) ADD_FAILURE();
            });
            for (const load::Loads& loads : uneven_loads(nodes, 97, 10, random))
                EXPECT_LE(diffusion_deviation(graph, matrix, loads, 80), bound);
        }
    }
}

TEST(Theorem2Diffusion, SharpeningIsAttainedOnCompleteGraphs) {
    for (NodeId nodes = 2; nodes <= 7; ++nodes) {
        std::vector<Ends> links;
        for (NodeId v = 0; v < nodes; ++v)
            for (NodeId w = v + 1; w < nodes; ++w)
                links.push_back({v, w});
        const network::Network graph(nodes, links);
        const auto matrix = analysis::DiffusionMatrix::metropolis(network::AnyNetwork(graph));
        load::Loads loads(nodes, nodes - Tokens{1});
        loads[0] = 0;
        const double bound = theory::diffusion_deviation(nodes - 1.0, nodes);
        EXPECT_NEAR(diffusion_deviation(graph, matrix, loads, 100), bound, rounding);
    }
}

/// The largest deviation of a circuit's tokens from its idealised process, after every level.
double circuit_deviation(const network::Circuit& circuit, const load::Loads& loads, int rounds) {
    const network::Network graph = circuit.network();
    model::PeriodicSchedule schedule(circuit.levels);
    engine::EdgeRounds play(protocols::BalancingCircuit{}, schedule, loads, graph, {});
    std::vector<double> ideal(loads.begin(), loads.end());
    double largest = 0;
    for (int round = 0; round < rounds; ++round) {
        for (const auto& level : circuit.levels) {
            play.step();
            analysis::average_pairs(level, ideal);
            largest = std::max(largest, largest_gap(play.loads(), ideal));
        }
    }
    return largest;
}

network::Circuit hypercube_circuit(unsigned dimension) {
    network::Circuit circuit{NodeId{1} << dimension, {}};
    for (unsigned bit = 0; bit < dimension; ++bit) {
        std::vector<Ends> level;
        for (NodeId node = 0; node < circuit.wire_count; ++node)
            if ((node >> bit & 1U) == 0) level.push_back({node, node | NodeId{1} << bit});
        circuit.levels.push_back(level);
    }
    return circuit;
}

TEST(Theorem2Circuits, DeviationIsAtMostHalfTheDivergenceOfTheTransposedCircuit) {
    RandomStream random(3, Purpose::sampling);
    std::vector<network::Circuit> circuits{hypercube_circuit(2), hypercube_circuit(3),
                                           network::bitonic_counting_network(8)};
    for (NodeId wires = 3; wires <= 9; ++wires)
        circuits.push_back(network::hamiltonian_cycle_circuit(wires));
    for (const network::Circuit& circuit : circuits) {
        const analysis::CircuitMatrix matrix(circuit.wire_count, circuit.levels);
        const auto psi =
            analysis::local_divergence(matrix.reversed(), second_eigenvalue(matrix.reversed()));
        const double bound = theory::circuit_deviation(psi.value + psi.error) + rounding;
        for (int i = 0; i < 200; ++i) {
            const load::Loads loads = random_loads(circuit.wire_count, i < 100 ? 3 : 100, random);
            EXPECT_LE(circuit_deviation(circuit, loads, 40), bound) << circuit.wire_count;
        }
    }
}

}  // namespace
}  // namespace equipoise::test
