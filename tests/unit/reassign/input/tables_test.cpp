// Tables of items and machines: columns, units, limits, and what is wrong with them.

#include "equipoise/reassign/input/tables.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

struct Tables {
    Problem problem;
    ReadTables read;
};

/// Reads both tables, as a request would; without text there is no table of machines.
Tables tables_of(const std::string& items, Columns columns = {}, const std::string& machines = "") {
    Tables made;
    std::istringstream machines_stream(machines);
    LineSource machines_source(machines_stream, "machines.csv");
    std::optional<MachineTable> table;
    if (!machines.empty()) table = read_machine_table(machines_source, columns);
    std::istringstream stream(items);
    LineSource source(stream, "items.csv");
    read_items(source, columns, made.problem, made.read);
    if (table) {
        set_machines(*table, columns, made.problem, made.read);
    } else {
        no_machine_limits(made.problem);
    }
    note_units(made.problem, made.read);
    made.problem.apart = {{0}};
    made.problem.check();
    return made;
}

std::string error_of(const std::string& items, const Columns& columns = {},
                     const std::string& machines = "") {
    return test::thrown_by([&] { static_cast<void>(tables_of(items, columns, machines)); });
}

Columns resources(const std::vector<std::string>& names) {
    Columns columns;
    for (const std::string& name : names)
        columns.resources.push_back({name, "--resources"});
    return columns;
}

TEST(ReassignItems, AreReadWithAnySeparatorAndColumnsInAnyOrder) {
    const std::vector<std::string> texts = {
        "item,machine,bytes\np,a,5\nq,b,7\np,b,5\n",
        "bytes;node;item\r\n5;a;p\r\n7;b;q\r\n5;b;p\r\n",
        "\xef\xbb\xbfHOST\tItem\tBytes\na\tp\t5\nb\tq\t7\nb\tp\t5",
        "item  broker  bytes\np a 5\nq b 7\np b 5\n",
        "\"item\",\"osd\",\"bytes\"\r\"p\",\"a\",\"5\"\rq,b,7\r\rp,b,5\r",
        "server,item,bytes\n\"a\",p,\"5\"\n\n b , q , 7 \nb,p,5\n",
    };
    for (const std::string& text : texts) {
        const Tables made = tables_of(text);
        const Problem& problem = made.problem;
        ASSERT_EQ(problem.item_count(), 3U) << text;
        EXPECT_EQ(problem.places, (std::vector<MachineId>{0, 1, 1}));
        EXPECT_EQ(problem.thing, (std::vector<std::uint32_t>{0, 1, 0}));
        EXPECT_EQ(problem.amounts, (std::vector<Tokens>{1, 5, 1, 7, 1, 5}));
        EXPECT_EQ(problem.machine_name(1), "b");
        EXPECT_EQ(problem.item_name(2), "p");
        EXPECT_TRUE(problem.resources[1].in_bytes);
        EXPECT_TRUE(made.read.notes.empty());
    }
}

TEST(ReassignItems, ColumnsAreWhatIsNamedAndTheRestIsReported) {
    Columns columns = resources({"CPU"});
    columns.item_labels = {{"service", "--apart"}};
    columns.labels = {{"team", "--labels"}};
    const Tables made = tables_of(
        "item,cpu,service,owner,team,machine,,size\np,0.5,web,x,red,a,,3\nq,1.25,,y,,a,,0\n",
        columns);
    const Problem& problem = made.problem;
    ASSERT_EQ(problem.resource_count(), 3U);
    EXPECT_EQ(problem.resources[1].name, "cpu");
    EXPECT_EQ(problem.resources[1].decimals, 2);
    EXPECT_EQ(problem.resources[2].name, "size");
    EXPECT_EQ(problem.amounts, (std::vector<Tokens>{1, 50, 3, 1, 125, 0}));
    ASSERT_EQ(problem.item_labels.size(), 3U);
    EXPECT_EQ(problem.item_labels[0].name, "item");
    EXPECT_EQ(problem.item_labels[1].name, "service");
    EXPECT_EQ(problem.item_labels[1].of, (std::vector<ValueId>{0, no_value}));
    EXPECT_EQ(problem.item_labels[2].name, "team");
    EXPECT_EQ(made.read.notes,
              (std::vector<std::string>{
                  "items.csv: columns \"owner\" and number 7, without a name are not used "
                  "(--labels or --resources would name them)"}));
}

