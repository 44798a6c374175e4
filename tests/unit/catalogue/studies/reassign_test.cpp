// Requests of reassign, from texts in place of files to problems.

#include "equipoise/catalogue/studies/reassign.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/names.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

/// Partitions of two topics with two replicas each, on three brokers in two racks.
ReassignRequest replicas_on_brokers() {
    ReassignRequest request;
    request.items = "items.csv";
    request.texts["items"] =
        "item,broker,topic,bytes\n"
        "t-0,1,t,5 MB\nt-0,2,t,5 MB\nt-1,2,t,7 MB\nu-0,1,u,3 MB\nu-0,3,u,3 MB\n";
    request.machines = "machines.csv";
    request.texts["machines"] = "broker,rack,bytes\n1,r1,30 MB\n2,r1,20 MB\n3,r2,\n4,r2,\n";
    return request;
}

std::string refusal_of(const ReassignRequest& request) {
    return test::thrown_by([&] { static_cast<void>(make_problem(request)); });
}

TEST(ReassignRequest, BecomesAProblemWithRulesAimsAndRates) {
    ReassignRequest request = replicas_on_brokers();
    request.spread = {"topic:rack"};
    request.apart = {"topic"};
    request.drain = {"3"};
    request.rates = "rates.csv";
    request.texts["rates"] = "broker,in,out\n1,5 MB,6 MB\n";
    request.allowed = "allowed.csv";
    request.texts["allowed"] = "topic,rack\nu,r1\n";
    request.level = {"bytes", "items"};
    request.at_most = "bytes=10MB";
    const reassign::Instance instance = make_problem(request);
    const reassign::Problem& problem = instance.problem;
    EXPECT_EQ(problem.item_count(), 5U);
    EXPECT_EQ(problem.machine_count(), 4U);
    EXPECT_EQ(problem.capacity(0, 1), 30'000'000);
    EXPECT_TRUE(problem.drained[2]);
    EXPECT_EQ(problem.apart.size(), 2U);
    EXPECT_EQ(problem.spread.size(), 1U);
    EXPECT_EQ(problem.level.size(), 2U);
    EXPECT_EQ(problem.budget.amounts[1], 10'000'000);
    EXPECT_EQ(problem.takes[0], 5'000'000);
    EXPECT_EQ(problem.at_once, 0);
    EXPECT_EQ(problem.allowed_set[3], 0U);
    EXPECT_FALSE(instance.level_by_default);
    EXPECT_TRUE(instance.notes.empty());
}

TEST(ReassignRequest, AsksForLittleByDefault) {
    const reassign::Instance instance = make_problem(replicas_on_brokers());
    EXPECT_TRUE(instance.level_by_default);
    EXPECT_EQ(instance.problem.at_once, 1);
    EXPECT_EQ(instance.problem.level.front().resource, 1U);
    EXPECT_EQ(
        instance.notes,
        (std::vector<std::string>{
            "items.csv: column \"topic\" is not used (--labels or --resources would name it)"}));
    EXPECT_EQ(instance.problem.machine_labels.front().name, "rack");
}

TEST(ReassignRequest, LabelsMayBeOfItemsOrOfMachines) {
    ReassignRequest request = replicas_on_brokers();
    request.labels = {"rack", "topic"};
    const reassign::Instance instance = make_problem(request);
    EXPECT_TRUE(instance.notes.empty());
    EXPECT_EQ(instance.problem.item_labels.size(), 2U);
    EXPECT_EQ(instance.problem.machine_labels.size(), 1U);
    request.labels = {"colour"};
    EXPECT_EQ(refusal_of(request),
              "input: --labels: expected a column of items.csv or machines.csv, found \"colour\"");
}

TEST(ReassignRequest, MovesThatAreDoneAreTheNewStart) {
    ReassignRequest request = replicas_on_brokers();
    request.resume = "done.csv";
    request.texts["resume"] = "wave,item,from,to\n0,t-0,1,4\n2,t-0,4,3\n2,u-0,1,2\n";
    const report::ReassignInstance instance = make_problem(request);
    EXPECT_EQ(instance.problem.places, (std::vector<reassign::MachineId>{2, 1, 1, 1, 2}));
    EXPECT_EQ(instance.resumed, 3U);
    EXPECT_EQ(instance.resumed_waves, 2U);
    request.texts["resume"] = "wave,item,from,to\n0,t-0,3,4\n";
    EXPECT_EQ(refusal_of(request), "input: done.csv:2: machine 3 does not hold item t-0 in wave 0");
    request.texts["check"] = "wave,item,from,to\n0,t-1,2,4\n";
    EXPECT_EQ(read_schedule(request, "check.csv", instance).read.moves.size(), 1U);
}

