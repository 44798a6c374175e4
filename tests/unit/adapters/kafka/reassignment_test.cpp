// Leaders that brokers elect when one that is not the first replica moves.

#include "equipoise/adapters/kafka/reassignment.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/take_partitions.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::kafka {
namespace {

using reassign::LeaderChange;
using reassign::Move;

/// t-0 and t-1 on brokers 1 and 2, led by 2; broker 3 is empty.
Cluster led_by_second_replicas() {
    Cluster cluster;
    for (const char* const broker : {"1", "2", "3"})
        static_cast<void>(cluster.brokers.number_of(broker));
    for (const std::uint32_t number : {0U, 1U})
        cluster.partitions.push_back(
            {"t", number, {{0, "", 10, false}, {1, "", 10, false}}, 1, {}});
    return cluster;
}

reassign::Instance led_instance(const Cluster& cluster) {
    reassign::Instance instance;
    reassign::ReadTables read;
    take_partitions(cluster, "now.json", {}, instance.problem, read);
    no_machine_limits(instance.problem);
    instance.are_partitions = true;
    return instance;
}

/// The moves, and where they lead.
reassign::Plan moved_plan(const reassign::Instance& instance, std::vector<Move> moves) {
    reassign::Plan plan;
    plan.replayed.places = instance.problem.places;
    for (const Move& move : moves)
        plan.replayed.places[move.item] = move.to;
    plan.moves = std::move(moves);
    return plan;
}

TEST(ElectedLeaders, AreTheFirstReplicasWhereOthersLedAndMove) {
    const Cluster cluster = led_by_second_replicas();
    const reassign::Instance instance = led_instance(cluster);
    // The leader of t-0 moves from 2 to 3, the first replica of t-1 from 1 to 3.
    reassign::Plan plan = moved_plan(instance, {{0, 1, 1, 2}, {1, 2, 0, 2}});
    add_elected_leaders(instance, cluster, plan);
    EXPECT_EQ(plan.leaders, (std::vector<LeaderChange>{{0, 1, 0}}));
    EXPECT_EQ(plan.led_after.led, (std::vector<Tokens>{1, 1, 0}));
    EXPECT_EQ(plan.replayed_leaders.leaders, (reassign::Leaders{0, 3}));
    const Reassignment made = reassignment_of(instance, cluster, plan);
    EXPECT_EQ(made.waves.waves, (std::vector<std::vector<Replicas>>{{{0, {0, 2}}}, {{1, {2, 1}}}}))
        << "the order stays";
    EXPECT_EQ(made.waves.leaders, 1U) << "of t-1, whose first replica moves";
    EXPECT_EQ(made.elected, (std::vector<std::uint32_t>{0}));
    EXPECT_TRUE(made.elected_back.empty()) << "broker 2 was not the preferred leader";
}

TEST(ElectedLeaders, FollowTheFirstReplicaWhereItMovesLater) {
    const Cluster cluster = led_by_second_replicas();
    const reassign::Instance instance = led_instance(cluster);
    // The leader of t-1 goes away and comes back; then the first replica moves.
    reassign::Plan plan = moved_plan(instance, {{0, 3, 1, 2}, {1, 3, 2, 1}, {2, 2, 0, 2}});
    add_elected_leaders(instance, cluster, plan);
    EXPECT_EQ(plan.leaders, (std::vector<LeaderChange>{{1, 3, 2}}));
    EXPECT_EQ(plan.led_after.led, (std::vector<Tokens>{0, 1, 1}));
    EXPECT_EQ(reassignment_of(instance, cluster, plan).waves.waves.back(),
              (std::vector<Replicas>{{1, {2, 1}}}));
}

TEST(ElectedLeaders, LeaveAloneWhatIsDecidedOtherwise) {
    const Cluster cluster = led_by_second_replicas();
    reassign::Instance instance = led_instance(cluster);
    std::vector<Move> moves = {{0, 1, 1, 2}};
    const auto added = [&] {
        reassign::Plan plan = moved_plan(instance, moves);
        add_elected_leaders(instance, cluster, plan);
        return plan.leaders.size();
    };
    EXPECT_EQ(added(), 1U);
    instance.problem.leaders_tolerance = 0;
    EXPECT_EQ(added(), 0U) << "leaders are to be level: they become the preferred ones";
    instance = led_instance(cluster);
    instance.problem.given_leaders = {1, reassign::no_item};
    EXPECT_EQ(added(), 0U) << "a target gives the leader";
    // A broker that is pinned does not begin to lead: the leader becomes the preferred one.
    instance = led_instance(cluster);
    instance.problem.pinned[0] = true;
    EXPECT_EQ(added(), 0U);
    Reassignment made = reassignment_of(instance, cluster, moved_plan(instance, moves));
    EXPECT_EQ(made.waves.waves, (std::vector<std::vector<Replicas>>{{{0, {2, 0}}}}));
    EXPECT_TRUE(made.elected.empty()) << "brokers elect it by themselves";
    moves.push_back({1, 3, 1, 2});
    made = reassignment_of(instance, cluster, moved_plan(instance, moves));
    EXPECT_EQ(made.waves.waves,
              (std::vector<std::vector<Replicas>>{{{0, {0, 2}}}, {{0, {2, 0}}, {1, {2, 0}}}}));
    EXPECT_EQ(made.elected, (std::vector<std::uint32_t>{0}));
}

TEST(ElectedLeaders, AreReadFromFilesOfWaves) {
    const Cluster cluster = led_by_second_replicas();
    const reassign::Instance instance = led_instance(cluster);
    const auto leaders_in = [&](const std::string& replicas) {
        const auto text = [&](const std::string&) {
            return R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":)" +
                   replicas + "}]}";
        };
        return read_reassignment({{"plan-0.json"}, 0}, text, instance, cluster).leaders;
    };
    EXPECT_EQ(leaders_in("[1,3]"), (std::vector<LeaderChange>{{0, 1, 0}}));
    EXPECT_EQ(leaders_in("[3,2]"), std::vector<LeaderChange>()) << "broker 2 leads, and stays";
}

}  // namespace
}  // namespace equipoise::kafka
