// Kafka's partitions and brokers as a problem of reassignment.

#include "equipoise/adapters/kafka/take_partitions.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "tests/support/names.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

reassign::MachineTable table_of(const std::vector<std::string>& brokers) {
    reassign::MachineTable table;
    table.file = "brokers.csv";
    table.columns = {"broker"};
    for (const std::string& broker : brokers) {
        table.rows.push_back({broker});
        table.lines.push_back(table.rows.size() + 1);
    }
    return table;
}

TEST(BrokersOfATable, AreThoseThatHoldReplicasAndTheOthers) {
    Cluster cluster =
        read_assignment(R"({"partitions":[{"topic":"t","partition":0,"replicas":[7,5]}]})", "now");
    static_cast<void>(cluster.brokers.number_of("9"));
    take_brokers(table_of({"0", "5", "2147483647"}), cluster);
    EXPECT_EQ(test::names_of(cluster.brokers),
              (std::vector<std::string>{"7", "5", "0", "2147483647"}));
}

TEST(BrokersOfATable, AreCalledAsKafkaPrintsTheirIds) {
    // 01 would be broker 1 in files of waves.
    for (const char* const name : {"01", "2147483648", "b1", "-1"}) {
        Cluster cluster;
        EXPECT_EQ(test::thrown_by([&] {
                      take_brokers(table_of({"1", name}), cluster);
                  }),
                  "input: brokers.csv:3: expected the id of a broker, a whole number of at most "
                  "2147483647 without leading zeros, found \"" +
                      std::string(name) + '"');
    }
}

}  // namespace
}  // namespace equipoise::kafka
