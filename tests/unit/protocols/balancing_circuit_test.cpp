#include "equipoise/protocols/balancing_circuit.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::EdgeEnd;
using model::Nothing;
using protocols::BalancerState;
using protocols::BalancingCircuit;
using protocols::KeptBalancers;

/// What the tail is left with.
Tokens tail_after(const BalancingCircuit& rule, Tokens tail, Tokens head) {
    const Nothing state;
    return tail - rule.evaluate(EdgeEnd<Nothing>{tail, 1, 1, state},
                                EdgeEnd<Nothing>{head, 1, 1, state}, Nothing{}, {})
                      .flow;
}

TEST(BalancingCircuit, LeavesTheOddTokenAtTheTailWhenUpAndAtTheHeadWhenDown) {
    for (Tokens tail = 0; tail <= 12; ++tail)
        for (Tokens head = 0; head <= 12; ++head) {
            const Tokens both = tail + head;
            EXPECT_EQ(tail_after(BalancingCircuit(), tail, head), ceil_divide(both, 2));
            EXPECT_EQ(tail_after(BalancingCircuit(BalancerState::down), tail, head), both / 2);
        }
}

TEST(BalancingCircuit, MovesTheGivenShareOfTheDifferenceRoundedInFavourOfTheStatesEnd) {
    for (Tokens tail = 0; tail <= 12; ++tail)
        for (Tokens head = 0; head <= 12; ++head) {
            EXPECT_EQ(tail - tail_after(BalancingCircuit(BalancerState::up, 1, 3), tail, head),
                      floor_divide(tail - head, 3));
            EXPECT_EQ(tail - tail_after(BalancingCircuit(BalancerState::down, 1, 3), tail, head),
                      ceil_divide(tail - head, 3));
        }
}

TEST(KeptBalancers, AlternateOverAllRounds) {
    for (const BalancerState initial : {BalancerState::up, BalancerState::down}) {
        const KeptBalancers rule(initial);
        const Nothing state;
        KeptBalancers::LinkState balancer = rule.start_link({}, {});
        Tokens up = 0;
        Tokens down = 0;
        for (Tokens batch = 0; batch < 50; ++batch) {
            const Tokens tail = batch * 7 % 5;
            const Tokens head = batch * 3 % 4;
            const auto move = rule.evaluate(EdgeEnd<Nothing>{tail, 1, 1, state},
                                            EdgeEnd<Nothing>{head, 1, 1, state}, balancer, {});
            balancer = move.link;
            up += tail - move.flow;
            down += head + move.flow;
            const Tokens both = up + down;
            EXPECT_EQ(up, initial == BalancerState::up ? ceil_divide(both, 2) : both / 2);
        }
    }
}

/// Batches of tokens pass a counting network whose balancers remember; what has come out of the
/// wires so far must look like a staircase of height one.
TEST(KeptBalancers, KeepTheStepPropertyOfCountingNetworksOverSeveralBatches) {
    RandomStream random(1, Purpose::sampling);
    for (const auto& circuit :
         {network::bitonic_counting_network(4), network::bitonic_counting_network(8),
          network::periodic_counting_network(8, 3)}) {
        const network::Network graph = circuit.network();
        std::vector<KeptBalancers::LinkState> balancers(
            model::PeriodicSchedule(circuit.levels).slot_count());
        std::vector<Tokens> counted(circuit.wire_count, 0);
        for (int batch = 0; batch < 60; ++batch) {
            load::Loads loads = test::random_loads(circuit.wire_count, 5, random);
            std::size_t slot = 0;
            for (const auto& level : circuit.levels)
                for (const auto& [tail, head] : level) {
                    const Nothing state;
                    const auto move = KeptBalancers::evaluate(
                        EdgeEnd<Nothing>{loads[tail], 1, 1, state},
                        EdgeEnd<Nothing>{loads[head], 1, 1, state}, balancers[slot], {});
                    balancers[slot++] = move.link;
                    loads[tail] -= move.flow;
                    loads[head] += move.flow;
                }
            for (NodeId wire = 0; wire < circuit.wire_count; ++wire)
                counted[wire] += loads[wire];
            for (NodeId wire = 1; wire < circuit.wire_count; ++wire)
                EXPECT_LE(counted[wire], counted[wire - 1]);
            EXPECT_LE(counted.front(), counted.back() + 1);
        }
    }
}

TEST(KeptBalancers, AreDifferentBalancersInSlotsThatJoinTheSamePair) {
    // Two balancers between the same wires, one token: the first sends it up and turns down, the
    // second sends it up and turns down; in the next round the first sends it down.
    const network::Network pair(2, {{0, 1}});
    model::PeriodicSchedule schedule({{{0, 1}}, {{0, 1}}});
    engine::EdgeRounds rounds(KeptBalancers{}, schedule, {1, 0}, pair, {});
    const std::vector<load::Loads> expected = {{1, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}};
    for (const load::Loads& loads : expected) {
        rounds.step();
        EXPECT_EQ(load::Loads(rounds.loads().begin(), rounds.loads().end()), loads);
    }
}

}  // namespace
}  // namespace equipoise
