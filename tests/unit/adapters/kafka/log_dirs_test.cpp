// Sizes and directories of replicas as kafka-log-dirs prints them.

#include "equipoise/adapters/kafka/log_dirs.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/read_cluster.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

using Words = std::vector<std::string>;

std::string sized(const std::string& name, int size, bool future = false) {
    return R"({"partition":")" + name + R"(","size":)" + std::to_string(size) +
           R"(,"offsetLag":0,"isFuture":)" + (future ? "true}" : "false}");
}

std::string in_directory(const std::string& path, const std::string& partitions,
                         const std::string& error = "null") {
    return R"({"partitions":[)" + partitions + R"(],"error":)" + error + R"(,"logDir":")" + path +
           R"("})";
}

std::string described(const std::string& list) {
    return "Querying brokers for log directories information\n"
           "Received log directory information from brokers 1,2\n"
           R"({"brokers":[)" +
           list + R"(],"version":1})" + "\n";
}

std::string of_broker(int id, const std::string& directories) {
    return R"({"logDirs":[)" + directories + R"(],"broker":)" + std::to_string(id) + '}';
}

std::vector<Tokens> sizes_of(const Cluster& cluster) {
    return items_of(cluster).sizes;
}

TEST(LogDirs, TopicsEndAtTheLastHyphenAndFutureCopiesDoNotCount) {
    Cluster cluster =
        read_assignment(R"({"partitions":[{"topic":"t","partition":1,"replicas":[1,2]},)"
                        R"({"topic":"t-1","partition":1,"replicas":[1]}]})",
                        "now");
    read_log_dirs(
        described(of_broker(1, in_directory("/a", sized("t-1", 70) + ',' + sized("t-1-1", 5)) +
                                   ',' + in_directory("/b", sized("t-1", 900, true))) +
                  ',' +
                  of_broker(2, in_directory("/a", sized("t-1", 69) + ',' +
                                                      sized("__consumer_offsets-0", 7)))),
        "sizes", cluster);
    EXPECT_EQ(sizes_of(cluster), (std::vector<Tokens>{70, 69, 5}));
    EXPECT_EQ(cluster.notes, (Words{"sizes: brokers have several directories; replicas that stay "
                                    "keep theirs, and brokers choose those of others"}));
    EXPECT_EQ(cluster.partitions[0].replicas[0].log_dir, "");
}

TEST(LogDirs, DirectoriesWithErrorsAreNamed) {
    Cluster cluster =
        read_assignment(R"({"partitions":[{"topic":"t","partition":0,"replicas":[1]}]})", "now");
    read_log_dirs(described(of_broker(
                      1, in_directory("/a", sized("t-0", 3)) + ',' +
                             in_directory("/bad", "", R"("org.example.KafkaStorageException")"))),
                  "sizes", cluster);
    EXPECT_EQ(cluster.notes, (Words{"sizes: directory /bad of broker 1 has an error: "
                                    "org.example.KafkaStorageException"}));
    EXPECT_EQ(test::thrown_by([&] {
                  read_log_dirs(described(of_broker(1, in_directory("/bad", "", R"("broken")"))),
                                "sizes", cluster);
              }),
              "input: sizes: expected the size of partition \"t-0\" on broker 1, found none");
}

TEST(LogDirs, AReplicaInADirectoryIsWhereItWasFound) {
    Cluster cluster = read_assignment(
        R"({"partitions":[{"topic":"t","partition":0,"replicas":[1,2],"log_dirs":["/a","/b"]}]})",
        "now");
    read_log_dirs(described(of_broker(1, in_directory("/a", sized("t-0", 3))) + ',' +
                            of_broker(2, in_directory("/c", sized("t-0", 3)))),
                  "sizes", cluster);
    EXPECT_EQ(cluster.partitions[0].replicas[0].log_dir, "/a");
    EXPECT_EQ(cluster.partitions[0].replicas[1].log_dir, "/c");
    EXPECT_EQ(cluster.notes, (Words{"sizes: t-0 of broker 2 is in another directory than the "
                                    "assignment names; such replicas stay where they are"}));
}

TEST(LogDirs, ABrokerHasAReplicaOnceInADocument) {
    Cluster cluster =
        read_assignment(R"({"partitions":[{"topic":"t","partition":0,"replicas":[1]}]})", "now");
    const std::string five = of_broker(1, in_directory("/a", sized("t-0", 5)));
    const std::string seven = of_broker(1, in_directory("/b", sized("t-0", 7)));
    EXPECT_EQ(
        test::thrown_by([&] { read_log_dirs(described(five + ',' + seven), "sizes", cluster); }),
        "input: sizes: brokers[1].logDirs[0].partitions[0]: expected every replica of a broker "
        R"(once, found {"isFuture":false,"offsetLag":0,"partition":"t-0","size":7})");
    // Asked again, a broker may say something else; the larger size counts.
    read_log_dirs(described(seven) + described(five), "sizes", cluster);
    EXPECT_EQ(sizes_of(cluster), (std::vector<Tokens>{7}));
}

TEST(LogDirs, AReplicaThatIsBeingAddedIsAsLargeAsTheOthers) {
    Cluster cluster =
        read_cluster(R"({"partitions":[{"topic":"t","partition":0,"replicas":[1,2,3]}]})"
                     "\nt-0: replicas: 1,2,3. adding: 2,3. removing: 1.\n",
                     "now");
    read_log_dirs(described(of_broker(1, in_directory("/a", sized("t-0", 90))) + ',' +
                            of_broker(2, in_directory("/a", sized("t-0", 4)))),
                  "sizes", cluster);
    EXPECT_EQ(sizes_of(cluster), (std::vector<Tokens>{90, 90}));
}

}  // namespace
}  // namespace equipoise::kafka
