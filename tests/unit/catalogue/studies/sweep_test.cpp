#include "equipoise/catalogue/studies/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/studies/grid.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "tests/support/contents.hpp"
#include "tests/support/sweeps.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using test::contents;
using test::rows_of;
using test::SweepTest;
using test::thrown_by;

/// The rows without seconds, their third last field, and without the last, the reason of a refusal.
std::string without_seconds(const std::string& csv) {
    std::istringstream lines(csv);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t last = line.rfind(',');
        const std::size_t level_since = line.rfind(',', last - 1);
        const std::size_t seconds = line.rfind(',', level_since - 1);
        out += line.substr(0, seconds) + line.substr(level_since, last - level_since) + '\n';
    }
    return out;
}

Scenario small() {
    return parse_scenario(R"({"networks": ["path:n={n}", "cycle:n={n}"], "sizes": [4, 6],
        "loads": ["spike:tokens=30", "uniform:tokens=20"], "seeds": [1, 2],
        "algorithms": ["threshold-2", {"name": "discrepancy-1",
                                       "parameters": {"termination": "extremes"}}]})",
                          "small.json");
}

TEST(Scenarios, WithoutSizesNameNone) {
    try {
        static_cast<void>(parse_scenario(R"({"networks": ["torus:{n}x{n}"], "loads": ["staircase"],
            "algorithms": ["threshold-2"]})",
                                         "torus.json"));
        FAIL() << "a size is missing";
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "torus.json: \"torus:{n}x{n}\" stands for several sizes: expected \"sizes\", a "
            "list of whole numbers");
    }
}

TEST_F(SweepTest, CountsTokensOfFixedPointProcessesAsTokens) {
    Scenario scenario = small();
    scenario.algorithms = {{"deal-agreement-1", {}}};
    static_cast<void>(sweep(scenario, options()));
    std::istringstream lines(contents(csv_));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        // network, loads, seed, algorithm, parameters, nodes, links, tokens
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i < 8; ++i)
            std::getline(fields, field, ',');
        EXPECT_TRUE(field == "30" || field == "20") << line;
    }
}

TEST_F(SweepTest, WritesARowForEveryRunOfTheGridWhateverTheThreads) {
    const SweepOutcome outcome = sweep(small(), options());
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.rows, 2U * 2 * 2 * 2 * 2);
    EXPECT_EQ(outcome.ran, outcome.rows);
    const std::string serial = contents(csv_);
    EXPECT_EQ(std::count(serial.begin(), serial.end(), '\n'), 33);
    EXPECT_NE(serial.find("\npath:n=4,spike:tokens=30,1,threshold-2,,4,3,30,30,"),
              std::string::npos)
        << serial;
    EXPECT_EQ(sweep(small(), options(3)).ran, 32U);
    EXPECT_EQ(without_seconds(contents(csv_)), without_seconds(serial));
    EXPECT_FALSE(std::filesystem::exists(csv_ + ".partial"));
}

TEST_F(SweepTest, ContinuesWhereAKilledSweepStoppedAndDropsATornLine) {
    static_cast<void>(sweep(small(), options()));
    const std::string whole = contents(csv_);
    std::remove(csv_.c_str());
    end_after(10, small());
    // And half of the eleventh, as a kill would leave it.
    const std::string ten = contents(csv_ + ".partial");
    EXPECT_EQ(std::count(ten.begin(), ten.end(), '\n'), 10);
    std::ofstream(csv_ + ".partial", std::ios::app) << ten.substr(0, 40);
    const SweepOutcome outcome = sweep(small(), options());
    EXPECT_EQ(outcome.resumed, 10U);
    EXPECT_EQ(outcome.ran, 22U);
    EXPECT_EQ(outcome.dropped, 0U);
    EXPECT_EQ(without_seconds(contents(csv_)), without_seconds(whole));
}

