// Theorem 9. Let B be a balancing circuit on N wires in which the initial state of all balancers is
// up. (a) If B does not contain an almost Hamiltonian cycle, it cannot be used to perform periodic
// counting. (b) If B contains an almost Hamiltonian cycle, then B counts any input sequence with
// discrepancy K in O(KN) rounds.
//
// Claim. T(2) <= 2N.  (And so T(K) <= 2N (K - 1).)
//
// Corollary 10. A periodic balancing circuit with round matrix P and all balancers initially up
// counts any input. (Its hypothesis, an almost Hamiltonian cycle, is missing in print: the 4 x 4
// torus numbered row by row has frozen inputs; in snake order it counts.)

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test {
namespace {

bool counted(const load::Loads& loads) {
    return std::is_sorted(loads.rbegin(), loads.rend()) && load::discrepancy(loads) <= 1;
}

/// A circuit that plays round after round.
class Rounds {
  public:
    Rounds(const network::Circuit& circuit, const load::Loads& loads)
        : network_(circuit.network()),
          schedule_(circuit.levels),
          play_(protocols::BalancingCircuit{}, schedule_, loads, network_, {}) {}
    load::Loads round() {
        for (Step level = 0; level < schedule_.period(); ++level)
            play_.step();
        return {play_.loads().begin(), play_.loads().end()};
    }
    /// Rounds until the loads are counted; `rounds_max` + 1 if they never are.
    std::uint64_t until_counted(std::uint64_t rounds_max) {
        load::Loads loads{play_.loads().begin(), play_.loads().end()};
        std::uint64_t rounds = 0;
        while (!counted(loads) && rounds <= rounds_max) {
            loads = round();
            ++rounds;
        }
        return rounds;
    }

  private:
    network::Network network_;
    model::PeriodicSchedule schedule_;
    engine::EdgeRounds<protocols::BalancingCircuit> play_;
};

/// The circuit without one balancer.
network::Circuit without(network::Circuit circuit, Ends balancer) {
    for (auto& level : circuit.levels)
        std::erase(level, balancer);
    return circuit;
}

TEST(Theorem9a, WithoutOneBalancerOfTheCycleSomeInputIsNeverCounted) {
    for (NodeId wires = 3; wires <= 9; ++wires) {
        const network::Circuit whole = network::hamiltonian_cycle_circuit(wires);
        for (NodeId i = 0; i + 1 < wires; ++i) {
            load::Loads input(wires, 0);
            std::fill(input.begin(), input.begin() + i, 1);
            input[i + 1] = 1;
            EXPECT_EQ(Rounds(without(whole, {i, i + 1}), input).round(), input);
        }
        load::Loads input(wires, 1);
        input.front() = 2;
        input.back() = 0;
        EXPECT_EQ(Rounds(without(whole, {0, wires - 1}), input).round(), input);
    }
}

TEST(Theorem9b, EveryInputOfDiscrepancyTwoIsCountedWithinTwoNRounds) {
    // The most rounds that any input takes on 2, 3, ... wires: far fewer than 2N.
    const std::vector<std::uint64_t> most = {1, 2, 2, 3, 3, 4, 5};
    for (NodeId wires = 2; wires <= 8; ++wires) {
        const network::Circuit circuit = network::hamiltonian_cycle_circuit(wires);
        std::uint64_t slowest = 0;
        for_each_loads(wires, 2, [&](const load::Loads& input) {
            const std::uint64_t bound =
                theory::counting_rounds(wires, std::max<Tokens>(1, load::discrepancy(input)));
            const std::uint64_t rounds = Rounds(circuit, input).until_counted(bound);
            if (rounds > bound) ADD_FAILURE() << wires;
            slowest = std::max(slowest, rounds);
        });
        EXPECT_EQ(slowest, most[wires - 2]) << wires;
    }
}

// Figure 3. Once the heavy tokens, one on each wire that has any, lie on the first c wires, light
// tokens move as they would without them if every balancer between the first c wires and the others
// were turned; and all balancers then send odd tokens up in the order c+1, .., N, 1, .., c.
TEST(Theorem9b, WithoutHeavyTokensAndWithTurnedBalancersLightTokensMoveInTheSameWay) {
    RandomStream random(11, Purpose::sampling);
    for (int i = 0; i < 300; ++i) {
        const auto wires = static_cast<NodeId>(3 + random.below(12));
        const auto heavy = static_cast<NodeId>(1 + random.below(wires - 1));
        const network::Circuit circuit = network::hamiltonian_cycle_circuit(wires);
        network::Circuit turned = circuit;
        for (auto& level : turned.levels)
            for (Ends& pair : level)
                if (pair.tail < heavy && pair.head >= heavy) std::swap(pair.tail, pair.head);
        std::vector<NodeId> order(wires);
        for (NodeId wire = 0; wire < wires; ++wire)
            order[(wire + wires - heavy) % wires] = wire;
        EXPECT_EQ(network::counting_order(turned), order);
        load::Loads light(wires);
        load::Loads all(wires);
        for (NodeId wire = 0; wire < wires; ++wire) {
            light[wire] = random.coin() ? 1 : 0;
            all[wire] = light[wire] + (wire < heavy ? 1 : 0);
        }
        Rounds original(circuit, all);
        Rounds sorter(turned, light);
        for (NodeId round = 0; round < wires; ++round) {
            load::Loads expected = sorter.round();
            for (NodeId wire = 0; wire < heavy; ++wire)
                ++expected[wire];
            ASSERT_EQ(original.round(), expected) << wires << ' ' << heavy;
        }
    }
}

TEST(Theorem9b, RandomInputsAreCountedWithinTwoNRoundsATokenOfDiscrepancy) {
    RandomStream random(9, Purpose::sampling);
    for (int i = 0; i < 300; ++i) {
        const auto wires = static_cast<NodeId>(2 + random.below(24));
        const load::Loads input = random_loads(wires, 20, random);
        const std::uint64_t bound =
            theory::counting_rounds(wires, std::max<Tokens>(1, load::discrepancy(input)));
        EXPECT_LE(Rounds(network::hamiltonian_cycle_circuit(wires), input).until_counted(bound),
                  bound);
    }
}

network::Circuit torus_circuit() {
    const network::Grid torus({4, 4}, network::Grid::Shape::torus);
    return {16, network::colour_grid(torus).classes(torus)};
}

/// The rounds of Corollary 10 with constants: those until the idealised process is 1-smooth, then
/// those of Theorem 9(b) for the discrepancy that is left.
std::uint64_t rounds_of_corollary_10(const network::Circuit& circuit, Tokens discrepancy) {
    const analysis::CircuitMatrix matrix(circuit.wire_count, circuit.levels);
    const analysis::Estimate lambda = second_eigenvalue(matrix);
    const double psi = analysis::local_divergence(matrix.reversed(), lambda).upper();
    const Tokens left = theory::token_discrepancy(1, theory::circuit_deviation(psi));
    return theory::idealised_smoothing_rounds(circuit.wire_count, discrepancy, 1 - lambda.upper(),
                                              1) +
           theory::counting_rounds(circuit.wire_count, left);
}

TEST(Corollary10, CountsAnyInputInTheRoundsOfItsProof) {
    RandomStream random(10, Purpose::sampling);
    for (NodeId wires = 3; wires <= 14; ++wires) {
        const network::Circuit circuit = network::hamiltonian_cycle_circuit(wires);
        for (const Tokens tokens : {3, 100, 10'000}) {
            const std::uint64_t bound = rounds_of_corollary_10(circuit, tokens);
            for (const load::Loads& input : uneven_loads(wires, tokens, 4, random)) {
                if (load::discrepancy(input) > tokens) continue;
                EXPECT_LE(Rounds(circuit, input).until_counted(bound), bound)
                    << wires << ' ' << tokens;
            }
        }
        // The point of the corollary: a bound that grows with log K, not with K.
        EXPECT_LT(rounds_of_corollary_10(circuit, 1'000'000),
                  theory::counting_rounds(wires, 1'000'000) / 100);
    }
}

TEST(Corollary10, TheTorusNumberedRowByRowHasAFrozenInputThatIsNotCounted) {
    const network::Circuit circuit = torus_circuit();
    EXPECT_FALSE(network::has_almost_hamiltonian_cycle(circuit));
    load::Loads input(16, 0);
    for (const std::size_t wire : {0, 1, 2, 4})
        input[wire] = 1;
    EXPECT_FALSE(counted(input));
    EXPECT_EQ(Rounds(circuit, input).round(), input);
}

TEST(Corollary10, TheTorusInSnakeOrderCounts) {
    const network::Grid torus({4, 4}, network::Grid::Shape::torus);
    network::Circuit circuit = network::renumber(torus_circuit(), network::snake_numbers(torus));
    std::vector<NodeId> own(16);
    for (NodeId wire = 0; wire < 16; ++wire)
        own[wire] = wire;
    network::orient_by(circuit.levels, own);
    ASSERT_TRUE(network::has_almost_hamiltonian_cycle(circuit));
    RandomStream random(10, Purpose::sampling);
    for (int i = 0; i < 200; ++i) {
        const load::Loads input = random_loads(16, 12, random);
        const std::uint64_t bound = theory::counting_rounds(16, load::discrepancy(input));
        EXPECT_LE(Rounds(circuit, input).until_counted(bound), bound);
    }
}

TEST(Orientation, UphillOnACycleFreezesDiscrepancyHalfOfN) {
    for (const NodeId wires : {4U, 6U, 10U}) {
        load::Loads hill(wires);
        for (NodeId wire = 0; wire < wires; ++wire)
            hill[wire] = std::min<Tokens>(wire, wires - Tokens{wire});
        network::Circuit circuit = network::hamiltonian_cycle_circuit(wires);
        for (auto& level : circuit.levels)
            for (Ends& pair : level)
                if (hill[pair.tail] < hill[pair.head]) std::swap(pair.tail, pair.head);
        EXPECT_EQ(Rounds(circuit, hill).round(), hill);
        EXPECT_EQ(load::discrepancy(hill), wires / 2);
    }
}

}  // namespace
}  // namespace equipoise::test
