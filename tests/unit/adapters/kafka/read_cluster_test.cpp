// What Kafka's tools print of partitions, old and new, as a cluster.

#include "equipoise/adapters/kafka/read_cluster.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "tests/support/names.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

using Words = std::vector<std::string>;

std::string refused_cluster(const std::string& text) {
    return test::thrown_by([&] { static_cast<void>(read_cluster(text, "now")); });
}

/// "t-0: 1,2 leader 1", a line for each partition.
Words lines_of(const Cluster& cluster) {
    Words lines;
    for (const Partition& partition : cluster.partitions) {
        std::string line = partition.name() + ':';
        char sign = ' ';
        for (const Replica& replica : partition.replicas) {
            line += sign + std::string(cluster.brokers.name(replica.broker));
            if (replica.adding) line += '+';
            sign = ',';
        }
        if (partition.leader)
            line += " leader " + std::string(cluster.brokers.name(*partition.leader));
        lines.push_back(line);
    }
    return lines;
}

const std::string topic_line =
    "Topic: t\tTopicId: p4RrFOQxRrmJLNdX-Hqq_g\tPartitionCount: 2\tReplicationFactor: 2\t"
    "Configs: segment.bytes=1073741824\n";

TEST(ClustersAsPrinted, TopicsAreReadWithLeaders) {
    const Cluster cluster =
        read_cluster(topic_line +
                         "\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 1,2\tElr: \t"
                         "LastKnownElr: \n"
                         "\tTopic: t\tPartition: 1\tLeader: 3\tReplicas: 3,1\tIsr: 3,1\tElr: N/A\n",
                     "now");
    EXPECT_EQ(lines_of(cluster), (Words{"t-0: 1,2 leader 2", "t-1: 3,1 leader 3"}));
    EXPECT_EQ(test::names_of(cluster.brokers), (Words{"1", "2", "3"}));
    EXPECT_TRUE(cluster.notes.empty());
    EXPECT_TRUE(cluster.under_way.empty());
    EXPECT_EQ(cluster.partitions[0].leading_replica(), 1U);
    EXPECT_EQ(cluster.partitions[1].in_sync.size(), 2U);
}

TEST(ClustersAsPrinted, OldVersionsAndPastedTerminalsPrintTheSame) {
    // No blank behind "Topic:" in first lines; tabs that became blanks; ends of lines of Windows.
    const std::string old =
        "Topic:my-topic\tPartitionCount:1\tReplicationFactor:2\tConfigs:\n"
        "\tTopic: my-topic\tPartition: 0\tLeader: 0\tReplicas: 0,1\tIsr: 0,1\n";
    std::string pasted = "kafka@host:/$ kafka-topics.sh --describe\r\n";
    for (const char c : old)
        pasted += c == '\t' ? "  " : c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& text : {old, pasted})
        EXPECT_EQ(lines_of(read_cluster(text, "now")), (Words{"my-topic-0: 0,1 leader 0"})) << text;
    // A topic may be called as a key begins.
    EXPECT_EQ(lines_of(read_cluster(
                  "\tTopic: Adding\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n", "now")),
              (Words{"Adding-0: 1 leader 1"}));
}

TEST(ClustersAsPrinted, ALeaderThatIsBeingRemovedIsNotTheEnds) {
    const Cluster cluster = read_cluster(
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 3,1\tIsr: 1\tAdding Replicas: 3\t"
        "Removing Replicas: 1\n",
        "now");
    EXPECT_EQ(lines_of(cluster), (Words{"t-0: 3+"}));
}