TEST(ReassignItems, AnAimThatNamesBytesMeansSizeWhereThereAreNoBytes) {
    Columns columns;
    columns.resources = {{"bytes", "--level"}, {"items", "--level"}, {"moves", "--fewest"}};
    Problem problem = tables_of("item,node,size\np,a,5\n", columns).problem;
    EXPECT_EQ(find_resource(problem, "bytes"), 1U);
    EXPECT_EQ(find_resource(problem, "SIZE"), 1U);
    EXPECT_EQ(find_resource(problem, "items"), 0U);
    EXPECT_EQ(find_resource(problem, "moves"), 0U);
    EXPECT_EQ(find_resource(problem, "cpu"), std::nullopt);
    problem.resources[0].name = "slots";
    EXPECT_EQ(find_resource(problem, "slots"), 0U);
    EXPECT_EQ(find_resource(problem, "items"), 0U);
}

TEST(ReassignItems, AWordForMachinesIsALabelWhereALabelIsNamedSo) {
    Columns columns;
    columns.labels = {{"host", "--labels"}};
    const Problem problem = tables_of("item,osd,host\np,a,h\n", columns).problem;
    EXPECT_EQ(problem.machine_name(0), "a");
    EXPECT_EQ(problem.item_labels[1].name, "host");
    EXPECT_EQ(error_of("item,osd,host\np,a,h\n"),
              "input: items.csv:1: expected one column of machines, found \"host\" and \"osd\"; "
              "--labels makes others labels");
}

