#include "equipoise/network/structure/circuits.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricities.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::network {
namespace {

/// One pass of tokens through the circuit, all balancers up.
void pass(const Circuit& circuit, std::vector<int>& loads) {
    for (const auto& level : circuit.levels) {
        for (const Ends& pair : level) {
            const int sum = loads[pair.tail] + loads[pair.head];
            loads[pair.tail] = (sum + 1) / 2;
            loads[pair.head] = sum / 2;
        }
    }
}

bool counted(const std::vector<int>& loads) {
    return std::is_sorted(loads.rbegin(), loads.rend()) && loads.front() - loads.back() <= 1;
}

std::vector<int> random_loads(NodeId wires, std::uint64_t seed) {
    RandomStream random(seed, Purpose::sampling);
    std::vector<int> loads(wires);
    for (int& load : loads)
        load = static_cast<int>(random.below(30));
    return loads;
}

TEST(BitonicCountingNetwork, CountsAnyInputInOnePassForEveryPowerOfTwo) {
    for (const NodeId wires : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const Circuit circuit = bitonic_counting_network(wires);
        unsigned log = 0;
        while ((NodeId{1} << log) < wires)
            ++log;
        EXPECT_EQ(circuit.levels.size(), log * (log + 1) / 2);
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            std::vector<int> loads = random_loads(wires, seed);
            pass(circuit, loads);
            EXPECT_TRUE(counted(loads)) << wires << " wires, seed " << seed;
        }
    }
}

TEST(BitonicCountingNetwork, CountsEveryInputOfUpToThreeTokensAWireOnFourWires) {
    const Circuit circuit = bitonic_counting_network(4);
    for (int code = 0; code < 256; ++code) {
        std::vector<int> loads{code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        pass(circuit, loads);
        EXPECT_TRUE(counted(loads)) << code;
    }
}

TEST(PeriodicCountingNetwork, CountsAnyInputWithLogBlocksAndNotWithOneFewer) {
    for (const NodeId wires : {2U, 4U, 8U, 16U, 32U}) {
        unsigned log = 0;
        while ((NodeId{1} << log) < wires)
            ++log;
        const Circuit enough = periodic_counting_network(wires, log);
        const Circuit too_few = periodic_counting_network(wires, log - 1);
        EXPECT_EQ(enough.levels.size(), std::size_t{log} * log);
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            std::vector<int> loads = random_loads(wires, seed);
            pass(enough, loads);
            EXPECT_TRUE(counted(loads)) << wires << " wires, seed " << seed;
        }
        std::vector<int> two_tokens(wires, 0);
        two_tokens[0] = 2;
        pass(too_few, two_tokens);
        EXPECT_FALSE(counted(two_tokens)) << wires;
    }
}

TEST(CountingNetworks, RefuseWidthsThatAreNotPowersOfTwo) {
    EXPECT_THROW((void)bitonic_counting_network(6), InputError);
    EXPECT_THROW((void)periodic_counting_network(0, 1), InputError);
    EXPECT_THROW((void)hamiltonian_cycle_circuit(1), InputError);
}

TEST(HamiltonianCycleCircuit, HasAnAlmostHamiltonianCycleAtEverySize) {
    for (NodeId wires = 2; wires < 12; ++wires) {
        const Circuit circuit = hamiltonian_cycle_circuit(wires);
        EXPECT_TRUE(has_almost_hamiltonian_cycle(circuit)) << wires;
        EXPECT_EQ(circuit.network().link_count(), wires == 2 ? 1 : wires);
    }
}

TEST(AlmostHamiltonianCycle, IsMissingWhereOneBalancerIsTakenOutOrTurned) {
    Circuit circuit = hamiltonian_cycle_circuit(6);
    std::swap(circuit.levels[0][1].tail, circuit.levels[0][1].head);
    EXPECT_FALSE(has_almost_hamiltonian_cycle(circuit));
    circuit = hamiltonian_cycle_circuit(6);
    circuit.levels[1].pop_back();
    EXPECT_FALSE(has_almost_hamiltonian_cycle(circuit));
}