TEST(ReassignRequest, PartitionsOfKafkaHaveTopicsAndSizes) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] =
        R"({"partitions": [{"topic": "a-b", "partition": 0, "replicas": [1, 2]},
                           {"topic": "a-b", "partition": 1, "replicas": [2]}]})";
    request.apart = {"topic"};
    reassign::Instance instance = make_problem(request);
    EXPECT_TRUE(instance.are_partitions);
    EXPECT_EQ(instance.problem.resource_count(), 1U);
    EXPECT_EQ(instance.problem.item_labels[1].values.name(0), "a-b");
    EXPECT_EQ(instance.problem.item_name(2), "a-b-1");
    EXPECT_EQ(instance.problem.level.front().resource, 0U);
    request.level = {"bytes"};
    EXPECT_EQ(refusal_of(request),
              "input: now.json: expected a column \"bytes\", which --level names, found Kafka's "
              "partitions, whose resource is bytes, with --log-dirs");
    request.log_dirs = "sizes.json";
    request.texts["log-dirs"] =
        R"({"brokers": [
            {"broker": 1, "logDirs": [{"partitions": [{"partition": "a-b-0", "size": 70}]}]},
            {"broker": 2, "logDirs": [{"partitions": [{"partition": "a-b-0", "size": 71},
                                                      {"partition": "a-b-1", "size": 9}]}]}]})";
    EXPECT_EQ(make_problem(request).problem.amounts, (std::vector<Tokens>{1, 70, 1, 71, 1, 9}));
    request.apart = {"service"};
    EXPECT_EQ(refusal_of(request),
              "input: now.json: expected a column \"service\", which --apart names, found Kafka's "
              "partitions, whose labels are item and topic");
}

TEST(ReassignRequest, TheClusterOfPartitionsFollowsTheMovesThatAreDone) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] =
        R"({"partitions": [{"topic": "t", "partition": 0, "replicas": [2, 1],
                            "log_dirs": ["/d", "/e"]},
                           {"topic": "t", "partition": 1, "replicas": [1]}]})";
    request.machines = "machines.csv";
    request.texts["machines"] = "broker,rack\n3,r2\n1,r1\n2,r1\n";
    request.resume = "done.csv";
    request.texts["resume"] = "wave,item,from,to\n0,t-0,2,3\n";
    const report::ReassignInstance instance = make_problem(request);
    ASSERT_TRUE(instance.cluster);
    const kafka::Cluster& cluster = *instance.cluster;
    EXPECT_EQ(test::names_of(cluster.brokers), test::names_of(instance.problem.machines));
    EXPECT_EQ(cluster.racks, (std::vector<std::string>{"r1", "r1", "r2"}));
    const std::vector<kafka::Replica>& replicas = cluster.partitions[0].replicas;
    EXPECT_EQ(cluster.brokers.name(replicas[0].broker), "3");
    EXPECT_EQ(replicas[0].log_dir, "");
    EXPECT_EQ(replicas[1].log_dir, "/e");
    EXPECT_EQ(instance.problem.leads, (std::vector<bool>{true, false, true}));
    EXPECT_FALSE(make_problem(replicas_on_brokers()).cluster);
}

TEST(ReassignRequest, WhatKafkasToolsPrintIsToldByItsLines) {
    ReassignRequest request;
    request.items = "topics";
    request.texts["items"] =
        "\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 1,2\n"
        "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 2,1\tIsr: 2,1\n";
    request.machines = "brokers";
    request.texts["machines"] =
        "a:9092 (id: 1 rack: r1) -> (\nb:9092 (id: 2 rack: r2) -> (\nc:9092 (id: 3 rack: r2) -> "
        "(\n";
    request.spread = {"item:rack"};
    const report::ReassignInstance instance = make_problem(request);
    EXPECT_TRUE(instance.are_partitions);
    EXPECT_EQ(instance.problem.machine_count(), 3U);
    EXPECT_EQ(instance.problem.leads, (std::vector<bool>{false, true, true, false}));
    EXPECT_EQ(instance.cluster->racks, (std::vector<std::string>{"r1", "r2", "r2"}));
    request.machines = "table.csv";
    request.texts["machines"] = "broker,rack\n1,r1\n2,\n";
    EXPECT_EQ(refusal_of(request),
              "input: table.csv: expected the racks of all brokers or of none, found none of "
              "broker 2 (kafka-reassign-partitions --generate refuses that, too)");
}