TEST_F(SweepTest, KeepsOnlyRowsThatItWouldWriteItself) {
    Scenario scenario = small();
    const std::string loads = csv_ + ".loads.csv";
    const auto put = [&](int tokens) {
        std::ofstream(loads) << "node,tokens\n0," << tokens << '\n';
    };
    scenario.loads = {loads};
    put(30);
    end_after(5, scenario);  // of 16
    EXPECT_EQ(sweep(scenario, options()).resumed, 5U);
    const std::string of_thirty = contents(csv_);

    end_after(5, scenario);
    put(90);  // the same file's name
    const SweepOutcome again = sweep(scenario, options());
    EXPECT_EQ(again.resumed, 0U);
    EXPECT_EQ(again.dropped, 5U);
    EXPECT_EQ(contents(csv_).find(",30,"), std::string::npos);
    EXPECT_NE(of_thirty.find(",30,30,"), std::string::npos);

    end_after(5, scenario);
    scenario.steps_max = 2;
    EXPECT_EQ(sweep(scenario, options()).resumed, 0U);
    EXPECT_EQ(contents(csv_).find("own-termination"), std::string::npos);
    std::remove(loads.c_str());
}

TEST_F(SweepTest, HasARowThatSaysSoWhereACountLeavesItsRange) {
    Scenario scenario = small();
    scenario.networks = {"path:n=12"};
    scenario.sizes = {};
    scenario.loads = {"spike:tokens=2305843009213693951"};
    scenario.seeds = {1};
    scenario.algorithms = {{"perfect-tree-batched", {}}, {"threshold-2", {}}, {"mesh-weak", {}}};
    scenario.steps_max = 1000;
    const SweepOutcome outcome = sweep(scenario, options());
    EXPECT_TRUE(outcome.complete);
    const std::string csv = contents(csv_);
    EXPECT_NE(csv.find("number of exchanges is too large"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",max-steps,"), std::string::npos) << csv;
}

TEST_F(SweepTest, HoldsWhatEveryAlgorithmPrintsAsJson) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["random-tree:n=9"], "loads": ["uniform:tokens=50"], "seeds": [3],
            "algorithms": ["all"], "options": {"max-steps": 400},
            "columns": ["steps", "exchanges", "discrepancy", "guarantee.steps",
                        "guarantee.source", "reached", "network.nodes", "constants.runs_on"]})",
        "s.json");
    EXPECT_TRUE(sweep(scenario, options()).complete);
    const auto instance =
        make_instance({"random-tree:n=9", {}, false, false, 3}, "uniform:tokens=50");
    std::size_t played = 0;
    for (const auto& row : rows_of(contents(csv_))) {
        if (!row.at("left_out_because").empty()) continue;
        ++played;
        RunOptions asked;
        asked.seed = 3;
        asked.steps_max = 400;
        const Outcome outcome = run(row.at("algorithm"), instance.network, instance.loads, asked);
        const auto object = nlohmann::json::parse(report::run_json(outcome.record));
        const auto text = [&](const char* place) {
            const nlohmann::json::json_pointer pointer(place);
            if (!object.contains(pointer)) return std::string();
            const nlohmann::json& value = object.at(pointer);
            return value.is_string() ? value.get<std::string>() : value.dump();
        };
        EXPECT_EQ(row.at("steps"), text("/steps"));
        EXPECT_EQ(row.at("exchanges"), text("/exchanges"));
        EXPECT_EQ(row.at("discrepancy"), text("/discrepancy"));
        EXPECT_EQ(row.at("guarantee_steps"), text("/guarantee/steps"));
        EXPECT_EQ(row.at("guarantee_source"), text("/guarantee/source"));
        EXPECT_EQ(row.at("reached"), text("/reached"));
        EXPECT_EQ(row.at("network_nodes"), "9");
        EXPECT_EQ(row.at("constants_runs_on"), text("/constants/runs_on"));
    }
    EXPECT_GE(played, algorithms().size() / 2);
}

