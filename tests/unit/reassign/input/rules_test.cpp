// Rules from options, tables and rules.json, as they end in a problem.

#include "equipoise/reassign/input/rules.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

const char* const items =
    "item,node,service,bytes,depends\n"
    "p,a,web,5,\"db; cache\"\nq,b,web,6,db\nr,c,db,7,\ns,d,cache,8,db\n";
const char* const machines = "machine,rack\na,r1\nb,r1\nc,r2\nd,r3\n";

/// The problem with these rules, of the items and machines above.
Problem problem_with(Rules rules, const std::string& table = machines) {
    Columns columns;
    name_columns(rules, columns);
    std::istringstream machines_stream(table);
    LineSource machines_source(machines_stream, "machines.csv");
    const MachineTable read_machines = read_machine_table(machines_source, columns);
    std::istringstream stream(items);
    LineSource source(stream, "items.csv");
    Problem problem;
    ReadTables read;
    read_items(source, columns, problem, read);
    set_machines(read_machines, columns, problem, read);
    set_rules(rules, read, problem);
    problem.check();
    return problem;
}

Rules from_json(const std::string& text) {
    Rules rules;
    read_rules(text, "rules.json", rules);
    return rules;
}

Rules from_table(const std::string& text, bool forbidden = false) {
    Rules rules;
    std::istringstream stream(text);
    LineSource source(stream, "places.csv");
    read_place_table(source, forbidden, rules);
    return rules;
}

std::string error_of(const std::function<Rules()>& rules) {
    return test::thrown_by([&] { static_cast<void>(problem_with(rules())); });
}
std::string error_of_json(const std::string& text) {
    return error_of([&] { return from_json(text); });
}

/// The machines on which an item may be by its set, as letters.
std::string allowed(const Problem& problem, ItemId item) {
    if (problem.allowed_set.empty() || problem.allowed_set[item] == any_machine) return "any";
    std::string names;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (problem.sets[problem.allowed_set[item]][machine])
            names += problem.machine_name(machine);
    return names;
}

TEST(ReassignRules, OptionsAreSplitAtColons) {
    EXPECT_EQ(spread_rule("topic:rack").label, "topic");
    EXPECT_EQ(spread_rule("topic:rack").machine_label, "rack");
    EXPECT_EQ(spread_rule("topic:rack").least, 0U);
    EXPECT_EQ(spread_rule("topic:rack:2").least, 2U);
    EXPECT_EQ(near_rule("service:zone").machine_label, "zone");
    for (const char* const text : {"", "topic", "topic:", ":rack", "topic:rack:", "topic:rack:0",
                                   "topic:rack:x", "a:b:c:d", "topic:rack:4294967296"})
        EXPECT_EQ(test::thrown_by([&] { static_cast<void>(spread_rule(text)); }),
                  "input: --spread: expected LABEL:MACHINELABEL, or LABEL:MACHINELABEL:K with K "
                  "from 1 on, found \"" +
                      std::string(text) + '"');
    EXPECT_EQ(test::thrown_by([] { static_cast<void>(near_rule("a:b:c")); }),
              "input: --near: expected LABEL:MACHINELABEL, found \"a:b:c\"");
}

TEST(ReassignRules, OptionsAndFilesAreAddedTogether) {
    Rules rules = from_json(R"({"apart": ["service", "item"], "drain": ["d"],
        "spread": [{"label": "service", "over": "rack", "least": 2},
                   {"label": "service", "over": "machine"}]})");
    rules.apart.push_back({"Service", "--apart"});
    rules.spread.push_back(spread_rule("service:rack"));
    rules.spread.push_back(spread_rule("service:rack:2"));
    rules.pinned = {"a", "r"};
    const Problem problem = problem_with(rules);
    ASSERT_EQ(problem.apart.size(), 2U);
    EXPECT_EQ(problem.apart[0].label, 0U);
    EXPECT_EQ(problem.item_labels[problem.apart[1].label].name, "service");
    ASSERT_EQ(problem.spread.size(), 3U);
    EXPECT_EQ(problem.spread[0].least, 2U);
    EXPECT_EQ(problem.machine_labels[problem.spread[1].machine_label].name, "machine");
    EXPECT_EQ(problem.machine_labels[problem.spread[1].machine_label].of,
              (std::vector<ValueId>{0, 1, 2, 3}));
    EXPECT_EQ(problem.spread[2].least, 0U);
    EXPECT_EQ(problem.drained, (std::vector<bool>{false, false, false, true}));
    EXPECT_EQ(problem.pinned, (std::vector<bool>{true, false, false, false}));
    EXPECT_EQ(problem.stays, (std::vector<bool>{false, false, true, false}));
}

