#include "equipoise/catalogue/studies/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {
namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The rows without their last two fields (seconds and the reason of a refusal).
std::string without_seconds(const std::string& csv) {
    std::istringstream lines(csv);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t last = line.rfind(',');
        out += line.substr(0, line.rfind(',', last - 1)) + '\n';
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

class SweepTest : public testing::Test {
  protected:
    std::string csv_ = testing::TempDir() + "equipoise_sweep_" +
                       testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
    void TearDown() override {
        std::remove(csv_.c_str());
        std::remove((csv_ + ".partial").c_str());
    }
    [[nodiscard]] SweepOptions options(int threads = 1) const {
        SweepOptions options;
        options.csv = csv_;
        options.threads = threads;
        return options;
    }
    /// Begins a sweep that is asked to end after a number of rows.
    void end_after(std::uint64_t rows, const Scenario& scenario) const {
        std::stop_source source;
        SweepOptions some = options();
        some.interrupt = source.get_token();
        some.progress = [&](std::uint64_t done, std::uint64_t /*all*/) {
            if (done == rows) source.request_stop();
        };
        EXPECT_EQ(sweep(scenario, some).ran, rows);
    }
};

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
              "s.json: networks: expected a list, found none");
    EXPECT_EQ(message(R"({"networks": [3], "loads": ["x"], "algorithms": ["threshold-2"]})"),
              "s.json: networks: expected texts, found 3");
    EXPECT_NE(message(R"({"networks": ["a"], "loads": ["x"], "algorithms": ["treshold-2"]})")
                  .find("threshold-2"),
              std::string::npos);
    EXPECT_EQ(message(R"({"networks": ["a"], "loads": ["x"], "algorithms": ["threshold-2"],
                          "sedes": [1]})"),
              "s.json: unknown key \"sedes\": did you mean \"seeds\"?");
}

TEST(Scenario, KnowsAllAlgorithmsByOneWord) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["path:n=3"], "loads": ["spike:tokens=2"], "algorithms": ["all"]})", "s");
    ASSERT_EQ(scenario.algorithms.size(), algorithms().size());
    for (std::size_t i = 0; i < scenario.algorithms.size(); ++i)
        EXPECT_EQ(scenario.algorithms[i].name, algorithms()[i].name);
}

TEST(Scenarios, ThatTheProjectShipsCanBeRead) {
    int read = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(EQUIPOISE_SOURCE_DIR "/scenarios")) {
        EXPECT_FALSE(read_scenario(file.path().string()).title.empty()) << file.path();
        ++read;
    }
    EXPECT_GE(read, 3);
}

/// What stands between a place and the next `end`.
std::string until(const std::string& text, std::size_t begin, const char* end) {
    return text.substr(begin, text.find(end, begin) - begin);
}

TEST(Scenarios, TableOneHasEverySystemOfThePaperThatRunsHere) {
    const Scenario scenario = read_scenario(EQUIPOISE_SOURCE_DIR "/scenarios/table-1.json");
    std::vector<std::string> there;
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

TEST(Scenarios, HaveTheNetworksOfTheirTitlesAndTheRunsThatThePageSays) {
    const std::vector<std::pair<const char*, const char*>> kinds = {
        {"paths", "path:"},   {"stars", "star:"}, {"complete binary trees", "tree:k=2"},
        {"meshes", "mesh:"},  {"tori", "torus:"}, {"cycles", "cycle:"},
        {"random", "random-"}};
    const std::string page = contents(EQUIPOISE_SOURCE_DIR "/docs/how-to/sweeps.md");
    for (const auto& file :
         std::filesystem::directory_iterator(EQUIPOISE_SOURCE_DIR "/scenarios")) {
        const Scenario scenario = read_scenario(file.path().string());
        for (const auto& [word, spec] : kinds)
            EXPECT_TRUE(scenario.title.find(word) == std::string::npos ||
                        std::any_of(scenario.networks.begin(), scenario.networks.end(),
                                    [&](const auto& one) { return one.starts_with(spec); }))
                << file.path() << ": " << word;
        std::size_t runs = 0;
        for (const std::string& network : scenario.networks)
            runs += network.find("{n}") == std::string::npos ? 1 : scenario.sizes.size();
        runs *= scenario.loads.size() * scenario.seeds.size();
        const std::string name = '`' + file.path().filename().string() + '`';
        const std::string row = until(page, page.find(name), "\n");
        const bool all = scenario.algorithms.size() == algorithms().size();
        if (!all) runs *= scenario.algorithms.size();
        EXPECT_TRUE(row.ends_with("| " + std::to_string(runs) + (all ? " an algorithm |" : " |")))
            << row << ": " << runs;
    }
}

}  // namespace
}  // namespace equipoise::catalogue