TEST(CountingOrder, FollowsTheCycleWhateverItsWiresAreCalled) {
    const std::vector<NodeId> numbers = {3, 0, 4, 1, 2};
    EXPECT_EQ(counting_order(renumber(hamiltonian_cycle_circuit(5), numbers)), numbers);
    EXPECT_EQ(counting_order(hamiltonian_cycle_circuit(2)), (std::vector<NodeId>{0, 1}));
    EXPECT_EQ(counting_order({1, {}}), std::vector<NodeId>{0});
    // Two wires may come next; a cycle of orientations; two parts.
    EXPECT_TRUE(counting_order({3, {{{0, 1}}, {{0, 2}}}}).empty());
    EXPECT_TRUE(counting_order({3, {{{0, 1}}, {{1, 2}}, {{2, 0}}}}).empty());
    EXPECT_TRUE(counting_order({4, {{{0, 1}, {2, 3}}}}).empty());
}

TEST(SnakeNumbers, AreAPermutationWhoseSuccessiveNodesAreNeighbours) {
    for (const auto& sides : std::vector<std::vector<NodeId>>{
             {7}, {4, 4}, {3, 5}, {5, 4}, {3, 3, 3}, {2, 3, 4}, {1, 4, 1, 3}}) {
        const Grid grid(sides, Grid::Shape::mesh);
        const std::vector<NodeId> numbers = snake_numbers(grid);
        std::vector<NodeId> node_of(grid.node_count(), no_node);
        for (NodeId node = 0; node < grid.node_count(); ++node)
            node_of[numbers[node]] = node;
        for (NodeId number = 0; number + 1 < grid.node_count(); ++number) {
            ASSERT_NE(node_of[number], no_node);
            bool neighbours = false;
            for (Port port = 0; port < grid.degree(node_of[number]); ++port)
                neighbours =
                    neighbours || grid.neighbour(node_of[number], port) == node_of[number + 1];
            EXPECT_TRUE(neighbours) << number;
        }
    }
}

TEST(NamedMatchings, CountOnCompleteNetworksWhoseNodesAreTheirWires) {
    EXPECT_EQ(matchings_names(),
              (std::vector<std::string>{"standard", "snake", "uphill", "bitonic", "periodic"}));
    for (const char* word : {"bitonic", "periodic"}) {
        const AnyNetwork complete = generate("complete:n=8", 0);
        const Circuit circuit{8, named_matchings(word, complete)};
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            std::vector<int> loads = random_loads(8, seed);
            pass(circuit, loads);
            EXPECT_TRUE(counted(loads)) << word;
        }
    }
}

TEST(NamedMatchings, OfTheSnakeHoldAnAlmostHamiltonianCycleOnToriOfEvenSides) {
    const AnyNetwork torus = generate("torus:4x4", 0);
    const auto snake = named_matchings("snake", torus);
    const auto numbers = snake_numbers(*torus.grid());
    std::size_t links = 0;
    for (const auto& level : snake)
        for (const auto& [tail, head] : level) {
            EXPECT_LT(numbers[tail], numbers[head]);
            ++links;
        }
    EXPECT_EQ(links, torus.link_count());
    EXPECT_TRUE(has_almost_hamiltonian_cycle(renumber({16, snake}, numbers)));
    std::vector<NodeId> order(16);
    for (NodeId node = 0; node < 16; ++node)
        order[numbers[node]] = node;
    EXPECT_EQ(counting_order({16, snake}), order);
    EXPECT_FALSE(has_almost_hamiltonian_cycle({16, natural_matchings(torus)}));
}

/// Whether the first and the last node of the snake are linked.
bool snake_closes(const AnyNetwork& network) {
    const auto numbers = snake_numbers(*network.grid());
    for (const auto& [tail, head] : all_links(network)) {
        const auto [least, most] = std::minmax(numbers[tail], numbers[head]);
        if (least == 0 && most + 1 == network.node_count()) return true;
    }
    return false;
}