TEST(ReassignRules, ItemsAreApartOnTheWayUnlessTheFileSaysThatTheEndIsEnough) {
    const auto on_the_way = [](Rules rules) {
        const Problem problem = problem_with(std::move(rules));
        return problem.apart.size() < 2 || problem.apart[1].on_the_way;
    };
    EXPECT_TRUE(on_the_way(from_json(R"({"apart": ["service"]})")));
    EXPECT_TRUE(on_the_way(from_json(R"({"apart": [{"label": "service"}]})")));
    Rules rules = from_json(R"({"apart": [{"label": "service", "on_the_way": false}]})");
    EXPECT_FALSE(on_the_way(rules));
    // Of several the strictest holds, and copies of one thing are apart on the way.
    rules.apart.push_back({"Service", "--apart"});
    EXPECT_TRUE(on_the_way(rules));
    const Problem copies =
        problem_with(from_json(R"({"apart": [{"label": "item", "on_the_way": false}]})"));
    ASSERT_EQ(copies.apart.size(), 1U);
    EXPECT_TRUE(copies.apart[0].on_the_way);
}

TEST(ReassignRules, ServicesDependOnWhatTheColumnOrTheFileNames) {
    Rules rules;
    rules.near.push_back(near_rule("service:rack"));
    const Problem by_column = problem_with(rules);
    ASSERT_EQ(by_column.near.size(), 1U);
    const auto value = [&](const char* name) {
        return *by_column.item_labels[by_column.near[0].label].values.find(name);
    };
    const std::vector<std::pair<ValueId, ValueId>> pairs = {
        {value("web"), value("db")}, {value("web"), value("cache")}, {value("cache"), value("db")}};
    EXPECT_EQ(by_column.near[0].depends, pairs);
    const Problem by_file = problem_with(from_json(
        R"({"near": [{"label": "service", "within": "rack",
                      "depends": {"web": ["db", "db", "web"]}}]})"));
    EXPECT_EQ(by_file.near[0].depends.size(), 1U);
}

TEST(ReassignRules, PlacesOfSeveralRulesAreThoseThatAllOfThemAllow) {
    Rules rules = from_table("service,rack\nweb,r1\nweb,r2\ndb,r2\n");
    EXPECT_EQ(allowed(problem_with(rules), 0), "abc");
    EXPECT_EQ(allowed(problem_with(rules), 2), "c");
    EXPECT_EQ(allowed(problem_with(rules), 3), "any");
    EXPECT_EQ(problem_with(rules).sets.size(), 2U);
    const Rules forbidden = from_table("item\thost\np\tb\ns\ta\n", true);
    rules.places.insert(rules.places.end(), forbidden.places.begin(), forbidden.places.end());
    const Rules json = from_json(
        R"({"allowed": [{"items": {"service": "web", "item": ["p", "r"]},
                         "machines": ["a", "b", "d"]}],
            "forbidden": [{"items": ["s"], "machines": {"rack": ["r1", "r2"], "machine": "c"}}]})");
    rules.places.insert(rules.places.end(), json.places.begin(), json.places.end());
    const Problem problem = problem_with(rules);
    EXPECT_EQ(allowed(problem, 0), "a");
    EXPECT_EQ(allowed(problem, 1), "abc");
    EXPECT_EQ(allowed(problem, 2), "c");
    EXPECT_EQ(allowed(problem, 3), "bd");
}

