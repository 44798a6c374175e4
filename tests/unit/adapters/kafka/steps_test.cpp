// Reassignments as Kafka carries them out: elections, throttles, the script and its files.

#include "equipoise/adapters/kafka/steps.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/reassignment.hpp"
#include "equipoise/adapters/kafka/take_partitions.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/file_set.hpp"

namespace equipoise::kafka {
namespace {

/// t-0 on 1, 2 and t-1 on 2, 3, led by 3; broker 4 is empty. Sizes are 100 and 50.
Cluster small_cluster() {
    Cluster cluster;
    for (const char* const broker : {"1", "2", "3", "4"})
        static_cast<void>(cluster.brokers.number_of(broker));
    cluster.partitions.push_back({"t", 0, {{0, "/a", 100, false}, {1, "", 100, false}}, {}, {}});
    cluster.partitions.push_back({"t", 1, {{1, "", 50, false}, {2, "", 50, false}}, 2, {}});
    return cluster;
}

reassign::Instance instance_of(const Cluster& cluster) {
    reassign::Instance instance;
    reassign::ReadTables read;
    take_partitions(cluster, "now.json", {}, instance.problem, read);
    instance.are_partitions = true;
    return instance;
}

/// In two waves t-0 goes from 1 to 4, and t-1 from 2 to 1.
reassign::Plan two_waves() {
    reassign::Plan plan;
    plan.moves = {{0, 0, 0, 3}, {1, 2, 1, 0}};
    plan.replayed.seconds = {2.5, 1};
    return plan;
}

TEST(Reassignment, FollowsLeadersAsBrokersChooseThem) {
    const Cluster cluster = small_cluster();
    reassign::Instance instance = instance_of(cluster);
    reassign::Plan plan = two_waves();
    Reassignment made = reassignment_of(instance, cluster, plan);
    EXPECT_EQ(made.waves.waves, (std::vector<std::vector<Replicas>>{{{0, {3, 1}}}, {{1, {0, 2}}}}));
    // Broker 4 follows 1 as the first replica; of t-1 the leader is another one and stays.
    EXPECT_EQ(made.leaders, (std::vector<NodeId>{0, 2}));
    EXPECT_TRUE(made.elected.empty());
    EXPECT_EQ(made.elected_back, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(made.figures[0].copied, 1U);
    EXPECT_EQ(made.figures[0].bytes, 100);
    EXPECT_EQ(made.figures[1].seconds, 1.0);
    // Where leaders are to be level, those that lead become the preferred ones.
    instance.problem.leaders_tolerance = 0;
    made = reassignment_of(instance, cluster, plan);
    EXPECT_EQ(made.waves.waves.back(), (std::vector<Replicas>{{1, {2, 0}}}));
    EXPECT_TRUE(made.elected.empty());
    // A change asks for an election.
    plan.leaders = {{0, 0, 1}};
    made = reassignment_of(instance, cluster, plan);
    EXPECT_EQ(made.waves.waves.front(), (std::vector<Replicas>{{0, {1, 3}}}));
    EXPECT_EQ(made.elected, (std::vector<std::uint32_t>{0}));
}

TEST(Reassignment, AddsAndDropsReplicas) {
    const Cluster cluster = small_cluster();
    reassign::Instance instance = instance_of(cluster);
    reassign::Problem& problem = instance.problem;
    // As after --replicas t-0=3,t-1=1: a replica is dropped, and another one is to come.
    problem.outside = problem.machines.number_of("");
    problem.places = {0, 1, 2, problem.outside};
    problem.thing = {0, 0, 1, 0};
    problem.leads = {true, false, true, false};
    problem.amounts = {1, 100, 1, 100, 1, 50, 1, 100};
    instance.as_read = {0, 1, 3, reassign::no_item};
    instance.dropped = {{2, 1, 1}};
    reassign::Plan plan;
    plan.moves = {{0, 3, problem.outside, 3}};
    plan.replayed.seconds = {2.5};
    const Reassignment made = reassignment_of(instance, cluster, plan);
    EXPECT_EQ(made.waves.waves, (std::vector<std::vector<Replicas>>{{{1, {2}}}, {{0, {0, 1, 3}}}}));
    EXPECT_EQ(made.figures[0].copied, 0U);
    EXPECT_FALSE(made.figures[0].seconds.has_value());
    EXPECT_EQ(made.figures[1].copied, 1U);
    EXPECT_EQ(made.figures[1].bytes, 100);
    EXPECT_EQ(made.figures[1].seconds, 2.5);
    EXPECT_EQ(made.last_lists(), (std::vector<Replicas>{{0, {0, 1, 3}}, {1, {2}}}));
    const std::vector<load::ItemDrop> drops = drops_of(made.waves.waves, cluster);
    ASSERT_EQ(drops.size(), 1U);
    EXPECT_EQ(drops[0].from, 1U);
    // The leader counts as dropped where no other one can be it.
    ASSERT_EQ(drops_of({{{1, {1}}}}, cluster).size(), 1U);
    EXPECT_EQ(drops_of({{{1, {1}}}}, cluster)[0].from, 2U);
    EXPECT_EQ(drops_of({{{1, {3}}}}, cluster)[0].from, 1U);
}

TEST(Reassignment, WavesThatAreDoneChangeTheCluster) {
    Cluster cluster = small_cluster();
    EXPECT_EQ(carry_out({{{0, {3, 0}}}, {{1, {1}}}}, cluster), 1U);
    const Partition& first = cluster.partitions[0];
    EXPECT_EQ(first.replicas[0].broker, 3U);
    EXPECT_EQ(first.replicas[0].size, 100);
    EXPECT_EQ(first.replicas[0].log_dir, "");
    EXPECT_EQ(first.replicas[1].log_dir, "/a");
    EXPECT_EQ(cluster.partitions[1].leader, 1U);
}

TEST(Steps, ThrottleByBrokerWhatAWaveReadsAndWrites) {
    const Cluster cluster = small_cluster();
    Reassignment made = reassignment_of(instance_of(cluster), cluster, two_waves());
    EXPECT_EQ(throttle_lines(made), "");
    const double none = std::numeric_limits<double>::infinity();
    made.gives = {10.5, none, 30, 40};
    made.takes = {1, 2, 3, 0.5};
    EXPECT_EQ(throttle_lines(made),
              "forward 0 brokers 1 10 -\n"
              "forward 0 topics t 0:1,0:2 0:4\n"
              "forward 1 brokers 1 - 1\n"
              "forward 1 brokers 3 30 -\n"
              "forward 1 topics t 1:2,1:3 1:1\n"
              "back 0 brokers 1 10 -\n"
              "back 0 brokers 2 - 2\n"
              "back 0 brokers 3 30 -\n"
              "back 0 topics t 1:1,1:3 1:2\n"
              "back 1 brokers 1 - 1\n"
              "back 1 brokers 4 40 -\n"
              "back 1 topics t 0:4,0:2 0:1\n");
}

TEST(Steps, HalveTheRateOfABrokerThatReadsAndWritesWhereItIsForBoth) {
    const Cluster cluster = small_cluster();
    const auto lines_of = [&](const reassign::Plan& plan) {
        Reassignment made = reassignment_of(instance_of(cluster), cluster, plan);
        made.half_duplex = true;
        made.gives = {10.5, 20, 30, 40};
        const std::string lines = throttle_lines(made);
        return lines.substr(0, lines.find("back"));
    };
    EXPECT_EQ(lines_of(two_waves()),
              "forward 0 brokers 1 10 -\n"
              "forward 0 brokers 2 20 -\n"
              "forward 0 brokers 4 - 40\n"
              "forward 0 topics t 0:1,0:2 0:4\n"
              "forward 1 brokers 1 - 10\n"
              "forward 1 brokers 2 20 -\n"
              "forward 1 brokers 3 30 -\n"
              "forward 1 topics t 1:2,1:3 1:1\n");
    // In one wave broker 1 reads one partition and writes the other.
    reassign::Plan together = two_waves();
    for (reassign::Move& move : together.moves)
        move.wave = 0;
    EXPECT_EQ(lines_of(together),
              "forward 0 brokers 1 5 5\n"
              "forward 0 brokers 2 20 -\n"
              "forward 0 brokers 3 30 -\n"
              "forward 0 brokers 4 - 40\n"
              "forward 0 topics t 0:1,0:2,1:2,1:3 0:4,1:1\n");
}

/// The throttles of a wave that moves the first replica of each of 6000 partitions.
std::string long_throttle_lines(std::uint32_t replicas) {
    Cluster cluster;
    for (const char* const broker : {"1000000001", "1000000002", "1000000003"})
        static_cast<void>(cluster.brokers.number_of(broker));
    reassign::Plan plan;
    for (std::uint32_t number = 0; number < 6000; ++number) {
        cluster.partitions.push_back({"t", number, {{0, "", 1, false}, {1, "", 1, false}}, {}, {}});
        cluster.partitions.back().replicas.resize(replicas);
        plan.moves.push_back({0, replicas * number, 0, 2});
    }
    Reassignment made = reassignment_of(instance_of(cluster), cluster, plan);
    made.gives = {5, 5, 5};
    return throttle_lines(made);
}

TEST(Steps, ListsThatAreTooLongForACommandBecomeAll) {
    EXPECT_NE(long_throttle_lines(2).find("forward 0 topics t * 0:1000000003,"), std::string::npos);
    // Of one replica neither list is too long, but both are in one argument.
    EXPECT_NE(long_throttle_lines(1).find("forward 0 topics t * 0:1000000003,"), std::string::npos);
}

TEST(Steps, AreAScriptAndItsFiles) {
    const Cluster cluster = small_cluster();
    const Reassignment made = reassignment_of(instance_of(cluster), cluster, two_waves());
    std::vector<std::string> names;
    FileSet foreseen;
    add_files_of_steps(foreseen, "out/it.sh");
    for (const NamedText& file : steps(made, "out/it.sh")) {
        names.push_back(file.first);
        FileSet written;
        written.add(file.first);
        EXPECT_EQ(written.common(foreseen), file.first);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"out/it-0.json", "out/it-1.json", "out/it-rollback-0.json",
                                        "out/it-rollback-1.json", "out/it-end.json",
                                        "out/it-rollback-leaders.json", "out/it.sh"}));
    const std::string script = steps(made, "out/it.sh").back().second;
    EXPECT_NE(script.find("readonly stem='it'\n"), std::string::npos);
    EXPECT_NE(script.find("\n0 t-0 1,2 4,2\n1 t-1 2,3 1,3\nEND\n"), std::string::npos);
    EXPECT_NE(script.find("readonly forward_seconds=(3 1)"), std::string::npos);
    EXPECT_EQ(script.find("@data@"), std::string::npos);
    EXPECT_EQ(script.find("@summary@"), std::string::npos);
}

TEST(Steps, NeedKafkasNames) {
    Cluster cluster = small_cluster();
    cluster.partitions[0].topic = "t;rm";
    const Reassignment made = reassignment_of(instance_of(cluster), cluster, two_waves());
    EXPECT_THROW(static_cast<void>(steps(made, "it.sh")), InputError);
    const Cluster fine = small_cluster();
    EXPECT_THROW(
        static_cast<void>(steps(reassignment_of(instance_of(fine), fine, two_waves()), "it.txt")),
        InputError);
}

}  // namespace
}  // namespace equipoise::kafka
