#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/run_json.hpp"
#include "equipoise/report/summary.hpp"
#include "equipoise/report/table.hpp"

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

TEST(Numbers, AreGroupedInThousands) {
    EXPECT_EQ(report::grouped(std::int64_t{0}), "0");
    EXPECT_EQ(report::grouped(std::int64_t{999}), "999");
    EXPECT_EQ(report::grouped(std::int64_t{1000}), "1,000");
    EXPECT_EQ(report::grouped(std::int64_t{-123456}), "-123,456");
    EXPECT_EQ(report::grouped(std::int64_t{-999}), "-999");
    EXPECT_EQ(report::grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Durations, AreSaidAsPeopleSayThem) {
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

TEST(CsvFields, AreQuotedWhereTheyMustBe) {
    EXPECT_EQ(report::csv_field("plain"), "plain");
    EXPECT_EQ(report::csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(report::csv_field("say \"no\""), "\"say \"\"no\"\"\"");
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

TEST(RunJson, NumbersNodesWhereNamesRepeat) {
    Record record = example();
    record.labels.names = {"Ost", "Ost"};
    const auto object = nlohmann::json::parse(report::run_json(record, true));
    EXPECT_EQ(object["loads"]["0"], 617284);
    EXPECT_EQ(object["loads"]["1"], 617283);
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
    EXPECT_NE(plain.find("1      <= 1  yes"), std::string::npos) << plain;
    EXPECT_NE(plain.find("2      <= 1  no"), std::string::npos) << plain;
    const std::string signs = report::compare_text(records, {.plain = false, .with_seconds = true});
    EXPECT_NE(signs.find("≤ 1"), std::string::npos);
    EXPECT_NE(signs.find("✓"), std::string::npos);
    EXPECT_NE(signs.find("✗"), std::string::npos);
}

TEST(Compare, ShowsTheOptimumAndWhatRunsTookOfItWhereTheyCanBeMeasured) {
    Record measured = example();
    measured.costs.steps = 30;
    measured.constants["optimum_steps"] = "12";
    measured.constants["optimum_exchanges"] = "0";
    Record other = example();
    other.algorithm = "other";
    const std::vector<Record> records = {measured, other};
    const report::Optimum best{12, 12, 7, 5};
    const std::string text =
        report::compare_text(records, {.plain = true, .with_seconds = false}, &best);
    EXPECT_NE(text.find("  2.50"), std::string::npos) << text;
    EXPECT_NE(text.find("best possible: 12 steps, 7 exchanges, 5 tokens moved"), std::string::npos);
    EXPECT_EQ(report::compare_text(records).find("best"), std::string::npos);
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

}  // namespace
