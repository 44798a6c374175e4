// What Kafka's tools print, old and new, and what is wrong with other texts.

#include "equipoise/adapters/kafka/partitions.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/log_dirs.hpp"
#include "equipoise/base/error.hpp"
#include "tests/support/names.hpp"

namespace equipoise::kafka {
namespace {

std::string refusal_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

constexpr const char* partitions =
    R"({"version":1,"partitions":[
       {"topic":"t","partition":0,"replicas":[5,7],"log_dirs":["any","any"]},
       {"topic":"t-1","partition":3,"replicas":[7]}]})";

/// An assignment of partition t-0 to these brokers, as the tool prints it.
std::string assigned(const std::string& brokers) {
    return R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[)" + brokers +
           R"(],"log_dirs":["any","any"]}]})";
}

/// The replicas of an assignment as items.
Items items_read(const std::string& text) {
    return items_of(read_assignment(text, "now"));
}

const std::string current = "Current partition replica assignment\n";
const std::string proposed = "Proposed partition reassignment configuration\n";

std::vector<std::string> brokers_read(const std::string& text, Assignment wanted,
                                      std::vector<std::string>* notes = nullptr) {
    const Cluster cluster = read_assignment(text, "f", wanted);
    if (notes != nullptr) notes->insert(notes->end(), cluster.notes.begin(), cluster.notes.end());
    const Items items = items_of(cluster);
    std::vector<std::string> brokers;
    brokers.reserve(items.places.size());
    for (const NodeId node : items.places)
        brokers.push_back(items.node_name(node));
    return brokers;
}

using Brokers = std::vector<std::string>;

TEST(PartitionFiles, PartitionsAreItemsAndBrokersNodes) {
    Cluster cluster = read_assignment(partitions, "now");
    const Items items = items_of(cluster);
    EXPECT_EQ(test::names_of(items.things), (std::vector<std::string>{"t-0", "t-1-3"}));
    EXPECT_EQ(test::names_of(items.nodes), (std::vector<std::string>{"5", "7"}));
    EXPECT_EQ(items.places, (std::vector<NodeId>{0, 1, 1}));
    EXPECT_TRUE(items.sizes.empty());
    read_log_dirs(
        R"({"version":1,"brokers":[{"broker":5,"logDirs":[{"logDir":"/d","error":null,"partitions":
        [{"partition":"t-0","size":12,"offsetLag":0,"isFuture":false}]}]},{"broker":7,"logDirs":
        [{"partitions":[{"partition":"t-0","size":11},{"partition":"t-1-3","size":0}]}]}]})",
        "sizes", cluster);
    EXPECT_EQ(items_of(cluster).sizes, (std::vector<Tokens>{12, 11, 0}));
}

TEST(PartitionFiles, OfTheTwoAssignmentsThatGeneratePrintsTheWantedOneIsRead) {
    // Since Kafka 0.11, before it, and in a terminal of Windows.
    const std::string now = current + assigned("1,2") + "\n\n" + proposed + assigned("3,1") + "\n";
    const std::string old =
        current + "\n" + assigned("1,2") + "\n" + proposed + "\n" + assigned("3,1") + "\n";
    std::string windows;
    for (const char c : now)
        windows += c == '\n' ? "\r\n" : std::string(1, c);
    const std::string with_warnings =
        "Warning: --zookeeper is deprecated, and will be removed in a future version of Kafka.\n"
        "[2021-03-01 12:00:00,000] WARN {x} (kafka.admin)\n" +
        current + "[2021-03-01 12:00:00,001] WARN again\n" + assigned("1,2") + "\n\n" + proposed +
        assigned("3,1") + "\nroot@kafka:/# \n";
    for (const std::string& text : {now, old, windows, with_warnings}) {
        std::vector<std::string> notes;
        EXPECT_EQ(brokers_read(text, Assignment::current, &notes), (Brokers{"1", "2"})) << text;
        EXPECT_EQ(brokers_read(text, Assignment::proposed, &notes), (Brokers{"3", "1"})) << text;
        ASSERT_EQ(notes.size(), 2U);
        EXPECT_TRUE(notes[0].starts_with("f holds 2 assignments; the current one, on line "));
        EXPECT_TRUE(notes[1].starts_with("f holds 2 assignments; the proposed one, on line "));
    }
    std::vector<std::string> notes;
    static_cast<void>(brokers_read(old, Assignment::proposed, &notes));
    EXPECT_EQ(notes, (Brokers{"f holds 2 assignments; the proposed one, on line 6, is read"}));
}