TEST_F(SweepTest, HasARowForEachOptionAndSaysWhyOneCannotBePlayed) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["cycle:n=8"], "loads": ["spike:tokens=81"],
            "algorithms": ["discrepancy-1", "threshold-2"],
            "options": {"tree": ["breadth-first", "low-degree"]}, "columns": ["discrepancy"]})",
        "s.json");
    EXPECT_EQ(sweep(scenario, options()).rows, 4U);
    EXPECT_EQ(
        contents(csv_),
        "network,loads,seed,algorithm,parameters,tree,discrepancy,left_out_because\n"
        "cycle:n=8,spike:tokens=81,0,discrepancy-1,,breadth-first,1,\n"
        "cycle:n=8,spike:tokens=81,0,discrepancy-1,,low-degree,1,\n"
        "cycle:n=8,spike:tokens=81,0,threshold-2,,breadth-first,,threshold-2 does not run on a "
        "spanning tree: --tree cannot be used with it\n"
        "cycle:n=8,spike:tokens=81,0,threshold-2,,low-degree,,threshold-2 does not run on a "
        "spanning tree: --tree cannot be used with it\n");
}

TEST_F(SweepTest, KeepsNoRowOfAnotherColumnOrOfAFileOfAnOptionThatHasChanged) {
    const std::string speeds = csv_ + ".speeds.csv";
    const auto put = [&](int speed) { std::ofstream(speeds) << "node,speed\n0," << speed << '\n'; };
    put(2);
    Scenario scenario = small();
    scenario.algorithms = {{"threshold-2", {}}};
    scenario.options["speeds"] = {speeds};
    scenario.columns = {"steps"};
    end_after(5, scenario);
    EXPECT_EQ(sweep(scenario, options()).resumed, 5U);
    end_after(5, scenario);
    put(3);
    EXPECT_EQ(sweep(scenario, options()).dropped, 5U);
    end_after(5, scenario);
    scenario.columns = {"exchanges"};
    EXPECT_EQ(sweep(scenario, options()).dropped, 5U);
    std::remove(speeds.c_str());
}

TEST_F(SweepTest, HoldsTheWorstLoadsOfEveryNetworkAlgorithmAndBound) {
    const Scenario scenario = parse_scenario(
        R"({"verb": "worst", "networks": ["path:n=3"],
            "algorithms": ["deal-agreement-2", "deal-agreement-3"],
            "options": {"most": [2, 6], "quantity": "rounds"},
            "columns": ["played", "worst.value", "worst.loads"]})",
        "worst.json");
    EXPECT_EQ(sweep(scenario, options()).ran, 4U);
    EXPECT_EQ(contents(csv_),
              "network,loads,seed,algorithm,parameters,most,quantity,played,worst_value,"
              "worst_loads,left_out_because\n"
              "path:n=3,,0,deal-agreement-2,,2,rounds,19,2,\"[2,0,0]\",\n"
              "path:n=3,,0,deal-agreement-2,,6,rounds,127,5,\"[6,1,0]\",\n"
              "path:n=3,,0,deal-agreement-3,,2,rounds,19,2,\"[2,0,0]\",\n"
              "path:n=3,,0,deal-agreement-3,,6,rounds,127,5,\"[6,1,0]\",\n");
    for (const char* wrong :
         {R"("loads": ["staircase"])", R"("max_steps": 9)", R"("options": {"quantity": "beauty"})",
          R"("options": {"beside": "beauty"})"})
        EXPECT_THROW(static_cast<void>(make_grid(parse_scenario(
                         R"({"verb": "worst", "networks": ["path:n=3"], "columns": ["played"],
                             "algorithms": ["deal-agreement-2"], )" +
                             std::string(wrong) + '}',
                         "worst.json"))),
                     InputError)
            << wrong;
}

TEST_F(SweepTest, AsksForPlansAndAnalyses) {
    static_cast<void>(sweep(
        parse_scenario(R"({"verb": "plan", "networks": ["path:n=3"], "loads": ["spike:tokens={t}"],
                           "values": {"t": [3, 6]}, "options": {"ports": [1, 2]},
                           "columns": ["steps", "exact", "certificate.kind"]})",
                       "s.json"),
        options()));
    EXPECT_EQ(contents(csv_),
              "network,loads,seed,t,ports,steps,exact,certificate_kind,left_out_because\n"
              "path:n=3,spike:tokens=3,0,3,1,2,true,static-cut,\n"
              "path:n=3,spike:tokens=3,0,3,2,2,true,layered-cut,\n"
              "path:n=3,spike:tokens=6,0,6,1,4,true,static-cut,\n"
              "path:n=3,spike:tokens=6,0,6,2,2,true,static-cut,\n");
    static_cast<void>(sweep(parse_scenario(R"({"verb": "analyze", "networks": ["star:leaves={k}"],
                                 "values": {"k": [3, 4]}, "columns": ["nodes", "tree"]})",
                                           "s.json"),
                            options()));
    EXPECT_EQ(contents(csv_),
              "network,loads,seed,k,nodes,tree,left_out_because\n"
              "star:leaves=3,spike:tokens=1000,0,3,4,true,\n"
              "star:leaves=4,spike:tokens=1000,0,4,5,true,\n");
}