TEST(ReassignRequest, WhatVerifySaysOfAWaveIsWhereThePlanBegins) {
    ReassignRequest request;
    request.items = "kcat.json";
    request.texts["items"] =
        R"({"brokers": [{"id": 9}, {"id": 2}, {"id": 1}], "topics": [{"topic": "t", "partitions": [
            {"partition": 0, "leader": 1, "replicas": [{"id": 1}, {"id": 2}]},
            {"partition": 1, "leader": 2, "replicas": [{"id": 1}, {"id": 2}]}]}]})";
    EXPECT_EQ(test::names_of(make_problem(request).problem.machines),
              (std::vector<std::string>{"9", "2", "1"}));
    // The table says which brokers there are besides those that hold something.
    request.machines = "table.csv";
    request.texts["machines"] = "broker\n3\n1\n2\n";
    request.resume = "stands.txt";
    request.texts["resume"] =
        R"({"partitions": [{"topic": "t", "partition": 0, "replicas": [3, 2]},
                           {"topic": "t", "partition": 1, "replicas": [3, 2]}]})"
        "\nReassignment of partition t-0 is still in progress.\n"
        "There is no active reassignment of partition t-1, but replica set is 1,2 rather than 3,2."
        "\n";
    const report::ReassignInstance instance = make_problem(request);
    EXPECT_EQ(test::names_of(instance.problem.machines), (std::vector<std::string>{"2", "1", "3"}));
    EXPECT_EQ(instance.problem.places, (std::vector<reassign::MachineId>{2, 0, 1, 0}));
    EXPECT_EQ(instance.problem.leads, (std::vector<bool>{true, false, false, true}));
    EXPECT_EQ(instance.resumed, 1U);
    EXPECT_EQ(instance.cluster->under_way, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(instance.notes.size(), 1U);
}

TEST(ReassignRequest, AnObjectiveReadsItsCostsFromTheItems) {
    ReassignRequest request = replicas_on_brokers();
    request.texts["items"] = "item,node,price\np,1,7\nq,2,0\n";
    request.texts["machines"] = "node,zone\n1,x\n2,y\n";
    request.objective = "objective.json";
    request.texts["objective"] =
        R"({"moves": {"weight": 2, "cost": "price"},
            "machine_pairs": {"weight": 1, "label": "zone", "others": 3}})";
    const reassign::Instance instance = make_problem(request);
    EXPECT_EQ(instance.problem.objective.move_costs, (std::vector<Tokens>{14, 0}));
    EXPECT_EQ(instance.problem.objective.pair_costs, (std::vector<std::uint32_t>{0, 3, 3, 0}));
    EXPECT_TRUE(instance.problem.level.empty());
    EXPECT_FALSE(instance.level_by_default);
    EXPECT_TRUE(instance.notes.empty());
    request.texts["items"] = "item,node,price\np,1,-7\n";
    EXPECT_EQ(refusal_of(request),
              "input: items.csv:2: expected a cost of moving the item, a whole number from 0 to "
              "1000000000, found \"-7\"");
    request.level = {"items"};
    EXPECT_EQ(refusal_of(request).substr(0, 44), "input: --objective: expected no --level besi");
}

TEST(ReassignRequest, OptionsThatDoNotFitAreRefusedBeforeFilesAreRead) {
    const auto error = [](void (*change)(ReassignRequest&)) {
        ReassignRequest request = replicas_on_brokers();
        change(request);
        return test::thrown_by([&] { request.check(); });
    };
    EXPECT_EQ(error([](ReassignRequest& request) { request.items.clear(); }),
              "input: expected a file of items (item,machine,...), found none");
    EXPECT_EQ(error([](ReassignRequest& request) { request.at_once = 0; }),
              "input: --at-once: expected a whole number from 1 to 1000000000, found 0");
    EXPECT_EQ(error([](ReassignRequest& request) { request.seconds = -1; }),
              "input: --seconds: expected a number, 0 or more, found -1.000000");
    EXPECT_EQ(error([](ReassignRequest& request) { request.threads = 0; }),
              "input: --threads: expected a whole number from 1 to 1024, found 0");
    EXPECT_EQ(error([](ReassignRequest& request) { request.drain = {""}; }),
              "input: --drain: expected names, found an empty one");
    EXPECT_EQ(error([](ReassignRequest& request) {
                  request.rules = "/no/such/rules.json";
              }).substr(0, 26),
              "input: /no/such/rules.json");
    EXPECT_EQ(error([](ReassignRequest& request) { request.log_dirs = "x"; }).substr(0, 8),
              "input: x");
}

TEST(ReassignRequest, ARackThatNobodyGivesIsAskedFor) {
    ReassignRequest request = replicas_on_brokers();
    request.machines.clear();
    request.spread = {"topic:rack"};
    EXPECT_EQ(refusal_of(request),
              "input: --spread: machines have no label \"rack\"; a column of --machines gives it");
    request.spread = {"topic:machine"};
    EXPECT_EQ(refusal_of(request), "nothing");
}

TEST(ReassignRequest, TheSearchTakesThirtySecondsUnlessAnEffortIsAskedFor) {
    ReassignRequest request = replicas_on_brokers();
    EXPECT_EQ(search_options(request).seconds, 30);
    EXPECT_EQ(search_options(request).memory, std::uint64_t{1} << 30U);
    request.effort = 500;
    EXPECT_EQ(search_options(request).seconds, std::nullopt);
    EXPECT_EQ(search_options(request).effort, 500U);
}

}  // namespace
}  // namespace equipoise::catalogue