TEST(NamedMatchings, OfTheSnakeCountExactlyWhereItsFirstAndLastNodeAreLinked) {
    int closed = 0;
    int open = 0;
    for (const std::string shape : {"mesh", "torus"})
        for (const std::string sides :
             {"2x2", "2x5", "3x2", "3x3", "3x4", "4x3", "4x4", "4x5", "5x4", "5x5", "6x3", "2x3x3",
              "3x2x2", "3x3x3", "4x3x3", "2x2x2", "7", "1x6"}) {
            const std::string spec = shape + ':' + sides;
            const AnyNetwork network = generate(spec, 0);
            const NodeId nodes = network.node_count();
            const auto snake = named_matchings("snake", network);
            const auto numbers = snake_numbers(*network.grid());
            std::vector<NodeId> order(nodes);
            for (NodeId node = 0; node < nodes; ++node)
                order[numbers[node]] = node;
            EXPECT_EQ(upright_order({nodes, snake}), order) << spec;
            EXPECT_EQ(has_almost_hamiltonian_cycle({nodes, snake}), snake_closes(network)) << spec;
            // 2 where odd tokens go, 0 at the other end, 1 elsewhere: only a balancer between
            // the two changes that.
            std::vector<int> loads(nodes, 1);
            loads[order.front()] = 2;
            loads[order.back()] = 0;
            std::vector<int> after = loads;
            pass({nodes, snake}, after);
            EXPECT_EQ(after == loads, !snake_closes(network)) << spec;
            ++(snake_closes(network) ? closed : open);
        }
    EXPECT_EQ(closed, 15);
    EXPECT_EQ(open, 21);
}

TEST(NamedMatchings, StandardOnesGiveTheOddTokenToTheLowerNumber) {
    const AnyNetwork torus = generate("torus:4x4", 0);
    const auto standard = named_matchings("standard", torus);
    EXPECT_EQ(standard.size(), natural_matchings(torus).size());
    for (const auto& level : standard)
        for (const auto& [tail, head] : level)
            EXPECT_LT(tail, head);
    // Row by row the torus has no almost Hamiltonian cycle: what Corollary 10 does not say.
    EXPECT_FALSE(has_almost_hamiltonian_cycle({16, standard}));
}

TEST(NamedMatchings, UphillPointToTheEndThatIsNearer) {
    for (const char* spec : {"cycle:n=8", "torus:4x4", "star:leaves=5", "de-bruijn:d=4"}) {
        const AnyNetwork network = generate(spec, 0);
        const auto heights = distances_from(network, far_end(network));
        std::uint64_t links = 0;
        for (const auto& level : named_matchings("uphill", network))
            for (const auto& [tail, head] : level) {
                EXPECT_GE(heights[tail], heights[head]) << spec;
                ++links;
            }
        EXPECT_EQ(links, network.link_count()) << spec;
    }
}

TEST(NamedMatchings, NeedTheirLinks) {
    const AnyNetwork path = generate("path:n=8", 0);
    EXPECT_THROW((void)named_matchings("snake", generate("star:leaves=7", 0)), UnsuitableError);
    EXPECT_THROW((void)named_matchings("bitonic", path), UnsuitableError);
    EXPECT_THROW((void)named_matchings("periodic", generate("complete:n=6", 0)), UnsuitableError);
}

TEST(CountingNetwork, IsKnownByItsLevelsAndTheirOrientation) {
    for (const NodeId wires : {2U, 4U, 8U, 16U}) {
        Circuit bitonic = bitonic_counting_network(wires);
        EXPECT_TRUE(is_counting_network(bitonic)) << wires;
        const auto blocks = static_cast<unsigned>(std::countr_zero(wires));
        EXPECT_TRUE(is_counting_network(periodic_counting_network(wires, blocks)));
        if (wires > 2) {
            EXPECT_FALSE(is_counting_network(periodic_counting_network(wires, blocks - 1)));
        }
        std::swap(bitonic.levels[0][0].tail, bitonic.levels[0][0].head);
        EXPECT_FALSE(is_counting_network(bitonic)) << wires;
    }
    EXPECT_FALSE(is_counting_network(hamiltonian_cycle_circuit(6)));
    EXPECT_FALSE(is_counting_network(hamiltonian_cycle_circuit(8)));
}

}  // namespace
}  // namespace equipoise::network