TEST(PartitionFiles, AnAssignmentAloneIsReadWhateverItsHeading) {
    std::vector<std::string> notes;
    EXPECT_EQ(brokers_read(assigned("1,2"), Assignment::proposed, &notes), (Brokers{"1", "2"}));
    // What --execute prints, which is also the way back.
    const std::string executed =
        current + "\n" + assigned("1,2") +
        "\n\nSave this to use as the --reassignment-json-file option during rollback\n"
        "Successfully started reassignment of partitions " +
        assigned("3,1") + "\n";
    EXPECT_EQ(brokers_read(executed, Assignment::current, &notes), (Brokers{"1", "2"}));
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(brokers_read(executed, Assignment::proposed, &notes), (Brokers{"1", "2"}));
    EXPECT_EQ(notes, (Brokers{"f holds one assignment; it is read as the proposed one, though its "
                              "heading says current"}));
    // Topics that were to be moved are no assignment.
    EXPECT_EQ(brokers_read("$ cat topics.json\n{\"topics\":[{\"topic\":\"t\"}],\"version\":1}\n" +
                               assigned("1,2"),
                           Assignment::current),
              (Brokers{"1", "2"}));
}

TEST(PartitionFiles, SeveralAssignmentsThatNothingTellsApartAreRefused) {
    const std::string two = assigned("1,2") + "\n" + assigned("3,1") + "\n";
    EXPECT_EQ(refusal_of([&] { static_cast<void>(read_assignment(two, "f")); }),
              "f: expected one current assignment of partitions, found 2 (of 2 assignments)");
    EXPECT_EQ(refusal_of([&] {
                  static_cast<void>(
                      read_assignment(current + two + proposed + two, "f", Assignment::proposed));
              }),
              "f: expected one proposed assignment of partitions, found 3 (of 4 assignments)");
    EXPECT_EQ(refusal_of([&] {
                  static_cast<void>(read_assignment(
                      proposed + assigned("1") + "\n" + proposed + assigned("2"), "f"));
              }),
              "f: expected one current assignment of partitions, found none (of 2 assignments)");
}

TEST(PartitionFiles, WhatKafkaHasNotIsRefused) {
    const auto error = [](const std::string& topic, const std::string& broker,
                          const std::string& directory) {
        return refusal_of([&] {
            static_cast<void>(read_assignment(R"({"partitions":[{"topic":")" + topic +
                                                  R"(","partition":0,"replicas":[)" + broker +
                                                  R"(],"log_dirs":[")" + directory + R"("]}]})",
                                              "f"));
        });
    };
    for (const char* const directory : {"any", "/d", R"(C:\\d)"})
        EXPECT_EQ(error("t", "2147483647", directory), "no error") << directory;
    EXPECT_EQ(error("", "1", "any"),
              "f: partitions[0].topic: expected the name of a topic, found \"\"");
    EXPECT_EQ(error("t", "2147483648", "any"),
              "f: partitions[0].replicas: expected ids of brokers, which are at most 2147483647, "
              "found [2147483648]");
    for (const char* const directory : {"d", ""})
        EXPECT_EQ(error("t", "1", directory),
                  "f: partitions[0].log_dirs[0]: expected an absolute path or \"any\", found \"" +
                      std::string(directory) + '"');
}

TEST(PartitionFiles, SizesAreReadFromWhatLogDirsPrintsForSomeBrokersAtATime) {
    const auto printed = [](const std::string& broker, const std::string& size) {
        return "Querying brokers for log directories information\n"
               "Received log directory information from brokers " +
               broker + "\n" + R"({"brokers":[{"broker":)" + broker +
               R"(,"logDirs":[{"logDir":"/d","error":null,"partitions":[{"partition":"t-0",)" +
               R"("size":)" + size + R"(,"offsetLag":0,"isFuture":false}]},{"logDir":"/bad",)" +
               R"("error":"org.apache.kafka.common.errors.KafkaStorageException",)" +
               R"("partitions":[]}]}],"version":1})" + "\n";
    };
    Cluster cluster = read_assignment(assigned("1,2"), "now");
    read_log_dirs(printed("1", "70") + printed("2", "65"), "sizes", cluster);
    EXPECT_EQ(items_of(cluster).sizes, (std::vector<Tokens>{70, 65}));
    EXPECT_EQ(refusal_of([&] { read_log_dirs(printed("1", "70"), "sizes", cluster); }),
              R"(sizes: expected the size of partition "t-0" on broker 2, found none)");
    EXPECT_EQ(refusal_of([&] { read_log_dirs("Querying brokers\n", "sizes", cluster); }),
              R"(sizes:1: expected a line that begins with {, found "Querying brokers")");
}