TEST(ReassignItems, AmountsWithoutAUnitAreBytesIfOthersHaveUnits) {
    const Tables made =
        tables_of("item,node,disk\np,a,2 kB\nq,a,5\nr,a,0.5\n", resources({"disk"}));
    EXPECT_EQ(made.problem.amounts, (std::vector<Tokens>{1, 20'000, 1, 50, 1, 5}));
    EXPECT_TRUE(made.problem.resources[1].in_bytes);
    EXPECT_EQ(made.read.notes,
              (std::vector<std::string>{
                  "some amounts of disk have a unit of bytes; those without one are taken as "
                  "bytes"}));
}

TEST(ReassignItems, AColumnSaysWhichOnesLeadUnlessItIsNamedAsSomethingElse) {
    const std::string text = "item,Leader,machine\nx,YES,a\nx,no,b\ny,,a\ny,true,b\nz,0,a\n";
    const Tables made = tables_of(text);
    EXPECT_EQ(made.problem.leads, (std::vector<bool>{true, false, false, true, false}));
    EXPECT_TRUE(made.read.notes.empty());
    EXPECT_TRUE(tables_of("item,machine\nx,a\n").problem.leads.empty());
    Columns columns;
    columns.labels.push_back({"leader", "--labels"});
    const Tables labelled = tables_of(text, columns);
    EXPECT_TRUE(labelled.problem.leads.empty());
    EXPECT_EQ(labelled.problem.item_labels[1].name, "Leader");
    EXPECT_EQ(error_of("item,machine,leader\nx,a,yes\nx,b,yes\n"),
              "input: items.csv:3: expected one leader of item \"x\", found a second one");
    EXPECT_EQ(
        error_of("item,machine,leader\nx,a,b\n"),
        "input: items.csv:2: expected yes or no (also true, false, 1, 0 or nothing) in column "
        "\"leader\" (--labels leader would make it a label), found \"b\"");
}

TEST(ReassignItems, WhatIsWrongIsNamedWithItsLine) {
    EXPECT_EQ(error_of(""),
              "input: items.csv:1: expected a header that names the columns, found "
              "nothing");
    EXPECT_EQ(error_of("item,machine\n"), "input: items.csv: expected items, found none");
    EXPECT_EQ(error_of("items,machine\np,a\n"),
              "input: items.csv:1: expected a column \"item\", found items and machine: did you "
              "mean \"items\"?");
    EXPECT_EQ(error_of("item,place\np,a\n"),
              "input: items.csv:1: expected a column of machines, named machine, node, host, "
              "broker, osd or server, found \"item,place\"");
    EXPECT_EQ(error_of("item,machine,Item\np,a,b\n"),
              "input: items.csv:1: expected every column once, found \"Item\"");
    EXPECT_EQ(error_of("item,machine\np,a\nq\n"),
              "input: items.csv:3: expected 2 fields, item,machine, found \"q\"");
    EXPECT_EQ(error_of("item,machine\n\n,a\n"),
              "input: items.csv:3: expected the name of an item, found nothing");
    EXPECT_EQ(error_of("item,machine\np,\n"),
              "input: items.csv:2: expected the name of the machine that holds the item, found "
              "nothing");
    EXPECT_EQ(error_of("item,machine\np,a\np,b\nq,a\np,b\n"),
              "input: items.csv:5: item \"p\" is listed twice on machine \"b\"");
    EXPECT_EQ(error_of("item,machine\np,a\np,a\n"),
              "input: items.csv:3: item \"p\" is listed twice on machine \"a\"");
    EXPECT_EQ(error_of("item,machine,bytes\np,a,5 gb\n"),
              "input: items.csv:2: expected the unit GB or GiB, found \"5 gb\"");
    for (const char* const amount : {"-1", "nan", "", "1e99", "0.0123456789"})
        EXPECT_EQ(error_of(std::string("item;machine;bytes\np;a;") + amount + '\n').substr(0, 51),
                  "input: items.csv:2: expected an amount, 0 or more, ")
            << amount;
}

TEST(ReassignItems, NamedColumnsMustBeThereAndBeOneThing) {
    EXPECT_EQ(
        error_of("item,machine,byte\np,a,1\n", resources({"bytes"})),
        "input: items.csv:1: expected a column \"bytes\", which --resources names, found item, "
        "machine and byte: did you mean \"byte\"?");
    Columns columns = resources({"size"});
    columns.labels = {{"size", "--labels"}};
    EXPECT_EQ(error_of("item,machine,size\np,a,1\n", columns),
              "input: items.csv:1: column \"size\" is wanted both as a label (--labels) and as a "
              "resource (--resources)");
    EXPECT_EQ(error_of("item,machine\np,a\n", resources({"item"})),
              "input: items.csv:1: column \"item\" is wanted both as the items and as a resource "
              "(--resources)");
    columns = {};
    columns.item_labels = {{"machine", "--apart"}};
    EXPECT_EQ(
        error_of("item,machine\np,a\n", columns),
        "input: items.csv:1: column \"machine\" is wanted both as the machines and as a label "
        "(--apart)");
}

TEST(ReassignItems, TotalsStayWithinTheirRange) {
    EXPECT_EQ(error_of("item,node,bytes\np,a,2 EiB\nq,a,1\n"),
              "input: items.csv:2: expected at most 2305843009213693951 in all, counted in the "
              "smallest digit of the column, found \"2 EiB\"");
    EXPECT_EQ(error_of("item,node,bytes\np,a,2305843009213693951\nq,a,1\n"),
              "input: items.csv:3: expected at most 2305843009213693951 in all, counted in the "
              "smallest digit of the column, found \"1\"");
    EXPECT_EQ(error_of("item,node,cpu\np,a,10000000000\nq,a,0.000000001\n", resources({"cpu"})),
              "input: items.csv:3: expected at most 2305843009213693951 in all, counted in the "
              "smallest digit of the column, found \"0.000000001\"");
}

TEST(ReassignMachines, HaveLimitsLabelsSpeedsAndMayBeDrained) {
    Columns columns = resources({"bytes"});
    columns.machine_labels = {{"rack", "--spread"}};
    const Tables made =
        tables_of("item,node,bytes\np,a,5\nq,b,6\n", columns,
                  "drain;rack;Host;bytes;bytes.target;items;items.least;speed;kind\n"
                  "yes;r1;c;1 kB;0.5;9;2;0.5;x\n;r2;a;;;;;;y\nNo;;b;7.5;;;0;2;z\n");
    const Problem& problem = made.problem;
    ASSERT_EQ(problem.machine_count(), 3U);
    EXPECT_EQ(problem.machine_name(2), "c");
    EXPECT_EQ(problem.resources[1].decimals, 1);
    EXPECT_EQ(problem.amount(0, 1), 50);
    EXPECT_EQ(problem.capacities,
              (std::vector<Tokens>{tokens_max, tokens_max, tokens_max, 75, 9, 10'000}));
    EXPECT_EQ(problem.thresholds,
              (std::vector<Tokens>{tokens_max, tokens_max, tokens_max, tokens_max, tokens_max, 5}));
    EXPECT_EQ(problem.least_items, (std::vector<Tokens>{0, 0, 2}));
    EXPECT_EQ(problem.drained, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(problem.speeds, (std::vector<std::uint64_t>{2, 4, 1}));
    ASSERT_EQ(problem.machine_labels.size(), 1U);
    EXPECT_EQ(problem.machine_labels[0].of, (std::vector<ValueId>{1, no_value, 0}));
    EXPECT_EQ(made.read.notes,
              (std::vector<std::string>{
                  "machines.csv: column \"kind\" is not used (--labels would name labels, and "
                  "--resources resources with capacities)"}));
}

TEST(ReassignMachines, AThresholdNamesItsResource) {
    const Problem problem =
        tables_of("item,node,cpu\np,a,2\n", {}, "machine,cpu.target,cpu\na,3,4\n").problem;
    ASSERT_EQ(problem.resource_count(), 2U);
    EXPECT_EQ(problem.threshold(0, 1), 3);
    EXPECT_EQ(problem.capacity(0, 1), 4);
    EXPECT_EQ(error_of("item,node\np,a\n", {}, "machine,cpu.target\na,3\n"),
              "input: items.csv:1: expected a column \"cpu\", which column \"cpu.target\" of "
              "machines.csv names, found item and node");
}

TEST(ReassignMachines, ColumnsOfBytesMeanSizeAsAimsDo) {
    const char* const items = "item,node,size\np,a,2\n";
    const Problem problem = tables_of(items, {}, "machine,bytes.target,bytes\na,3,4\n").problem;
    EXPECT_EQ(problem.threshold(0, 1), 3);
    EXPECT_EQ(problem.capacity(0, 1), 4);
    EXPECT_EQ(error_of(items, {}, "machine,bytes,size\na,3,4\n"),
              "input: machines.csv:1: expected one column for size, found \"bytes\" and \"size\"");
}

TEST(ReassignMachines, AColumnCapacityIsRefusedUnlessItIsAResourceOrALabel) {
    const std::string items = "item,machine,size\np,a,5\n";
    EXPECT_EQ(
        error_of(items, resources({"size"}), "machine,capacity\na,9\n"),
        "input: machines.csv:1: expected a column named after the resource that it limits, such as "
        "\"size\", found \"capacity\"");
    Columns columns = resources({"size"});
    columns.labels.push_back({"capacity", "--labels"});
    EXPECT_EQ(error_of(items, columns, "machine,capacity\na,9\n"), "nothing");
    EXPECT_EQ(error_of("item,machine,capacity\np,a,5\n", resources({"capacity"}),
                       "machine,capacity\na,9\n"),
              "nothing");
}

TEST(ReassignMachines, ThoseThatAreNotListedAreNoted) {
    const Tables made = tables_of("item,node\np,a\nq,b\nr,c\ns,d\nt,e\n", {}, "node\na\n");
    EXPECT_EQ(made.read.notes,
              (std::vector<std::string>{
                  "machines.csv: machines \"b\", \"c\", \"d\" and 1 more hold items but are not "
                  "listed; they have no limits and no labels"}));
}

TEST(ReassignMachines, WhatIsWrongIsNamedWithItsLine) {
    const auto error = [](const std::string& machines) {
        return error_of("item,node,bytes\np,a,5\n", {}, machines);
    };
    EXPECT_EQ(error("machine,bytes\na,1\n\na,2\n"),
              "input: machines.csv:4: machine \"a\" is listed twice");
    EXPECT_EQ(error("machine,bytes\n,1\n"),
              "input: machines.csv:2: expected the name of a machine, found nothing");
    EXPECT_EQ(error("machine,drain\na,maybe\n"),
              "input: machines.csv:2: expected yes or no (also true, false, 1, 0 or nothing), "
              "found \"maybe\"");
    EXPECT_EQ(error("machine,speed\na,0\n"),
              "input: machines.csv:2: expected a speed above 0, such as 1 or 0.5 (drain empties a "
              "machine), found \"0\"");
    EXPECT_EQ(error("machine,items\na,1.5\n"),
              "input: machines.csv:2: expected a whole number of items, 0 or more, found \"1.5\"");
    EXPECT_EQ(error("machine,bytes\na,5 g\n"),
              "input: machines.csv:2: expected the unit GB or GiB, or nothing for no limit, found "
              "\"5 g\"");
    EXPECT_EQ(error("machine,bytes.least\na,5\n"),
              "input: machines.csv:1: expected \"items.least\", as only items have a least number, "
              "found \"bytes.least\"");
    EXPECT_EQ(error("machine,speed\na,0.000000001\nb,1000000000\n").substr(0, 60),
              "input: machines.csv: expected speeds that differ by less tha");
    Columns columns;
    columns.machine_labels = {{"rack", "--spread"}};
    EXPECT_EQ(error_of("item,node\np,a\n", columns, "machine,racks\na,r\n"),
              "input: machines.csv:1: expected a column \"rack\", which --spread names, found "
              "machine and racks: did you mean \"racks\"?");
}

TEST(ReassignMachines, ACapacityBeyondAllTotalsIsNoLimit) {
    const Problem problem =
        tables_of("item,node,bytes\np,a,5\n", {}, "machine,bytes\na,9999999 EB\n").problem;
    EXPECT_EQ(problem.capacity(0, 1), tokens_max);
}

}  // namespace
}  // namespace equipoise::reassign
