// Brokers and racks as Kafka's tools print them.

#include "equipoise/adapters/kafka/brokers.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using reassign::Columns;
using reassign::MachineTable;

MachineTable brokers_in(const std::string& text, const Columns& columns = {},
                        const std::vector<std::string>& expected_silent = {}) {
    std::vector<std::string> silent;
    MachineTable table = read_brokers(text, "brokers", columns, silent);
    EXPECT_EQ(silent, expected_silent);
    return table;
}

std::string refused_brokers(const std::string& text, const Columns& columns = {}) {
    return test::thrown_by([&] { static_cast<void>(brokers_in(text, columns)); });
}

const std::string versions =
    "\tProduce(0): 0 to 9 [usable: 9],\n"
    "\tFetch(1): 0 to 13 [usable: 13]\n)\n";

TEST(BrokersAsPrinted, ApiVersionsNameTheirRacks) {
    const MachineTable table =
        brokers_in("a:9092 (id: 1 rack: r1 isFenced: false) -> (\n" + versions +
                       "b:9092 (id: 2 rack: row 7) -> (\n" + versions +
                       "c:9092 (id: 3 rack: r1 isFenced: true) -> ERROR: "
                       "org.apache.kafka.common.errors.DisconnectException\n"
                       "d:9092 (id: 4 rack: r2) -> ERROR: org.example.DisconnectException\n",
                   {}, {"3", "4"});
    EXPECT_EQ(table.columns, (std::vector<std::string>{"broker", "rack"}));
    EXPECT_EQ(table.rows, (Rows{{"1", "r1"}, {"2", "row 7"}, {"3", "r1"}, {"4", "r2"}}));
    EXPECT_EQ(table.lines, (std::vector<std::uint64_t>{1, 5, 9, 10}));
    EXPECT_EQ(table.machine, 0U);
}

TEST(BrokersAsPrinted, SilentOnesNeitherGiveNorTakeUnlessTheyAreDrained) {
    reassign::Problem problem = test::reassign_problem({0, 1}, {5, 6}, 4);
    problem.drained[1] = true;
    std::vector<std::string> notes;
    pin_silent_brokers({"b", "c"}, "brokers.txt", false, problem, notes);
    EXPECT_EQ(problem.pinned, (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(problem.drained, (std::vector<bool>{false, true, false, false}));
    pin_silent_brokers({"a", "b", "d"}, "brokers.txt", false, problem, notes);
    EXPECT_EQ(notes, (std::vector<std::string>{
                         "brokers.txt: broker c is fenced or did not answer; it neither gives nor "
                         "takes (--drain empties it)",
                         "brokers.txt: brokers a and d are fenced or did not answer; they neither "
                         "give nor take (--drain empties them)"}));
    problem = test::reassign_problem({0, 1}, {5, 6}, 4);
    notes.clear();
    pin_silent_brokers({"d"}, "brokers.txt", true, problem, notes);
    EXPECT_EQ(problem.pinned, std::vector<bool>(4, false)) << "with a target";
    EXPECT_EQ(notes, (std::vector<std::string>{
                         "brokers.txt: broker d is fenced or did not answer; the target is taken "
                         "as it is"}));
}

TEST(BrokersAsPrinted, ThoseThatAreNotListedAreSilent) {
    const reassign::Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    MachineTable table;
    table.rows = {{"", "c"}, {"", "a"}};
    table.machine = 1;
    std::vector<std::string> silent = {"a"};
    add_unlisted_brokers(table, problem, silent);
    EXPECT_EQ(silent, (std::vector<std::string>{"a", "b"}));
}

TEST(BrokersAsPrinted, WithoutRacksBrokersAreKnownAlone) {
    const MachineTable table = brokers_in(
        "a:9092 (id: 1 rack: null isFenced: false) -> (\nb:9092 (id: 2 rack: null) -> (\n");
    EXPECT_EQ(table.columns, (std::vector<std::string>{"broker"}));
    EXPECT_EQ(table.rows, (Rows{{"1"}, {"2"}}));
    EXPECT_EQ(
        brokers_in(R"({"brokers":[{"id":7,"name":"a"},{"id":4,"name":"b"}],"topics":[]})").rows,
        (Rows{{"7"}, {"4"}}));
}

TEST(BrokersAsPrinted, RacksOfSomeBrokersAloneAreRefused) {
    EXPECT_EQ(refused_brokers("a:9092 (id: 1 rack: r1) -> (\nb:9092 (id: 2 rack: null) -> (\n"),
              "input: brokers: expected the racks of all brokers or of none, found none of broker "
              "2 (kafka-reassign-partitions --generate refuses that, too)");
    MachineTable table;
    table.file = "machines.csv";
    table.columns = {"Rack", "broker"};
    table.machine = 1;
    table.rows = {{"r1", "1"}, {"", "2"}};
    EXPECT_EQ(test::thrown_by([&] { expect_racks_of_all(table); }),
              "input: machines.csv: expected the racks of all brokers or of none, found none of "
              "broker 2 (kafka-reassign-partitions --generate refuses that, too)");
    table.rows = {{"", "1"}, {"", "2"}};
    EXPECT_NO_THROW(expect_racks_of_all(table));
    table.columns = {"zone", "broker"};
    table.rows = {{"z", "1"}, {"", "2"}};
    EXPECT_NO_THROW(expect_racks_of_all(table));
}

TEST(BrokersAsPrinted, LabelsThatTheyDoNotHaveAreRefused) {
    Columns columns;
    columns.machine_labels = {{"rack", "--spread"}};
    EXPECT_NO_THROW(static_cast<void>(brokers_in("a:1 (id: 1 rack: r) -> (\n", columns)));
    EXPECT_EQ(refused_brokers("a:1 (id: 1 rack: null) -> (\n", columns),
              "input: brokers: expected a label \"rack\" of brokers, which --spread names, found "
              "no racks of them");
    columns.machine_labels = {{"zone", "--near"}};
    EXPECT_EQ(refused_brokers("a:1 (id: 1 rack: r) -> (\n", columns),
              "input: brokers: expected a label \"zone\" of brokers, which --near names, found "
              "their racks alone");
    EXPECT_EQ(refused_brokers("a:1 (id: x rack: r) -> (\n"),
              "input: brokers:1: expected a broker's id after \"(id: \", found \"a:1 (id: x rack: "
              "r) -> (\"");
    EXPECT_EQ(refused_brokers(R"({"brokers":[{"broker":1}]})"),
              R"(input: brokers: expected the key "topics", found none)");
}

}  // namespace
}  // namespace equipoise::kafka