TEST(PartitionFiles, AProposalKeepsItsOrderAndNamesWhatIsKnown) {
    const Items items = items_read(partitions);
    std::vector<std::string> notes;
    EXPECT_EQ(read_proposal(assigned("7,5"), "to", items, &notes), (EndsByThing{{1, 0}, {}}));
    EXPECT_TRUE(notes.empty());
    static_cast<void>(read_proposal(
        R"({"partitions":[{"topic":"t","partition":0,"replicas":[7,5],"log_dirs":["any","/d"]}]})",
        "to", items, &notes));
    EXPECT_EQ(notes, (Brokers{"to names directories (log_dirs), which are not planned"}));
    const auto error = [&](const std::string& text) {
        return refusal_of([&] { static_cast<void>(read_proposal(text, "to", items)); });
    };
    EXPECT_EQ(error(assigned("7,6")),
              "to: expected a broker that holds partitions or that --machines or, in plan, --nodes "
              R"(names, found "6")");
    EXPECT_EQ(error(R"({"partitions":[{"topic":"q","partition":0,"replicas":[5]}]})"),
              R"(to: expected a partition of the file of items, found "q-0")");
}

TEST(PartitionFiles, ReassignmentsAreReadOneAfterTheOther) {
    const Items items = items_read(partitions);
    const auto read = [&](const std::string& text) {
        return read_reassignments(text, "waves", items);
    };
    using Waves = std::vector<std::vector<Replicas>>;
    EXPECT_EQ(read(assigned("7,5") + "\n" + assigned("5,7")),
              (Waves{{{0, {1, 0}}}, {{0, {0, 1}}}}));
    EXPECT_EQ(read(current + assigned("5,7") + "\n" + proposed + assigned("7,5")),
              (Waves{{{0, {1, 0}}}}));
    EXPECT_EQ(refusal_of([&] { static_cast<void>(read(current + assigned("5,7"))); }),
              "waves: expected a reassignment, found only the current assignment");
    EXPECT_EQ(
        refusal_of([&] { static_cast<void>(read(assigned("5,7") + "\n" + assigned("5,5"))); }),
        "waves:2: partitions[0].replicas: expected every broker once, found [5,5]");
}

TEST(PartitionFiles, WrongDocumentsSayWhatWasExpectedWhere) {
    const auto error = [](const std::string& text) {
        return refusal_of([&] { static_cast<void>(read_assignment(text, "now")); });
    };
    EXPECT_EQ(error(R"({"version":2,"partitions":[]})"), "now: version: expected 1, found 2");
    EXPECT_EQ(error(R"({"version":"1","partitions":[]})"),
              R"(now: version: expected 1, found "1")");
    EXPECT_EQ(error(R"({"partitions":7})"), "now: partitions: expected a list, found 7");
    EXPECT_EQ(error(R"({"brokers":[]})"), R"(now: expected the key "partitions", found none)");
    EXPECT_EQ(error(R"({"partitions":[7]})"), "now: partitions[0]: expected an object, found 7");
    EXPECT_EQ(error(R"({"partitions":[{"topic":"t","partition":-1,"replicas":[1]}]})"),
              "now: partitions[0].partition: expected a whole number, 0 or more, found -1");
    EXPECT_EQ(error(R"({"partitions":[{"topic":"t","partition":1,"replicas":[]}]})"),
              "now: partitions[0].replicas: expected a broker or more, found []");
    EXPECT_EQ(error("[7]"), R"(now:1: expected a line that begins with {, found "[7]")");
    Cluster cluster = read_assignment(partitions, "now");
    EXPECT_EQ(refusal_of([&] { read_log_dirs(R"({"brokers":[]})", "sizes", cluster); }),
              R"(sizes: expected the size of partition "t-0" on broker 5, found none)");
}

}  // namespace
}  // namespace equipoise::kafka