TEST(ClustersAsPrinted, WhereTopicsAreBeingReassignedTheEndCounts) {
    const Cluster cluster =
        read_cluster(topic_line +
                         "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 3,2,1\tIsr: 1,2\t"
                         "Adding Replicas: 3\tRemoving Replicas: 1\n"
                         "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 3,1\tIsr: 3\t"
                         "Adding Replicas: \tRemoving Replicas: \n",
                     "now");
    EXPECT_EQ(lines_of(cluster), (Words{"t-0: 3+,2", "t-1: 3,1"}));
    EXPECT_EQ(cluster.under_way, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(cluster.notes,
              (Words{"now: t-1 has no leader, and cannot be copied until it has one",
                     "now: t-0 is being reassigned; what follows begins where that leads, and "
                     "Kafka refuses another reassignment before then, unless --additional is given",
                     "now: t-1 has replicas that are not in sync"}));
}

TEST(ClustersAsPrinted, TopicsThatDoNotFitSayWhereAndWhy) {
    const auto error = [](const std::string& line) { return refused_cluster(topic_line + line); };
    const std::string first = "\tTopic: t\tPartition: 0\t";
    const std::string good = "Leader: 1\tReplicas: 1,2\tIsr: 1\n";
    EXPECT_EQ(error(first + good), "input: now: expected 2 partitions of topic \"t\", found 1");
    EXPECT_EQ(error(first + good + first + good),
              "input: now:3: expected every partition once, found \"t-0\"");
    EXPECT_EQ(error(first + "Leader: 1\n"), "input: now:2: expected Replicas:, found none");
    EXPECT_EQ(error(first + "Leader: 1\tReplicas: 1,x\n"),
              "input: now:2: expected brokers, each once, after Replicas:, found \"1,x\"");
    EXPECT_EQ(error(first + "Leader: 1\tReplicas: 1,1\n"),
              "input: now:2: expected brokers, each once, after Replicas:, found \"1,1\"");
    EXPECT_EQ(error(first + "Leader: x\tReplicas: 1\tIsr: 1\n"),
              "input: now:2: expected a broker or none after Leader:, found \"x\"");
    EXPECT_EQ(error(first + "Leader: 9\tReplicas: 1,2\tIsr: 1\n"),
              "input: now:2: expected one of the Replicas: after Leader:, found \"9\"");
    EXPECT_EQ(error(first + "Leader: 1\tReplicas: 1,2147483648\n"),
              "input: now:2: expected brokers, each once, after Replicas:, found "
              "\"1,2147483648\"");
    EXPECT_EQ(error(first + good + "\tTopic: t\tPartition: 7\t" + good),
              "input: now:3: expected a number below the PartitionCount, 2, found \"7\"");
    EXPECT_EQ(error("\tTopic: t\tPartition: -1\t" + good),
              "input: now:2: expected a whole number after Partition:, found \"-1\"");
    EXPECT_EQ(error(""), "input: now: expected the partitions of a topic, found none");
}

constexpr const char* metadata =
    R"({"originating_broker":{"id":-1,"name":"host:9092/bootstrap"},"query":{"topic":"*"},
  "controllerid":1,"brokers":[{"id":3,"name":"c:9092"},{"id":1,"name":"a:9092"}],
  "topics":[{"topic":"t","partitions":[
    {"partition":0,"leader":1,"replicas":[{"id":3},{"id":1}],"isrs":[{"id":1},{"id":3}]},
    {"partition":1,"error":"Broker: Leader not available","leader":-1,"replicas":[{"id":3}],
     "isrs":[{"id":3}]}]},
   {"topic":"gone","error":"Broker: Unknown topic or partition"}]})";

TEST(ClustersAsPrinted, MetadataOfKcatKnowsAllBrokers) {
    const Cluster cluster = read_cluster(std::string("% kcat\n") + metadata + "\n", "now");
    EXPECT_EQ(lines_of(cluster), (Words{"t-0: 3,1 leader 1", "t-1: 3"}));
    EXPECT_EQ(test::names_of(cluster.brokers), (Words{"3", "1"}));
    EXPECT_EQ(cluster.notes,
              (Words{"now: topic gone is left out: Broker: Unknown topic or partition",
                     "now: t-1 has no leader, and cannot be copied until it has one"}));
    EXPECT_EQ(refused_cluster(std::string(metadata) + "\n" + metadata),
              "input: now: expected what kcat -L -J prints once, found it several times");
    EXPECT_EQ(refused_cluster(R"({"brokers":[],"topics":[]})"),
              "input: now: expected the partitions of a topic, found none");
    EXPECT_EQ(refused_cluster(R"({"brokers":[],"topics":[{"topic":"t","partitions":[
                  {"partition":0,"leader":1,"replicas":[{"id":1},{"id":1}]}]}]})"),
              "input: now: topics[0].partitions[0].replicas: expected every broker once, found "
              R"([{"id":1},{"id":1}])");
}

TEST(ClustersAsPrinted, MetadataThatDoNotFitSayWhere) {
    const auto error = [](const std::string& broker, const std::string& topic,
                          const std::string& leader) {
        return refused_cluster(R"({"brokers":[{"id":)" + broker + R"(}],"topics":[{"topic":")" +
                               topic + R"(","partitions":[{"partition":0,"leader":)" + leader +
                               R"(,"replicas":[{"id":1}]}]}]})");
    };
    EXPECT_EQ(error("1", "t", "1"), "nothing");
    EXPECT_EQ(error("1", "t", "9"),
              "input: now: topics[0].partitions[0].leader: expected one of the replicas or -1, "
              "found 9");
    EXPECT_EQ(error("1", "", "1"),
              "input: now: topics[0].topic: expected the name of a topic, found \"\"");
    EXPECT_NE(error("2147483648", "t", "1").find("brokers[0].id"), std::string::npos);
}

