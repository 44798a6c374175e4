#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/report/runs/compare.hpp"
#include "equipoise/report/runs/extremes.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/runs/sweep_rows.hpp"
#include "equipoise/report/tables/table.hpp"

namespace {

using namespace equipoise;
using model::Record;

Record example() {
    Record r;
    r.algorithm = "threshold-2";
    r.model = "single-port";
    r.labels.origin = "some/where/net.gml";
    r.labels.names = {"Ost", "West"};
    r.node_count = 2;
    r.link_count = 1;
    r.initial_loads = {1234567, 0};
    r.final_loads = {617284, 617283};
    r.initial_discrepancy = 1234567;
    r.final_discrepancy = 1;
    r.local_imbalance = 1;
    r.costs = {617283, 617283, 617283, 1234566};
    r.guarantee = {1, {}, "Theorem 5"};
    r.reached = true;
    r.stopped_because = "quiet";
    return r;
}

TEST(Durations, AreWrittenAsPeopleSayThem) {
    EXPECT_EQ(report::duration(0.00041), "0.4 ms");
    EXPECT_EQ(report::duration(0.25), "250 ms");
    EXPECT_EQ(report::duration(2.5), "2.50 s");
    EXPECT_EQ(report::duration(250), "4 min 10 s");
    EXPECT_EQ(report::duration(7260), "2 h 1 min");
}

TEST(Tables, AlignTheirColumns) {
    const std::string text =
        report::layout({{"name", report::Align::left}, {"n", report::Align::right}},
                       {{"a", "1,000"}, {"bé", "7"}}, true);
    EXPECT_EQ(text,
              "name      n\n"
              "----  -----\n"
              "a     1,000\n"
              "bé        7\n");
}

TEST(RunJson, HasThePromisedKeys) {
    const auto object = nlohmann::json::parse(report::run_json(example(), true));
    for (const char* key :
         {"algorithm", "network", "tokens", "seed", "initial_discrepancy", "discrepancy",
          "local_imbalance", "steps", "rounds", "exchanges", "messages", "guarantee", "reached",
          "stopped_because", "seconds", "loads"})
        EXPECT_TRUE(object.contains(key)) << key;
    EXPECT_EQ(object["network"]["nodes"], 2);
    EXPECT_EQ(object["network"]["links"], 1);
    EXPECT_EQ(object["guarantee"]["discrepancy"], 1);
    EXPECT_FALSE(object["guarantee"].contains("steps"));
    EXPECT_EQ(object["loads"]["West"], 617283);
    EXPECT_FALSE(nlohmann::json::parse(report::run_json(example())).contains("loads"));
}

TEST(RunJson, SaysWhenPhasesEndAsFarAsTheyDid) {
    Record record = example();
    record.asynchrony.emplace();
    EXPECT_FALSE(nlohmann::json::parse(report::run_json(record)).contains("phases"));
    record.asynchrony->phases = {{3, 8, 40}, {5, {}, 50}, {}};
    const auto phases = nlohmann::json::parse(report::run_json(record)).at("phases");
    EXPECT_EQ(phases.dump(),
              R"([{"first":3,"last":8,"memory_bits":40,"phase":1},)"
              R"({"first":5,"memory_bits":50,"phase":2},{"memory_bits":0,"phase":3}])");
    const std::string text = report::run_text(record);
    EXPECT_NE(text.find("1 ends after 8 ticks, 2 does not end everywhere"), std::string::npos);
}

TEST(RunJson, NumbersNodesWhereNamesRepeat) {
    Record record = example();
    record.labels.names = {"Ost", "Ost"};
    const auto object = nlohmann::json::parse(report::run_json(record, true));
    EXPECT_EQ(object["loads"]["0"], 617284);
    EXPECT_EQ(object["loads"]["1"], 617283);
}

TEST(Level, IsSaidInTextJsonTablesAndRowsWhereItIsKnown) {
    Record record = example();
    record.costs.steps = 1010;
    const auto says = [&](const std::string& text) {
        return report::run_text(record).find("  level            " + text + '\n') !=
               std::string::npos;
    };
    const std::vector<Record> unknown = {record, record};
    EXPECT_EQ(report::run_text(record).find("  level "), std::string::npos);
    EXPECT_FALSE(nlohmann::json::parse(report::run_json(record)).contains("level_since"));
    EXPECT_EQ(report::compare_text(unknown).find("level"), std::string::npos);
    EXPECT_NE(report::compare_csv(unknown).find("seconds,level_since\n"), std::string::npos);
    EXPECT_TRUE(report::sweep_figures(record).ends_with(",,\n"));
    record.level_since = 1005;
    EXPECT_TRUE(says("after step 1,005 of 1,010 (discrepancy 1 from then on)"));
    EXPECT_EQ(nlohmann::json::parse(report::run_json(record)).at("level_since"), 1005);
    EXPECT_TRUE(report::sweep_figures(record).ends_with(",1005,\n"));
    const std::vector<Record> one_known = {record, unknown.front()};
    const std::string table = report::compare_text(one_known);
    EXPECT_NE(table.find("level after: the first step after which"), std::string::npos) << table;
    EXPECT_NE(table.find("1,005"), std::string::npos) << table;
    EXPECT_NE(report::compare_csv(one_known).find(",1005\n"), std::string::npos);
    record.level_since = 1010;
    EXPECT_TRUE(says("after step 1,010, the last (discrepancy 1)"));
    record.level_since = 0;
    EXPECT_TRUE(says("from the start (discrepancy 1 throughout)"));
}

TEST(CompareJson, ListsTheRuns) {
    const std::vector<Record> records = {example(), example()};
    const auto object = nlohmann::json::parse(report::compare_json(records));
    EXPECT_EQ(object["results"].size(), 2U);
    EXPECT_EQ(object["tokens"], 1234567);
    EXPECT_EQ(object["network"]["nodes"], 2);
}

TEST(CompareText, IsAsciiUnlessAskedOtherwiseAndShowsTheGuaranteeBesideTheResult) {
    Record failed = example();
    failed.algorithm = "other";
    failed.final_discrepancy = 2;
    const std::vector<Record> records = {example(), failed};
    const std::string plain = report::compare_text(records, {.plain = true, .with_seconds = false});
    for (const char c : plain)
        EXPECT_LT(static_cast<unsigned char>(c), 0x80);
    EXPECT_TRUE(plain.starts_with(
        "net.gml: 2 nodes, 1 link; 1,234,567 tokens, initial discrepancy 1,234,567\n"));
    EXPECT_NE(plain.find("1         <= 1  yes"), std::string::npos) << plain;
    EXPECT_NE(plain.find("2         <= 1  no"), std::string::npos) << plain;
    const std::string signs = report::compare_text(records, {.plain = false, .with_seconds = true});
    EXPECT_NE(signs.find("≤ 1"), std::string::npos);
    EXPECT_NE(signs.find("✓"), std::string::npos);
    EXPECT_NE(signs.find("✗"), std::string::npos);
}

TEST(Compare, ShowsTheOptimumAndWhatRunsTookOfItWhereTheyCanBeMeasured) {
    Record measured = example();
    measured.costs.steps = 30;
    measured.optimum = {0, 12};
    Record other = example();
    other.algorithm = "other";
    const std::vector<Record> records = {measured, other};
    const report::Optimum best{12, 12, 7, 5};
    const std::string text =
        report::compare_text(records, {.plain = true, .with_seconds = false}, &best);
    EXPECT_NE(text.find("  2.50"), std::string::npos) << text;
    EXPECT_NE(text.find("best possible: 12 steps in which a node sends at most one token and "
                        "receives at most one; 7 exchanges, 5 tokens moved"),
              std::string::npos);
    EXPECT_EQ(report::compare_text(records).find("best possible"), std::string::npos);
    const auto object = nlohmann::json::parse(report::compare_json(records, false, &best));
    EXPECT_EQ(object["optimum"]["steps"], 12);
    EXPECT_EQ(object["optimum"]["exchanges"], 7);
    EXPECT_EQ(object["optimum"]["moves"], 5);
    const report::Optimum enclosed{12, 14, 7, 5};
    const auto unsure = nlohmann::json::parse(report::compare_json(records, false, &enclosed));
    EXPECT_FALSE(unsure["optimum"].contains("steps"));
    EXPECT_EQ(unsure["optimum"]["steps_at_most"], 14);
    const std::string csv = report::compare_csv(records, true);
    EXPECT_NE(csv.find(",optimum_steps,optimum_exchanges\n"), std::string::npos);
    EXPECT_NE(csv.find(",12,0\n"), std::string::npos);
    EXPECT_TRUE(csv.ends_with(",,\n"));
}

/// A run of four nodes with speeds 1, 1, 2, 2 and 12 tokens.
Record by_speed(const std::string& algorithm, const load::Loads& final_loads, bool promised) {
    Record r = example();
    r.algorithm = algorithm;
    r.labels.names.clear();
    r.node_count = 4;
    r.initial_loads = {12, 0, 0, 0};
    r.final_loads = final_loads;
    r.initial_discrepancy = 12;
    r.final_discrepancy = load::discrepancy(final_loads);
    r.speeds = {1, 1, 2, 2};
    r.guarantee = {};
    if (promised) r.guarantee.source = "the convex recursion over subtrees";
    return r;
}

TEST(Compare, MeasuresRunsWithSpeedsByTheirSharesAndShowsThePromiseInTheRow) {
    const std::vector<Record> records = {by_speed("perfect", {2, 2, 4, 4}, true),
                                         by_speed("broken", {3, 2, 3, 4}, true),
                                         by_speed("level", {3, 3, 3, 3}, false)};
    const std::string text = report::compare_text(records, {.plain = true, .with_seconds = false});
    EXPECT_NE(text.find("perfect    single-port          0        < 1         0  yes"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("broken     single-port          1        < 1       1.5  no"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("level      single-port          1          -       1.5  -"),
              std::string::npos)
        << text;
    // Columns that mean nothing with speeds are left out, and the perfect run is the best.
    const std::string table = text.substr(text.find('\n'), text.find("\n\n", text.find("---")));
    EXPECT_EQ(table.find("discrepancy"), std::string::npos);
    EXPECT_TRUE(text.ends_with("best: off share 0 by perfect.\n")) << text;
    const auto object = nlohmann::json::parse(report::run_json(records[0]));
    EXPECT_EQ(object["share_distance"], 0.0);
    EXPECT_EQ(object["guarantee"]["share_distance_below"], 1);
    EXPECT_NE(report::run_text(records[0]).find("off share        0  ("), std::string::npos);
    EXPECT_NE(report::run_text(records[0]).find("promised < 1"), std::string::npos);
}

TEST(Compare, IsBriefOnTerminalsThatAreTooNarrowForTheWholeTable) {
    Record cut = example();
    cut.algorithm = "a-name-of-twenty-six-letters";
    cut.reached = false;
    cut.stopped_because = "max-steps";
    const std::vector<Record> records = {example(), cut};
    const auto widest = [](const std::string& text) {
        std::size_t most = 0;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            most = std::max(most, line.size());
        return most;
    };
    const std::string full = report::compare_text(records);
    EXPECT_EQ(report::compare_text(records, {.width = 200}), full);
    EXPECT_NE(full.find("Theorem 5"), std::string::npos);
    const std::string brief = report::compare_text(records, {.width = 80});
    EXPECT_EQ(brief, report::compare_text(records, {.brief = true}));
    EXPECT_LE(widest(brief), 80U) << brief;
    EXPECT_EQ(brief.find("Theorem 5"), std::string::npos);
    EXPECT_NE(brief.find("stopped by max-steps before the end"), std::string::npos);
    EXPECT_NE(brief.find("--full"), std::string::npos);
}

TEST(Compare, HasNoTwoHeadingsAlike) {
    Record record = example();
    record.guarantee.steps = 7;
    const std::string text = report::compare_text(std::vector<Record>{record});
    std::istringstream lines(text.substr(text.find("\n\n") + 2));
    std::string upper;
    std::string lower;
    std::getline(lines, upper);
    std::getline(lines, lower);
    upper.resize(lower.size(), ' ');
    EXPECT_EQ(upper.substr(lower.find("promised") - 3, 11), "discrepancy");
    EXPECT_EQ(upper.substr(lower.rfind("promised"), 8), "   steps");
    EXPECT_EQ(upper.substr(lower.find("imbalance"), 9), "    local");
}

TEST(Compare, SaysWhoWasBestInWhat) {
    std::vector<Record> records(5, example());
    const auto set = [&](std::size_t i, const char* name, Tokens discrepancy, std::uint64_t steps,
                         std::uint64_t exchanges) {
        records[i].algorithm = name;
        records[i].final_discrepancy = discrepancy;
        records[i].costs.steps = steps;
        records[i].costs.exchanges = exchanges;
    };
    set(0, "a", 1, 30, 1000);
    set(1, "b", 1, 20, 2000);
    set(2, "c", 5, 1, 1);
    set(3, "d", 1, 90, 1000);
    set(4, "e", 0, 1, 1);
    records[3].model = "asynchronous";
    records[4].reached = false;  // does not compete
    EXPECT_EQ(report::best_line(records),
              "best: discrepancy 1 by a, b, d; of these, fewest steps: d (asynchronous), b "
              "(single-port); fewest exchanges: a, d.\n");
    // Parts of tokens do not compete with whole ones: a discrepancy of 0.5 here.
    records[4].reached = true;
    records[4].final_discrepancy = 2;
    records[4].load_scale = 4;
    EXPECT_TRUE(report::best_line(records).starts_with("best in whole tokens: discrepancy 1 by a"));
    EXPECT_EQ(report::best_line({records.data(), 1}), "");
    EXPECT_EQ(report::best_line({records.data(), 2}),
              "best: discrepancy 1 by all; fewest steps: b; fewest exchanges: a.\n");
}

TEST(Compare, SortsByWhatIsAskedForAndKeepsEqualOnesInTheirOrder) {
    std::vector<Record> records(3, example());
    records[0].algorithm = "b";
    records[1].algorithm = "c";
    records[2].algorithm = "a";
    records[0].costs = {5, 9, 3, 3};
    records[1].costs = {5, 1, 4, 9};
    records[2].costs = {1, 5, 8, 6};
    const auto order = [&](const char* key) {
        std::vector<Record> sorted = records;
        report::sort_by(key, sorted);
        return sorted[0].algorithm + sorted[1].algorithm + sorted[2].algorithm;
    };
    EXPECT_EQ(order("name"), "abc");
    EXPECT_EQ(order("steps"), "abc");
    EXPECT_EQ(order("rounds"), "cab");
    EXPECT_EQ(order("exchanges"), "bca");
    EXPECT_EQ(order("messages"), "bac");
    EXPECT_EQ(order("discrepancy"), "bca");
    for (const std::string& key : report::sort_keys())
        static_cast<void>(order(key.c_str()));
    EXPECT_THROW(order("beauty"), InputError);
}

TEST(CompareCsv, HasOneFieldAColumnInEveryLine) {
    Record record = example();
    record.parameters = {{"termination", "extremes"}, {"tree", "a,b"}};
    const std::vector<Record> records = {record};
    const std::string text = report::compare_csv(records);
    const std::size_t line_end = text.find('\n');
    const auto commas = [](const std::string& line) {
        return std::count(line.begin(), line.end(), ',');
    };
    EXPECT_EQ(commas(text.substr(0, line_end)) + 1, commas(text.substr(line_end + 1)));
    EXPECT_NE(text.find("\"termination=extremes tree=a,b\""), std::string::npos);
}

/// 7 and 0 tokens; the first node gives 9, takes 4 back, and gives 1.
Record swinging() {
    Record record = example();
    record.level = model::RecordLevel::full;
    record.initial_loads = {7, 0};
    record.final_loads = {1, 6};
    record.transfers = {{0, 0, 1, 9}, {3, 1, 0, 4}, {5, 0, 1, 1}};
    record.costs.steps = 6;
    return record;
}

TEST(Extremes, AreOfAllMomentsAndCountRisesAndFalls) {
    const auto found = report::extremes_of(swinging());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->least, -2);
    EXPECT_EQ(found->most, 9);
    EXPECT_EQ(found->rises_of_most, 2U);   // 7, 9, 5, 6
    EXPECT_EQ(found->falls_of_least, 2U);  // 0, -2, 2, 1
    EXPECT_EQ(report::extremes_text(swinging(), *found),
              "-2 to 9 at all times; the largest rose in 2 steps, the least fell in 2 steps");
    const auto object = nlohmann::json::parse(report::run_json(swinging(), false));
    EXPECT_EQ(object["extremes"]["least"], -2);
    EXPECT_EQ(object["extremes"]["rises_of_most"], 2);
}

TEST(Extremes, AreUnknownUnlessTheRecordHoldsEveryMove) {
    Record record = swinging();
    record.transfers.pop_back();
    EXPECT_FALSE(report::extremes_of(record));
    record = swinging();
    record.level = model::RecordLevel::sampled;
    EXPECT_FALSE(report::extremes_of(record));
    EXPECT_EQ(report::run_json(record, false).find("extremes"), std::string::npos);
}

}  // namespace