TEST_F(SweepTest, NamesTheRunWhoseInputIsWrong) {
    Scenario scenario = small();
    scenario.algorithms = {{"discrepancy-1", {{"termination", "nonsense"}}}};
    try {
        static_cast<void>(sweep(scenario, options()));
        FAIL() << "a parameter is wrong";
    } catch (const InputError& error) {
        EXPECT_TRUE(std::string(error.what())
                        .starts_with("discrepancy-1, spike:tokens=30 on path:n=4, seed 1: "))
            << error.what();
    }
}

TEST_F(SweepTest, TakesNetworksWithoutASizeOnce) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["path:n={n}", "torus:3x3"], "sizes": [4, 6, 8],
            "loads": ["spike:tokens=30"], "algorithms": ["threshold-2"]})",
        "mixed.json");
    const SweepOutcome outcome = sweep(scenario, options());
    EXPECT_EQ(outcome.rows, 4U);
    EXPECT_TRUE(outcome.complete);
}

TEST_F(SweepTest, EndsWithoutACsvFileWhenAskedToAndKeepsWhatThereIs) {
    std::stop_source source;
    SweepOptions some = options();
    some.interrupt = source.get_token();
    some.progress = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 32U);
        if (done == 5) source.request_stop();
    };
    const SweepOutcome outcome = sweep(small(), some);
    EXPECT_FALSE(outcome.complete);
    EXPECT_EQ(outcome.ran, 5U);
    EXPECT_FALSE(std::filesystem::exists(csv_));
    EXPECT_EQ(sweep(small(), options()).resumed, 5U);
}

TEST(Seeds, AreAListOfNumbersOrATextOfRanges) {
    const auto seeds = [](const std::string& text) {
        return parse_scenario(R"({"networks": ["path:n=3"], "loads": ["staircase"],
                                  "algorithms": ["threshold-2"], "seeds": )" +
                                  text + '}',
                              "s.json")
            .seeds;
    };
    using Numbers = std::vector<std::uint64_t>;
    EXPECT_EQ(seeds(R"("1..5,9")"), (Numbers{1, 2, 3, 4, 5, 9}));
    EXPECT_EQ(seeds(R"("7")"), Numbers{7});
    EXPECT_EQ(seeds("[3, 1]"), (Numbers{3, 1}));
    const auto wrong = [&](const std::string& text) {
        return thrown_by([&] { static_cast<void>(seeds(text)); });
    };
    EXPECT_EQ(wrong(R"("0..18446744073709551615")"),
              "input: s.json: seeds: expected at most 1000000 seeds, found "
              "\"0..18446744073709551615\"");
    EXPECT_EQ(
        wrong(R"("5..1")"),
        "input: s.json: seeds: expected whole numbers and ascending ranges like 1..5,9, found "
        "\"5..1\"");
    EXPECT_EQ(wrong("3"),
              "input: s.json: seeds: expected a list of one or more whole numbers or a text like "
              "\"1..20\", found 3");
    EXPECT_EQ(wrong(R"([1, "2..3"])"),
              "input: s.json: seeds[1]: expected a whole number (a text like \"1..20\" stands for "
              "the whole list), found \"2..3\"");
}