const std::string assignment =
    R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2,3]},)"
    R"({"topic":"t","partition":1,"replicas":[1,2]}]})"
    "\n";

TEST(ClustersAsPrinted, AListOfWhatIsUnderWayMayStandBesideAnAssignment) {
    const std::string list =
        "Current partition reassignments:\n"
        "t-0: replicas: 1,2,3. adding: 3. removing: 1.\n"
        "other-7: replicas: 8,9. adding: 9.\n";
    for (const std::string& text : {assignment + list, list + assignment}) {
        const Cluster cluster = read_cluster(text, "now");
        EXPECT_EQ(lines_of(cluster), (Words{"t-0: 2,3+", "t-1: 1,2"})) << text;
        EXPECT_EQ(cluster.under_way, (std::vector<std::uint32_t>{0}));
        EXPECT_EQ(cluster.notes, (Words{"now: other-7 and t-0 are being reassigned; what follows "
                                        "begins where that leads, and Kafka refuses another "
                                        "reassignment before then, unless --additional is given"}));
    }
    EXPECT_TRUE(
        read_cluster(assignment + "No partition reassignments found.\n", "now").notes.empty());
}

TEST(ClustersAsPrinted, PartitionsOfTwoFormsAreRefused) {
    const std::string topics = "\tTopic: u\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n";
    const auto error = [](const std::string& line) {
        return "input: now: expected partitions from one tool, found those of kafka-topics "
               "--describe and, on line " +
               line + ", others in JSON";
    };
    EXPECT_EQ(refused_cluster(topics + assignment), error("2"));
    EXPECT_EQ(refused_cluster(assignment + topics), error("1"));
    EXPECT_EQ(refused_cluster(topics + metadata), error("2"));
    // Sizes may stand beside them.
    EXPECT_EQ(lines_of(read_cluster(topics + R"({"version":1,"brokers":[]})"
                                             "\n",
                                    "now")),
              (Words{"u-0: 1,2 leader 1"}));
}

TEST(ClustersAsPrinted, WhatVerifySaysOfAPartitionIsWhereItIs) {
    const std::string verified =
        "Status of partition reassignment:\n"
        "Reassignment of partition t-1 is completed.\n"
        "There is no active reassignment of partition t-0, but replica set is 4,2 rather than 2,3."
        "\n";
    EXPECT_EQ(lines_of(read_cluster(assignment + verified, "now")),
              (Words{"t-0: 4,2", "t-1: 1,2"}));
    EXPECT_EQ(refused_cluster(assignment + "Reassignment of partition t-0 is still in progress.\n"),
              "input: now:2: expected also what --list or kafka-topics --describe prints, which "
              "say where partition t-0 goes, found neither");
}

TEST(ClustersAsPrinted, VerifySpeaksOfOneAssignment) {
    EXPECT_EQ(refused_cluster("Current partition replica assignment\n" + assignment +
                              "\nProposed partition reassignment configuration\n" + assignment +
                              "Reassignment of partition t-0 is completed.\n"),
              "input: now: expected one assignment beside what --verify says of it, found 2");
}

TEST(ClustersAsPrinted, WhatExecutePrintsIsNoLongerSo) {
    const Cluster cluster = read_cluster(
        "Current partition replica assignment\n\n" + assignment +
            "\nSave this to use as the --reassignment-json-file option during rollback\n"
            "Successfully started partition reassignments for t-0,t-1\n",
        "now");
    EXPECT_EQ(lines_of(cluster), (Words{"t-0: 1,2,3", "t-1: 1,2"}));
    EXPECT_EQ(cluster.notes, (Words{"now: what --execute prints is where partitions were before "
                                    "it; kafka-topics --describe says where they are"}));
}

TEST(ClustersAsPrinted, TextsAreToldApartByTheirFirstLines) {
    EXPECT_EQ(printed_in("x\n" + assignment), Printed::documents);
    EXPECT_EQ(printed_in("x\n" + topic_line), Printed::topics);
    EXPECT_EQ(printed_in("Status of partition reassignment:\n"), Printed::progress);
    EXPECT_EQ(printed_in("Reassignment of partition [t,0] completed successfully\n"),
              Printed::progress);
    EXPECT_EQ(printed_in("t-0: replicas: 1,2. adding: 2.\n"), Printed::progress);
    EXPECT_EQ(printed_in("a:9092 (id: 1 rack: r1) -> (\n"), Printed::brokers);
    EXPECT_EQ(printed_in("item,machine,bytes\nt-0,1,7\n"), std::nullopt);
    EXPECT_EQ(printed_in(""), std::nullopt);
}

}  // namespace
}  // namespace equipoise::kafka