TEST(ReassignRules, LimitsAreTheTightestAndResourcesSayWhenTheirPlaceIsFree) {
    const Problem problem = problem_with(from_json(
        R"({"limits": [{"most_items": 3, "least_items": 1, "capacity": {"bytes": "1 kB"}},
                       {"machines": {"rack": "r1"}, "most_items": 2, "target": {"bytes": 0.5}},
                       {"machines": ["a"], "least_items": 2, "capacity": {"bytes": 2000}}],
            "release": {"bytes": "after-last", "items": "at-once"}})"));
    EXPECT_EQ(problem.resources[1].release, Release::after_last);
    EXPECT_EQ(problem.resources[0].release, Release::at_once);
    EXPECT_EQ(problem.resources[1].decimals, 1);
    EXPECT_EQ(problem.capacity(0, 0), 2);
    EXPECT_EQ(problem.capacity(3, 0), 3);
    EXPECT_EQ(problem.capacity(0, 1), 10'000);
    EXPECT_EQ(problem.threshold(1, 1), 5);
    EXPECT_EQ(problem.threshold(2, 1), tokens_max);
    EXPECT_EQ(problem.least_items, (std::vector<Tokens>{2, 1, 1, 1}));
}

TEST(ReassignRules, PinnedAndDrainedAreSelections) {
    const Problem problem = problem_with(from_json(
        R"({"pinned": {"items": {"service": ["web"]}, "machines": {"rack": "r3"}},
            "drain": {"rack": ["r2"]}})"));
    EXPECT_EQ(problem.stays, (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(problem.pinned, (std::vector<bool>{false, false, false, true}));
    EXPECT_EQ(problem.drained, (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(error_of_json(R"({"pinned": {"machines": ["a"]}, "drain": ["a"]})"),
              "input: machine \"a\" is to be emptied (drain) and to stay as it is (pinned); "
              "expected one of the two");
}

TEST(ReassignRules, WhatIsDrainedNeedsNoItemsAndCannotKeepAny) {
    EXPECT_EQ(
        problem_with(from_json(R"({"drain": ["b"], "limits": [{"least_items": 1}]})")).least_items,
        (std::vector<Tokens>{1, 0, 1, 1}));
    EXPECT_EQ(error_of_json(R"({"drain": ["b"], "pinned": {"items": {"service": "web"}}})"),
              "input: item \"q\" is to stay (pinned) on machine \"b\", which is to be emptied "
              "(drain); expected one of the two");
}

TEST(ReassignRules, NamesThatAreNotThereAreRefusedWithThoseThatAreNear) {
    EXPECT_EQ(error_of_json(R"({"drain": ["aa"]})"),
              "input: rules.json: drain: expected the name of a known machine, found \"aa\": did "
              "you mean \"a\"?");
    EXPECT_EQ(error_of_json(R"({"allowed": [{"items": ["p"], "machines": {"rack": ["r9"]}}]})"),
              "input: rules.json: allowed[0]: expected a value of rack that machines have, found "
              "\"r9\": did you mean \"r1\", \"r2\" or \"r3\"?");
    EXPECT_EQ(error_of([] { return from_table("item,machine\np,a\n\nx1,a\n"); }),
              "input: places.csv:4: expected the name of a known item, found \"x1\"");
    EXPECT_EQ(error_of([] { return from_table("item,machine\np,a\np,z9\n"); }),
              "input: places.csv:3: expected the name of a known machine, found \"z9\"");
    EXPECT_EQ(error_of_json(R"({"apart": ["servce"]})"),
              "input: items.csv:1: expected a column \"servce\", which rules.json: apart[0] names, "
              "found item, node, service, bytes and depends: did you mean \"service\"?");
    EXPECT_EQ(error_of_json(R"({"release": {"cpu": "at-once"}})").substr(0, 75),
              "input: items.csv:1: expected a column \"cpu\", which rules.json: release name");
    EXPECT_EQ(error_of_json(R"({"near": [{"label": "service", "within": "rack",
                                "depends": {"web": ["dbb"]}}]})"),
              "input: rules.json: near[0]: expected a value of service that items have, found "
              "\"dbb\": did you mean \"db\"?");
    EXPECT_EQ(error_of([] {
                  Rules rules;
                  rules.pinned = {"nobody"};
                  return rules;
              }),
              "input: --pinned: expected the name of a machine or an item, found \"nobody\"");
}

TEST(ReassignRules, ADependencyThatIsNotThereIsNamedWithItsLine) {
    Rules rules;
    rules.near.push_back(near_rule("item:rack"));
    EXPECT_EQ(error_of([&] { return rules; }),
              "input: items.csv:2: expected the name of a known item, found \"db\"");
}

TEST(ReassignRules, RacksAreNeededOfEveryMachineThatKeepsItems) {
    Rules rules;
    rules.spread.push_back(spread_rule("service:rack"));
    const auto error = [&](const std::string& table) {
        return test::thrown_by([&] { static_cast<void>(problem_with(rules, table)); });
    };
    EXPECT_EQ(error("machine,rack,drain\na,r1,\nb,r1,\nc,,yes\nd,r2,\n"), "nothing");
    EXPECT_EQ(error("machine,rack\na,r1\nb,r1\nc,\nd,r2\n"),
              "input: --spread: expected a value of rack for every machine that is not drained, "
              "found none for \"c\"");
}

TEST(ReassignRules, AFileThatIsNoRulesIsRefusedWithItsPlace) {
    EXPECT_EQ(error_of_json("{").substr(0, 21), "input: rules.json:1: ");
    EXPECT_EQ(error_of_json("[]").substr(0, 18), "input: rules.json:");
    EXPECT_EQ(error_of_json(R"({"aparts": []})").substr(0, 44),
              "input: rules.json: unknown key \"aparts\": did");
    EXPECT_EQ(error_of_json(R"({"spread": [{"label": "service", "over": "rack", "least": 0}]})")
                  .substr(0, 35),
              "input: rules.json: spread[0].least:");
    EXPECT_EQ(error_of_json(R"({"apart": [5]})"),
              "input: rules.json: apart[0]: expected a label, or an object with the key \"label\", "
              "found 5");
    EXPECT_EQ(error_of_json(R"({"apart": [{"label": "service", "on_the_way": "no"}]})"),
              "input: rules.json: apart[0].on_the_way: expected true or false, found \"no\"");
    EXPECT_EQ(error_of_json(R"({"apart": [{"on_the_way": false}]})"),
              "input: rules.json: apart[0]: expected the key \"label\", found none");
    EXPECT_EQ(error_of_json(R"({"release": {"bytes": "never"}})"),
              "input: rules.json: release.bytes: expected \"at-once\", \"after-wave\" or "
              "\"after-last\", found \"never\"");
    EXPECT_EQ(error_of_json(R"({"limits": [{"capacity": {"bytes": "5 gb"}}]})"),
              "input: rules.json: limits[0].capacity.bytes: expected the unit GB or GiB, found "
              "\"5 gb\"");
    EXPECT_EQ(error_of_json(R"({"limits": [{"capacity": {"bytes": -5}}]})").substr(0, 43),
              "input: rules.json: limits[0].capacity.bytes");
    EXPECT_EQ(error_of_json(R"({"limits": [{"capacity": {"items": 0.5}}]})"),
              "input: rules.json: limits[0]: expected a whole number of items, found \"0.5\"");
    EXPECT_EQ(error_of_json(R"({"drain": []})"),
              "input: rules.json: drain: expected a name or more, found []");
    EXPECT_EQ(error_of_json(R"({"drain": {}})"),
              "input: rules.json: drain: expected a label or more, found {}");
    EXPECT_EQ(
        error_of_json(R"({"drain": 5})"),
        "input: rules.json: drain: expected a list of names, or an object of labels, found 5");
    EXPECT_EQ(
        error_of([] { return from_table("item,machine,note\n"); }),
        "input: places.csv:1: expected two columns: item or a label of items, then machine or "
        "a label of machines, found \"item,machine,note\"");
    EXPECT_EQ(error_of([] { return from_table("item,machine\np,\n"); }),
              "input: places.csv:2: expected a value of machine, found nothing");
}

}  // namespace
}  // namespace equipoise::reassign