TEST(Scenario, NamesTheFileAndTheKeyOfWhatIsWrong) {
    const auto message = [](const char* text) -> std::string {
        try {
            static_cast<void>(parse_scenario(text, "s.json"));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("nonsense"), "s.json:1: expected well-formed JSON, found \"nonsense\"");
    EXPECT_EQ(message(R"({"loads": ["even:tokens=1"], "algorithms": ["threshold-2"]})"),
              R"(s.json: expected the key "networks", found none)");
    EXPECT_EQ(message(R"({"networks": [3]})"), "s.json: networks[0]: expected a text, found 3");
    EXPECT_NE(message(R"({"networks": ["a"], "loads": ["x"], "algorithms": ["treshold-2"]})")
                  .find("threshold-2"),
              std::string::npos);
    EXPECT_EQ(message(R"({"networks": ["a"], "loads": ["x"], "algorithms": ["threshold-2"],
                          "sedes": [1]})"),
              "s.json: unknown key \"sedes\": did you mean \"seeds\"?");
}

/// The message with which a sweep of a scenario, given without its braces, is refused.
std::string refused(const std::string& text) {
    try {
        static_cast<void>(make_grid(parse_scenario('{' + text + '}', "s.json")));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

const std::string one_run =
    R"("networks": ["path:n=3"], "loads": ["staircase"], "algorithms": ["threshold-2"])";

TEST(Scenario, SaysWhichKeyOfWhatItAsksIsWrong) {
    const std::pair<const char*, const char*> wrong[] = {
        {R"("verb": "compare")",
         R"(s.json: verb: expected "run", "plan", "analyze", "worst" or "reassign", )"
         R"(found "compare")"},
        {R"("values": {"2k": [1]})",
         R"(s.json: values: expected names of letters, digits and _, a letter first, found "2k")"},
        {R"("values": {"k": []})",
         "s.json: values.k: expected a list of one or more values, found []"},
        {R"("values": {"k": [true]})",
         "s.json: values.k[0]: expected a number or a text, found true"},
        {R"("values": {"n": [1]}, "sizes": [2])",
         R"(s.json: values.n: "sizes" says already what {n} stands for)"},
        {R"("options": {"stpo": "quiet:3"})",
         R"(s.json: options: unknown option "stpo" of run: did you mean "stop"?)"},
        {R"("options": {"deviation": 1})",
         "s.json: options.deviation: expected true or false, found 1"},
        {R"("options": {"stop": []})",
         "s.json: options.stop: expected a list of one or more values, found []"},
        {R"("options": {"max-steps": "-1"})",
         R"(s.json: options.max-steps: expected a whole number below 2^63, found "-1")"},
        {R"("options": {"ports": ["1", 2]})",
         R"(s.json: options.ports: expected 1 or all, found "2")"},
        {R"("options": {"max-steps": 3}, "max_steps": 3)",
         R"(s.json: options.max-steps: "max_steps" is given already)"},
        {R"("columns": ["steps", "seed"])",
         R"(s.json: expected columns of different names, found "seed" twice)"},
        {R"("columns": ["a[b"])",
         "s.json: columns[0]: expected a path such as steps, guarantee.steps or "
         R"(bounds[theorem=Theorem 2].value, found "a[b")"},
        {R"("values": {"k": [1]})",
         "s.json: values.k: expected {k} in a text of the scenario, found none"},
        {R"("seeds": [1], "values": {"seed": [1]}, "options": {"stop": "quiet:{seed}"})",
         R"(s.json: expected columns of different names, found "seed" twice)"}};
    for (const auto& [text, message] : wrong)
        EXPECT_EQ(refused(one_run + ", " + text), message);
    EXPECT_EQ(refused(one_run), "");
}

TEST(Scenario, ChecksEveryOptionOfEveryVerbBeforeAnythingIsPlayed) {
    const auto of = [](const char* verb, const char* options) {
        const std::string rest = std::string(verb) == "run" ? R"(, "algorithms": ["perfect-tree"])"
                                                            : R"(, "columns": ["schema"])";
        return refused(R"("networks": ["path:n=3"], "loads": ["staircase"], "verb": ")" +
                       std::string(verb) + R"(", "options": )" + options + rest);
    };
    for (const char* options :
         {R"({"stop": "qiet:3"})", R"({"speeds": "no.csv"})", R"({"matchings": "snaek"})",
          R"({"matchings": "no.matchings"})", R"({"matrix": "no.matrix"})", R"({"tree": "tall"})",
          R"({"tree": "no.edges"})", R"({"colouring": "no.colours"})", R"({"delays": "rnd"})",
          R"({"adversary": "nobody"})", R"({"faults": "los=1"})", R"({"ports": "2"})",
          R"({"arrivals": "rain:rate=1"})", R"({"arrivals": "replay:no.csv"})",
          R"({"churn": "often"})", R"({"max-steps": "x"})"})
        EXPECT_TRUE(of("run", options).starts_with("s.json: options.")) << options;
    for (const char* options :
         {R"({"target": "level"})", R"({"target": "at-most:x"})", R"({"target": "speeds:no.csv"})",
          R"({"ports": 0})", R"({"capacities": "no.csv"})", R"({"link-delays": "no.csv"})",
          R"({"in-flight": "x"})", R"({"memory": "x"})", R"({"fewest-exchanges": "yes"})"})
        EXPECT_TRUE(of("plan", options).starts_with("s.json: options.")) << options;
    for (const char* options : {R"({"matrix": "no.matrix"})", R"({"matchings": "snaek"})",
                                R"({"observers": 1})", R"({"gap": "x"})"})
        EXPECT_TRUE(of("analyze", options).starts_with("s.json: options.")) << options;
    EXPECT_EQ(of("run", R"({"stop": "quiet:3", "tree": "low-degree", "delays": "random:max=4"})"),
              "");
}

std::string with_seven_lists(const std::string& networks) {
    std::string text = R"({"loads": ["staircase"], "algorithms": ["threshold-2"], "networks": [)" +
                       networks + R"(], "values": {"k": [1])";
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
        text += fmt::format(R"(, "{}": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])", name);
    return text + "}}";
}

TEST(Scenario, HasNoMoreRowsThanFitIntoMemory) {
    const Scenario scenario =
        parse_scenario(with_seven_lists(R"("path:n={a+b+c+d+e+f+g*k}")"), "s.json");
    try {
        static_cast<void>(make_grid(scenario));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "s.json: expected at most 1000000 rows, found more");
    }
}

TEST(Scenario, CombinesOnlyTheValuesThatANetworkUses) {
    const Scenario scenario = parse_scenario(
        with_seven_lists(R"("path:n={a}", "path:n={10+b}", "mesh:{c}x{d+1}", "path:n={20+e}",
                             "path:n={40*k+f}", "path:n={60+g}")"),
        "s.json");
    EXPECT_EQ(make_grid(scenario).rows.size(), 10U + 10 + 100 + 10 + 10 + 10);
}

TEST(Scenario, PlaysWhatAPlaceholderDoesNotTouchOnce) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["path:n={k}", "path:n=9"], "loads": ["spike:tokens={s}", "staircase"],
            "values": {"k": [3, 4], "s": [10, 20, 30]}, "algorithms": ["threshold-2"]})",
        "s.json");
    const Grid grid = make_grid(scenario);
    EXPECT_EQ(grid.rows.size(), 2U * 3 + 2 + 3 + 1);
    EXPECT_EQ(grid.shape.settings, (std::vector<std::string>{"k", "s"}));
    // The last is path:n=9 with staircase, which no value touches.
    EXPECT_TRUE(std::any_of(grid.rows.begin(), grid.rows.end(), [](const GridRow& row) {
        return row.key.ends_with(",path:n=9,staircase,0,threshold-2,,,,");
    }));
}

