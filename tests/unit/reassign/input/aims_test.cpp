// Aims from options, objectives and rates, as they end in a problem.

#include "equipoise/reassign/input/aims.hpp"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

Problem problem_with(const AskedAims& asked, Problem problem) {
    ReadTables read;
    read.without_unit.assign(problem.resource_count(), false);
    asked.check(false);
    set_aims(asked, false, problem, read);
    problem.check();
    return problem;
}
Problem problem_with(const AskedAims& asked) {
    return problem_with(asked, test::reassign_problem({0, 1, 1}, {10, 20, 30}, 3));
}

std::string error_of(const AskedAims& asked) {
    return test::thrown_by([&] { static_cast<void>(problem_with(asked)); });
}

Problem problem_of_items() {
    Problem problem = test::reassign_problem({0}, {5}, 1);
    problem.resources = {{"items"}};
    problem.amounts = {1};
    problem.capacities = problem.thresholds = {tokens_max};
    return problem;
}

TEST(ReassignAims, WithoutALevelBytesAreLevelledOrElseItems) {
    const Problem problem = problem_with({});
    ASSERT_EQ(problem.level.size(), 1U);
    EXPECT_EQ(problem.level[0].resource, 1U);
    EXPECT_EQ(problem.level[0].tolerance, 100'000U);
    EXPECT_EQ(problem.fewest, items_resource);
    EXPECT_EQ(problem.copied, 1U);
    EXPECT_TRUE(problem.budget.amounts.empty());
    const Problem without = problem_with({}, problem_of_items());
    ASSERT_EQ(without.level.size(), 1U);
    EXPECT_EQ(without.level[0].resource, items_resource);
    EXPECT_EQ(without.copied, items_resource);
    EXPECT_TRUE(problem_with({.level = {"none"}}).level.empty());
}

TEST(ReassignAims, SeveralLevelsHaveTolerancesOfTheirOwn) {
    const Problem problem =
        problem_with({.level = {"bytes", "items", "BYTES"}, .tolerance = "items:0.2,bytes:0.05"});
    ASSERT_EQ(problem.level.size(), 2U);
    EXPECT_EQ(problem.level[0].tolerance, 50'000U);
    EXPECT_EQ(problem.level[1].tolerance, 200'000U);
    const Problem same = problem_with({.level = {"bytes", "items"}, .tolerance = "0"});
    EXPECT_EQ(same.level[0].tolerance + same.level[1].tolerance, 0U);
    const Problem one = problem_with({.level = {"bytes", "items"}, .tolerance = "bytes:1.000001"});
    EXPECT_EQ(one.level[0].tolerance, 1'000'001U);
    EXPECT_EQ(one.level[1].tolerance, 100'000U);
}

TEST(ReassignAims, LeadersAreLevelledBesideResourcesOrAlone) {
    Problem led = test::reassign_problem({0, 1, 1}, {10, 20, 30}, 3);
    led.leads = {true, false, false};
    const auto tolerance_of = [&](const AskedAims& asked) {
        const Problem problem = problem_with(asked, led);
        return problem.leaders_tolerance ? static_cast<int>(*problem.leaders_tolerance) : -1;
    };
    EXPECT_EQ(tolerance_of({}), -1);
    EXPECT_EQ(tolerance_of({.level = {"Leaders"}}), 0);
    EXPECT_EQ(tolerance_of({.level = {"leaders", "bytes"}}), 0);
    EXPECT_EQ(tolerance_of({.level = {"leaders"}, .tolerance = "0.25"}), 250'000);
    EXPECT_EQ(tolerance_of({.level = {"bytes", "leaders"}, .tolerance = "0.25"}), 250'000);
    EXPECT_EQ(tolerance_of({.level = {"bytes", "leaders"}, .tolerance = "bytes:0.25"}), 0);
    EXPECT_EQ(tolerance_of({.level = {"bytes", "leaders"}, .tolerance = "leaders:0.5"}), 500'000);
    const Problem both =
        problem_with({.level = {"leaders", "bytes"}, .tolerance = "leaders:0.5"}, led);
    ASSERT_EQ(both.level.size(), 1U);
    EXPECT_EQ(both.level[0].tolerance, 100'000U);
    EXPECT_TRUE(problem_with({.level = {"leaders"}}, led).level.empty());
    EXPECT_TRUE(problem_with({.level = {"none", "leaders"}}, led).level.empty());
    EXPECT_TRUE(AskedAims{.level = {"leaders"}}.leaders_alone());
    EXPECT_FALSE((AskedAims{.level = {"none", "leaders"}}.leaders_alone()));
    EXPECT_FALSE(AskedAims{}.leaders_alone());
    EXPECT_EQ(error_of({.level = {"leaders"}}),
              "input: --level: leaders need items that lead (a column leader with yes or no, or "
              "Kafka's partitions), found none");
    EXPECT_EQ(error_of({.level = {"leaders"}, .only_if_above = 2}),
              "input: --only-if-above: expected a level to compare with, found --level leaders");
}

TEST(ReassignAims, FewestAndBudgetsNameResources) {
    const Problem problem = problem_with(
        {.fewest = "bytes", .only_if_above = 1.25, .at_most = "moves=50,bytes=2kB,waves=3"});
    EXPECT_EQ(problem.fewest, 1U);
    EXPECT_EQ(problem.copied, 1U);
    EXPECT_EQ(problem.only_if_above, 1'250'000U);
    EXPECT_EQ(problem.budget.amounts, (std::vector<Tokens>{50, 2000}));
    EXPECT_EQ(problem.budget.waves, 3);
    EXPECT_TRUE(problem.resources[1].in_bytes);
    EXPECT_EQ(problem_with({.fewest = "moves"}).fewest, items_resource);
}

TEST(ReassignAims, WhatCannotBeReadIsRefused) {
    const std::string tolerance =
        "input: --tolerance: expected a number from 0 to 1000 with at most 6 digits after the "
        "point, or one for each of several resources (bytes:0.05,items:0.2), found ";
    for (const char* const text : {"x", "-1", "1001", "0.0000001", "0.1,0.2", "bytes:", "1 B"})
        EXPECT_EQ(error_of({.tolerance = text}), tolerance + '"' + text + '"');
    EXPECT_EQ(error_of({.tolerance = "items:0.1"}),
              "input: --tolerance: expected a resource that --level names, found \"items\"");
    EXPECT_EQ(error_of({.level = {"none"}, .tolerance = "0.1"}),
              "input: --tolerance: expected a level to hold it, found --level none");
    EXPECT_EQ(error_of({.level = {"none"}, .only_if_above = 2}),
              "input: --only-if-above: expected a level to compare with, found --level none");
    EXPECT_EQ(error_of({.level = {"bytes", "none"}}),
              "input: --level: expected names of resources, or none alone, found \"none\"");
    EXPECT_EQ(error_of({.level = {"byte"}}),
              "input: --level: items have no resource \"byte\": did you mean \"bytes\"?");
    EXPECT_EQ(error_of({.fewest = "cpu"}),
              "input: --fewest: items have no resource \"cpu\": expected items or bytes");
    EXPECT_EQ(error_of({.only_if_above = -1}),
              "input: --only-if-above: expected a number from 0 to 1000000, found -1.000000");
    EXPECT_EQ(error_of({.at_most = "50"}),
              "input: --at-most: expected limits such as moves=50, bytes=2TB or waves=3, found "
              "\"50\"");
    EXPECT_EQ(error_of({.at_most = "moves=5,Moves=6"}),
              "input: --at-most: expected each limit once, found \"moves=5,Moves=6\"");
    EXPECT_EQ(error_of({.at_most = "waves=0.5"}),
              "input: --at-most: expected a whole number of waves, found \"0.5\"");
    EXPECT_EQ(error_of({.at_most = "bytes=5 gb"}),
              "input: --at-most: expected the unit GB or GiB, found \"5 gb\"");
}

TEST(ReassignAims, AnObjectiveTakesTheirPlace) {
    const auto error = [](const AskedAims& asked) {
        return test::thrown_by([&] { asked.check(true); });
    };
    EXPECT_EQ(error({.level = {"bytes"}}),
              "input: --objective: expected no --level beside it, as its costs take the place of "
              "these aims, found both");
    EXPECT_EQ(error({.tolerance = "0.1"}).substr(0, 46),
              "input: --objective: expected no --tolerance be");
    EXPECT_EQ(error({.fewest = "moves"}).substr(0, 43),
              "input: --objective: expected no --fewest be");
    EXPECT_EQ(error({.only_if_above = 1}).substr(0, 50),
              "input: --objective: expected no --only-if-above be");
    EXPECT_EQ(error({.at_most = "moves=5"}), "nothing");
}

Problem priced(const std::string& text, Problem problem, std::vector<Tokens> costs = {}) {
    ReadTables read;
    read.costs = std::move(costs);
    set_objective(read_objective(text, "objective.json"), read, problem);
    problem.check();
    return problem;
}

std::string objective_error(const std::string& text,
                            const Problem& problem = test::reassign_problem({0}, {5}, 2)) {
    return test::thrown_by([&] { static_cast<void>(priced(text, problem)); });
}

TEST(ReassignObjective, HasWeightsOfAllCosts) {
    Problem problem = test::reassign_problem({0, 1}, {5, 6}, 3);
    problem.capacities = {9, 10, 9, 10, 9, 10};
    problem.thresholds[1] = 4;
    problem.machine_labels.push_back({"zone", {}, {0, 0, 1}});
    problem.machine_labels[0].values.number_of("z1");
    problem.machine_labels[0].values.number_of("z2");
    const Problem made = priced(R"({"over_thresholds": {"bytes": 10},
        "balances": [{"resource": "bytes", "other": "items", "target": 2, "weight": 3}],
        "moves": {"weight": 2, "cost": "price"}, "most_moved": {"label": "item", "weight": 7},
        "machine_pairs": {"weight": 5, "label": "zone", "costs": [["z1", "z2", 8]], "others": 1}})",
                                problem, {4, 0});
    const Objective& objective = made.objective;
    EXPECT_TRUE(objective.given);
    EXPECT_EQ(objective.over_threshold, (std::vector<Tokens>{0, 10}));
    ASSERT_EQ(objective.balances.size(), 1U);
    EXPECT_EQ(objective.balances[0].resource, 1U);
    EXPECT_EQ(objective.balances[0].other, 0U);
    EXPECT_EQ(objective.balances[0].target, 2);
    EXPECT_EQ(objective.balances[0].weight, 3);
    EXPECT_EQ(objective.move_costs, (std::vector<Tokens>{8, 0}));
    EXPECT_EQ(objective.most_moved, 7);
    EXPECT_EQ(objective.pair_weight, 5);
    EXPECT_EQ(objective.pair_costs, (std::vector<std::uint32_t>{0, 0, 8, 0, 0, 8, 1, 1, 0}));
}

TEST(ReassignObjective, CostsCountTheSmallestDigitOfAnyResourceThatCosts) {
    Problem problem = test::reassign_problem({0, 1}, {5, 6}, 2);
    problem.resources[1].decimals = 2;
    problem.thresholds = {1, 1000, tokens_max, 50};
    const std::string text = R"({"over_thresholds": {"bytes": 3, "items": 4},
        "moves": {"weight": 2}, "most_moved": {"label": "item", "weight": 7}})";
    const Problem made = priced(text, problem);
    EXPECT_EQ(made.objective.decimals, 2);
    EXPECT_EQ(made.objective.move_costs, (std::vector<Tokens>{200, 200}));
    EXPECT_EQ(made.objective.most_moved, 700);
    EXPECT_EQ(made.objective.over_threshold, (std::vector<Tokens>{400, 3}));
}

TEST(ReassignObjective, PairsOfMachinesAreNamedWhereNoLabelIs) {
    const Problem made = priced(R"({"machine_pairs": {"weight": 1, "costs": [["a", "b", 4]]}})",
                                test::reassign_problem({0}, {5}, 2));
    EXPECT_EQ(made.objective.pair_costs, (std::vector<std::uint32_t>{0, 4, 0, 0}));
}

TEST(ReassignObjective, WhatIsWrongIsNamedWithItsPlace) {
    EXPECT_EQ(objective_error(R"({"over": 1})").substr(0, 41),
              "input: objective.json: unknown key \"over\"");
    EXPECT_EQ(
        objective_error(R"({"over_thresholds": {"cpu": 1}})"),
        "input: objective.json: over_thresholds: expected a resource of items, found \"cpu\"");
    EXPECT_EQ(objective_error(R"({"over_thresholds": {"bytes": -1}})").substr(0, 47),
              "input: objective.json: over_thresholds.bytes: e");
    EXPECT_EQ(objective_error(R"({"balances": [{"resource": "bytes", "other": "items",
                                  "target": 1, "weight": 1}]})"),
              "input: objective.json: balances: expected a capacity of bytes for every machine, "
              "found none for \"a\"");
    EXPECT_EQ(objective_error(R"({"most_moved": {"label": "x", "weight": 1}})"),
              "input: objective.json: most_moved: expected a label of items, found \"x\"");
    EXPECT_EQ(
        objective_error(R"({"machine_pairs": {"weight": 1, "costs": [["a", "q", 4]]}})"),
        "input: objective.json: machine_pairs: expected values of machine that machines have, "
        "found \"q\"");
    EXPECT_EQ(
        objective_error(R"({"machine_pairs": {"weight": 1, "costs": [["a", 4]]}})").substr(0, 46),
        "input: objective.json: machine_pairs.costs[0]:");
    Problem with_target = test::reassign_problem({0}, {5}, 2);
    with_target.thresholds[3] = 4;
    EXPECT_EQ(
        objective_error("{}", with_target),
        "input: objective.json: over_thresholds: expected a weight of bytes, as machines have "
        "targets of it, found none");
}

Problem rated(const std::string& text, Problem problem, std::vector<std::string>* notes = nullptr) {
    std::istringstream stream(text);
    LineSource source(stream, "rates.csv");
    ReadTables read;
    read_rates(source, problem, read);
    if (notes != nullptr) *notes = read.notes;
    problem.check();
    return problem;
}

Problem copying(std::size_t resource) {
    Problem problem = test::reassign_problem({0}, {5}, 3);
    problem.copied = resource;
    return problem;
}

TEST(ReassignRates, AreAmountsInAWaveOrRatesASecond) {
    const Problem waves = rated("out,node,in\n1.5 kB,b,0.5\n,a,7\n", copying(1));
    EXPECT_EQ(waves.resources[1].decimals, 1);
    EXPECT_EQ(waves.amount(0, 1), 50);
    EXPECT_EQ(waves.takes, (std::vector<Tokens>{70, 5, tokens_max}));
    EXPECT_EQ(waves.gives, (std::vector<Tokens>{tokens_max, 15'000, tokens_max}));
    EXPECT_TRUE(waves.gives_a_second.empty());
    std::vector<std::string> notes;
    const Problem seconds = rated("machine;in;out\na;100MB/s;2 kB/s\n", copying(1), &notes);
    EXPECT_EQ(notes, (std::vector<std::string>{"rates.csv: 2 machines have no rate; times count "
                                               "only what others give and take"}));
    EXPECT_TRUE(seconds.takes.empty());
    EXPECT_DOUBLE_EQ(seconds.takes_a_second[0], 1e8);
    EXPECT_DOUBLE_EQ(seconds.gives_a_second[0], 2000);
    EXPECT_TRUE(std::isinf(seconds.gives_a_second[1]));
    EXPECT_EQ(rated("machine,in,out\na,2,3\n", copying(0)).gives[0], 3);
    EXPECT_TRUE(rated("machine,in,out\n", copying(0)).gives.empty());
}

TEST(ReassignRates, InOneColumnAreForGivingAndTakingTogether) {
    const Problem waves = rated("both;machine\n7;a\n0.5;c\n", copying(1));
    EXPECT_TRUE(waves.half_duplex);
    EXPECT_EQ(waves.gives, (std::vector<Tokens>{70, tokens_max, 5}));
    EXPECT_TRUE(waves.takes.empty());
    const Problem seconds = rated("machine,both\na,2 kB/s\nb,1/s\nc,\n", copying(1));
    EXPECT_TRUE(seconds.half_duplex);
    EXPECT_TRUE(seconds.gives.empty());
    EXPECT_DOUBLE_EQ(seconds.gives_a_second[0], 2000);
    EXPECT_TRUE(std::isinf(seconds.gives_a_second[2]));
    EXPECT_TRUE(seconds.takes_a_second.empty());
    EXPECT_TRUE(rated("machine,both\n", copying(1)).half_duplex);
}

TEST(ReassignRates, WhatIsWrongIsNamedWithItsLine) {
    const auto error = [](const std::string& text, std::size_t resource = 1) {
        return test::thrown_by([&] { static_cast<void>(rated(text, copying(resource))); });
    };
    EXPECT_EQ(error("machine,in,out\na,1,2\nb,1,2/s\n"),
              "input: rates.csv:3: expected an amount in a wave (without /s), as before, found "
              "\"2/s\"");
    EXPECT_EQ(error("machine,in,out\na,1/s,2\n"),
              "input: rates.csv:2: expected a rate a second (with /s), as before, found \"2\"");
    EXPECT_EQ(error("machine,in,out\na,0/s,2/s\n"),
              "input: rates.csv:2: expected a rate above 0, found \"0/s\"");
    EXPECT_EQ(error("machine,in,out\nz,1,2\n"),
              "input: rates.csv:2: expected the name of a known machine, found \"z\"");
    EXPECT_EQ(error("machine,in,out\na,1,2\na,1,2\n"),
              "input: rates.csv:3: machine \"a\" is listed twice");
    EXPECT_EQ(error("machine,in\na,1\n"),
              "input: rates.csv:1: expected a column \"out\", found machine and in");
    EXPECT_EQ(error("machine,in,out,x\na,1,2,3\n"),
              "input: rates.csv:1: expected three columns: machine, in and out, found "
              "\"machine,in,out,x\"");
    EXPECT_EQ(error("machine,both,in\na,1,2\n"),
              "input: rates.csv:1: expected two columns, machine and both, or three: machine, in "
              "and out, found \"machine,both,in\"");
    EXPECT_EQ(error("machine,both\na,1\nb,1/s\n"),
              "input: rates.csv:3: expected an amount in a wave (without /s), as before, found "
              "\"1/s\"");
    Problem problem = copying(1);
    problem.half_duplex = true;
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(rated("machine,in,out\n", problem)); }),
              "input: rates.csv:1: expected the columns machine and both, as giving and taking "
              "count together, found \"machine,in,out\"");
    EXPECT_EQ(
        error("machine,in,out\na,1 kB,2\n", 0),
        "input: rates.csv:2: expected a number of items, as they have neither bytes nor size, "
        "found \"1 kB\"");
}

}  // namespace
}  // namespace equipoise::reassign
