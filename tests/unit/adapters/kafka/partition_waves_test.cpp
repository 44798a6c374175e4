// Orders of replicas while partitions move.

#include "equipoise/adapters/kafka/partition_waves.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::kafka {
namespace {

using Lists = std::vector<std::vector<NodeId>>;
using Waves = std::vector<std::vector<Replicas>>;

/// Partitions with these replicas on brokers 0 to 9.
Items partitions_on(const Lists& lists) {
    Items items;
    items.are_partitions = true;
    for (int broker = 0; broker < 10; ++broker)
        static_cast<void>(items.nodes.number_of(std::to_string(broker)));
    for (std::size_t number = 0; number < lists.size(); ++number) {
        const std::uint32_t thing = items.things.number_of("t-" + std::to_string(number));
        for (const NodeId node : lists[number]) {
            items.thing.push_back(thing);
            items.places.push_back(node);
        }
    }
    return items;
}

TEST(PartitionWaves, AReplicaThatMovesTakesThePlaceOfTheOneItReplaces) {
    const Items items = partitions_on({{1, 2, 3}, {4, 5}});
    const std::vector<ItemMove> moves = {{0, 1, 2, 7, 0}, {0, 3, 4, 8, 0}, {2, 0, 1, 6, 0}};
    const PartitionWaves made = partition_waves(items, moves, {});
    EXPECT_EQ(made.waves, (Waves{{{0, {1, 7, 3}}, {1, {8, 5}}}, {{0, {6, 7, 3}}}}));
    EXPECT_EQ(made.leaders, 2U);
    EXPECT_TRUE(made.reordered.empty());
}

TEST(PartitionWaves, TheLastWaveSetsTheOrderOfAProposal) {
    const Items items = partitions_on({{1, 2}, {4, 5}, {1, 3}, {2, 3}});
    // 0 moves in the first wave; 1 changes its order alone; 2 ends as it is; 3 is not named.
    const std::vector<ItemMove> moves = {{0, 1, 2, 7, 0}, {1, 5, 3, 8, 0}};
    const PartitionWaves made = partition_waves(items, moves, {{7, 1}, {5, 4}, {1, 8}, {}});
    EXPECT_EQ(made.waves, (Waves{{{0, {1, 7}}}, {{0, {7, 1}}, {1, {5, 4}}, {2, {1, 8}}}}));
    EXPECT_EQ(made.reordered, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(made.leaders, 2U);
}

TEST(PartitionWaves, AnOrderAloneTakesAWaveOfItsOwn) {
    const Items items = partitions_on({{1, 2}, {4, 5}});
    const PartitionWaves made = partition_waves(items, {}, {{2, 1}, {4, 5}});
    EXPECT_EQ(made.waves, (Waves{{{0, {2, 1}}}}));
    EXPECT_EQ(made.leaders, 1U);
    EXPECT_TRUE(partition_waves(items, {}, {{1, 2}, {4, 5}}).waves.empty());
}

TEST(PartitionWaves, TheProposedLeaderFollowsALeaderThatMoves) {
    const Items items = partitions_on({{1, 2, 3}});
    // 2, which stays, is to lead: it does so when 1 leaves, not when 3 does.
    const EndsByThing proposal = {{2, 8, 7}};
    const PartitionWaves first =
        partition_waves(items, std::vector<ItemMove>{{0, 0, 1, 7, 0}, {1, 2, 3, 8, 0}}, proposal);
    EXPECT_EQ(first.waves, (Waves{{{0, {2, 7, 3}}}, {{0, {2, 8, 7}}}}));
    const PartitionWaves second =
        partition_waves(items, std::vector<ItemMove>{{0, 2, 3, 8, 0}, {1, 0, 1, 7, 0}}, proposal);
    EXPECT_EQ(second.waves, (Waves{{{0, {1, 2, 8}}}, {{0, {2, 8, 7}}}}));
    EXPECT_EQ(first.leaders, 1U);
}

TEST(PartitionWaves, MovesAreReadBackFromListsOfReplicas) {
    Items items = partitions_on({{1, 2, 3}, {4, 5}});
    items.sizes = {10, 20, 30, 40, 50};
    ReplicaOrder order(items);
    const Waves waves = {{{0, {3, 7, 1}}}, {{1, {5, 4}}}, {{0, {8, 9, 7}}, {1, {6, 4}}}};
    const ItemMoves read = moves_of(waves, 4, items, order);
    EXPECT_EQ(read.fault, "");
    ASSERT_EQ(read.moves.size(), 4U);
    EXPECT_EQ(read.moves[0].wave, 4U);
    EXPECT_EQ(std::pair(read.moves[0].from, read.moves[0].to), (std::pair<NodeId, NodeId>(2, 7)));
    // Then 3 is first and 1 last: 8 takes the place of 3, and 9, whose place 7 has, that of 1.
    EXPECT_EQ(std::pair(read.moves[1].from, read.moves[1].to), (std::pair<NodeId, NodeId>(3, 8)));
    EXPECT_EQ(std::pair(read.moves[2].from, read.moves[2].to), (std::pair<NodeId, NodeId>(1, 9)));
    EXPECT_EQ(read.moves[3].line, 1U);
    EXPECT_EQ(order.nodes(0), (std::vector<NodeId>{8, 9, 7}));
    EXPECT_EQ(order.other_leaders(ReplicaOrder(items)), 2U);
    // Items in the order of replicas, each with its own size.
    order.store(items);
    EXPECT_EQ(items.places, (std::vector<NodeId>{8, 9, 7, 6, 4}));
    EXPECT_EQ(items.sizes, (std::vector<Tokens>{30, 10, 20, 50, 40}));
    EXPECT_EQ(items.thing, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
}

TEST(PartitionWaves, AnotherNumberOfReplicasIsAFault) {
    const Items items = partitions_on({{1, 2}});
    ReplicaOrder order(items);
    const ItemMoves read = moves_of({{}, {{0, {1}}}}, 0, items, order);
    EXPECT_EQ(read.fault, "partition t-0 has 1 replicas in wave 1, not 2");
    EXPECT_EQ(read.fault_wave, 1U);
}

TEST(PartitionWaves, ReplicasComeAndGo) {
    Items items = partitions_on({{1, 2, 3}, {4, 5}});
    // A third replica of the second partition; the first one loses its second replica.
    items.thing.push_back(1);
    items.places.push_back(no_node);
    const std::vector<ItemMove> moves = {{0, 3, 4, 6, 0}, {1, 5, no_node, 7, 0}};
    const PartitionWaves made = partition_waves(items, moves, {}, {{}, {1}});
    // What goes does so before anything else, and comes again after everything else.
    EXPECT_EQ(made.waves, (Waves{{{0, {1, 3}}}, {{1, {6, 5}}}, {{1, {6, 5, 7}}}}));
    EXPECT_EQ(waves_back(items, made.waves),
              (Waves{{{1, {6, 5}}}, {{1, {4, 5}}}, {{0, {1, 2, 3}}}}));
    // Read back, from the state without what is dropped.
    ReplicaOrder order(items);
    order.drop(0, 1);
    const ItemMoves read = moves_of(made.waves, 0, items, order);
    EXPECT_EQ(read.fault, "");
    ASSERT_EQ(read.moves.size(), 2U);
    EXPECT_EQ(read.moves[1].copy, 5U);
    EXPECT_EQ(read.moves[1].from, no_node);
    EXPECT_EQ(read.moves[1].to, 7U);
}

TEST(PartitionWaves, ADroppedReplicaGoesBeforeItsPartitionGetsAnotherOne) {
    const Items items = partitions_on({{1, 2}});
    const std::vector<ItemMove> moves = {{0, 0, 1, 3, 0}};
    EXPECT_EQ(partition_waves(items, moves, {}, {{}, {1}}).waves, (Waves{{{0, {1}}}, {{0, {3}}}}));
}

TEST(PartitionWaves, TheSuccessorOfADroppedLeaderIsTheFirstReplica) {
    const Items items = partitions_on({{1, 2, 3}});
    EXPECT_EQ(partition_waves(items, {}, {}, {{}, {0}, {2}}).waves, (Waves{{{0, {3, 2}}}}));
}

TEST(PartitionWaves, LeadersChangePlacesWithTheFirstReplicaInTheLastWave) {
    const Items items = partitions_on({{1, 2, 3}, {4, 5}, {6, 7}});
    const std::vector<ItemMove> moves = {{0, 1, 2, 8, 0}, {1, 3, 4, 9, 0}};
    // 3 is to lead the first one, 5 the second, whose leader moves: it takes over then.
    const PartitionWaves made = partition_waves(items, moves, {}, {{2, 4, 6}, {}});
    EXPECT_EQ(made.waves, (Waves{{{0, {1, 8, 3}}}, {{0, {3, 8, 1}}, {1, {5, 9}}, {2, {7, 6}}}}));
    EXPECT_EQ(made.reordered, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(made.leaders, 3U);
}

TEST(PartitionWaves, AnOrderOfOtherBrokersIsLeftAlone) {
    const Items items = partitions_on({{1, 2}});
    EXPECT_TRUE(partition_waves(items, {}, {{3, 1}}).waves.empty());
    EXPECT_EQ(fault_of_order(items, {{3, 1}}, ReplicaOrder(items)),
              "partition t-0 ends with the replicas 1,2, not 3,1");
    EXPECT_EQ(fault_of_order(items, {{1, 2}}, ReplicaOrder(items)), "");
}

TEST(PartitionWaves, LeadersChangeWhereTheProposedOrderIsOutOfReach) {
    const Items items = partitions_on({{1, 2}});
    const PartitionWaves made = partition_waves(items, {}, {{2, 3}}, {{1}, {}});
    EXPECT_EQ(made.waves, (Waves{{{0, {2, 1}}}}));
    EXPECT_EQ(made.leaders, 1U);
}

}  // namespace
}  // namespace equipoise::kafka