TEST(Scenario, KnowsAllAlgorithmsByOneWord) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["path:n=3"], "loads": ["spike:tokens=2"], "algorithms": ["all"]})", "s");
    ASSERT_EQ(scenario.algorithms.size(), algorithms().size());
    for (std::size_t i = 0; i < scenario.algorithms.size(); ++i)
        EXPECT_EQ(scenario.algorithms[i].name, algorithms()[i].name);
}

/// The scenarios that the project ships, by their places in its folder.
std::vector<std::string> shipped() {
    std::vector<std::string> places;
    const std::filesystem::path folder = EQUIPOISE_SOURCE_DIR "/scenarios";
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
        if (file.path().extension() == ".json")
            places.push_back(file.path().lexically_relative(folder).string());
    return places;
}

Scenario shipped(const std::string& place) {
    return read_scenario(EQUIPOISE_SOURCE_DIR "/scenarios/" + place);
}

TEST(Scenarios, ThatTheProjectShipsCanBeRead) {
    EXPECT_GE(shipped().size(), 6U);
    for (const std::string& place : shipped())
        EXPECT_FALSE(shipped(place).title.empty()) << place;
}

TEST(Scenarios, ThatTheProjectShipsAskWhatIsRightEverywhere) {
    // They name files as they are called from the project's folder.
    const std::filesystem::path here = std::filesystem::current_path();
    std::filesystem::current_path(EQUIPOISE_SOURCE_DIR);
    for (const std::string& place : shipped())
        EXPECT_GT(make_grid(shipped(place)).rows.size(), 0U) << place;
    std::filesystem::current_path(here);
}

