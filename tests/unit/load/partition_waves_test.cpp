// Orders of replicas while partitions move, and files of waves.

#include "equipoise/load/partition_waves.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/base/error.hpp"

namespace equipoise::load {
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

/// A folder with files, which goes with the test.
class WaveFilesTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("equipoise-wave-files-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    void make(const std::string& name) const { std::ofstream(path(name)) << "{}\n"; }
    [[nodiscard]] std::vector<std::string> paths(const std::vector<std::string>& names) const {
        std::vector<std::string> all;
        all.reserve(names.size());
        for (const std::string& name : names)
            all.push_back(path(name));
        return all;
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(WaveFilesTest, FollowTheNumbersOfTheirNames) {
    for (const char* const name : {"p-0.json", "p-1.json", "p-2.json", "p-4.json", "day-7.json"})
        make(name);
    EXPECT_EQ(wave_files_from(path("p-0.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-0.json")).words(), path("p-0.json") + " to p-2.json");
    EXPECT_EQ(wave_files_from(path("p.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-2.json")).paths, paths({"p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-2.json")).first, 2U);
    EXPECT_EQ(wave_files_up_to(path("p-1.json")).paths, paths({"p-0.json", "p-1.json"}));
    EXPECT_EQ(wave_files_up_to(path("p-1.json")).first, 0U);
    EXPECT_EQ(wave_files_up_to(path("p.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    // Numbers that are none of waves.
    EXPECT_EQ(wave_files_up_to(path("day-7.json")).paths, paths({"day-7.json"}));
    EXPECT_EQ(wave_files_from(path("p-01.json")).paths, paths({"p-01.json"}));
    EXPECT_EQ(wave_files_from(path("moves-0.csv")).paths, paths({"moves-0.csv"}));
    EXPECT_EQ(wave_files_from(path("none.json")).paths, paths({"none.json"}));
    make("p.json");
    EXPECT_EQ(wave_files_from(path("p.json")).paths, paths({"p.json"}));
    try {
        static_cast<void>(wave_files_up_to(path("p-4.json")));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path("p-4.json") +
                                    ": expected the files of all earlier waves, found no " +
                                    path("p-3.json"));
    }
}

}  // namespace
}  // namespace equipoise::load