/// What stands between a place and the next `end`.
std::string until(const std::string& text, std::size_t begin, const char* end) {
    return text.substr(begin, text.find(end, begin) - begin);
}

TEST(Scenarios, TableOneHasEverySystemOfThePaperThatRunsHere) {
    const Scenario scenario = shipped("dinitz-2020/table-1.json");
    std::vector<std::string> there;
    there.reserve(scenario.algorithms.size());
    for (const ScenarioAlgorithm& algorithm : scenario.algorithms)
        there.push_back(algorithm.name);
    std::istringstream page(
        contents(EQUIPOISE_SOURCE_DIR "/docs/algorithms/comparison-systems.md"));
    std::vector<std::string> wanted = {"deal-agreement-1", "deal-agreement-2", "deal-agreement-3",
                                       "async-deal-agreement", "self-stabilising"};
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ") || line.starts_with("| System")) continue;
        const std::string here = until(line, line.find(" | ") + 3, " |");
        for (const Algorithm& algorithm : algorithms())
            if (here == '`' + algorithm.name + '`' || here.starts_with('[' + algorithm.name + ']'))
                wanted.push_back(algorithm.name);
    }
    EXPECT_GE(wanted.size(), 18U);
    for (const std::string& name : wanted)
        EXPECT_NE(std::find(there.begin(), there.end(), name), there.end()) << name;
}

TEST(Scenarios, HaveTheNetworksOfTheirTitles) {
    const std::vector<std::pair<const char*, const char*>> kinds = {
        {"paths", "path:"},   {"stars", "star:"}, {"complete binary trees", "tree:k=2"},
        {"meshes", "mesh:"},  {"tori", "torus:"}, {"cycles", "cycle:"},
        {"random", "random-"}};
    int titled = 0;
    for (const char* place :
         {"dinitz-2020/table-1.json", "dinitz-2020/growth.json", "rabani-1998/deviation.json",
          "houle-2004/levelling.json", "margara-2004/tree-programs.json", "real-networks.json"}) {
        const Scenario scenario = shipped(place);
        for (const auto& [word, spec] : kinds) {
            if (scenario.title.find(word) == std::string::npos) continue;
            ++titled;
            EXPECT_TRUE(
                std::any_of(scenario.networks.begin(), scenario.networks.end(),
                            [&kind = spec](const auto& one) { return one.starts_with(kind); }))
                << place << ": " << word;
        }
    }
    EXPECT_GE(titled, 2);
}

TEST(Scenarios, StandInTheTableOfThePageWithTheRunsThatItSays) {
    const std::string page = contents(EQUIPOISE_SOURCE_DIR "/docs/how-to/sweeps.md");
    for (const std::string& place : shipped()) {
        const std::string folder = until(place, 0, "/");
        EXPECT_NE(page.find("| `" + folder + (folder == place ? "` |" : "/` |")), std::string::npos)
            << place;
    }
    const std::size_t rows = make_grid(shipped("real-networks.json")).rows.size();
    EXPECT_NE(page.find("| " + std::to_string(rows / algorithms().size()) + " runs an algorithm |"),
              std::string::npos);
}

}  // namespace
}  // namespace equipoise::catalogue
