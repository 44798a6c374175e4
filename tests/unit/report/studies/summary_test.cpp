#include "equipoise/report/studies/summary.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/runs/sweep_rows.hpp"
#include "equipoise/report/studies/columns.hpp"

namespace equipoise::report {
namespace {

using Texts = std::vector<std::string>;

/// Two algorithms on one network with three seeds; one run was cut short.
constexpr const char* two_algorithms =
    "network,loads,seed,algorithm,parameters,steps,stopped_because,left_out_because\n"
    "path:n=4,staircase,1,threshold-2,,10,quiet,\n"
    "path:n=4,staircase,1,diffusion,,4,quiet,\n"
    "path:n=4,staircase,2,threshold-2,,12,quiet,\n"
    "path:n=4,staircase,2,diffusion,,5,quiet,\n"
    "path:n=4,staircase,3,threshold-2,,14,quiet,\n"
    "path:n=4,staircase,3,diffusion,,1000,max-steps,\n";

std::string error_of(const std::string& text, const SummaryOptions& options = {}) {
    try {
        static_cast<void>(summarise(parse_study(text, "s.csv"), options));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Summary, CellsAreWhatTheColumnsThatNameARunSay) {
    const Summary summary = summarise(parse_study(two_algorithms, "s.csv"));
    EXPECT_EQ(summary.by, (Texts{"network", "loads", "algorithm", "parameters"}));
    EXPECT_EQ(summary.of, Texts{"steps"});
    ASSERT_EQ(summary.cells.size(), 2U);
    EXPECT_EQ(summary.cells[0].names, (Texts{"path:n=4", "staircase", "threshold-2", ""}));
    EXPECT_EQ(summary.cells[0].quantities.at(0).sample->mean, 12);
}

TEST(Summary, RunsThatWereCutShortAreCountedNotAveraged) {
    const Summary summary = summarise(parse_study(two_algorithms, "s.csv"));
    EXPECT_EQ(summary.cells[1].cut_short, 1U);
    EXPECT_EQ(summary.cells[1].rows, (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(summary.cells[1].quantities.at(0).sample->largest, 5);
}

TEST(Summary, DifferencesPairRunsOfTheSameSeed) {
    SummaryOptions options;
    options.against = "diffusion";
    const Summary summary = summarise(parse_study(two_algorithms, "s.csv"), options);
    const auto& difference = summary.cells[0].quantities.at(0).difference;
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->n, 2U);
    EXPECT_EQ(difference->mean, 6.5);
    EXPECT_FALSE(summary.cells[1].quantities.at(0).difference);
}

TEST(Summary, RowsOfGivenRulesArePairedWithThoseOfTheCatalogue) {
    const Study study = parse_study(
        "network,loads,seed,algorithm,parameters,given_rule,k,steps,left_out_because\n"
        "path:n=4,staircase,1,threshold-2,,false,3,10,\n"
        "path:n=4,staircase,1,mine,,true,3,4,\n"
        "path:n=4,staircase,2,threshold-2,,false,3,12,\n"
        "path:n=4,staircase,2,mine,,true,3,5,\n",
        "s.csv");
    SummaryOptions options;
    options.against = "threshold-2";
    const Summary summary = summarise(study, options);
    EXPECT_EQ(summary.by, (Texts{"network", "loads", "algorithm", "parameters", "k"}));
    ASSERT_EQ(summary.cells.size(), 2U);
    EXPECT_EQ(summary.cells[1].quantities.at(0).difference->mean, -6.5);
    options.against.clear();
    options.by = {"given_rule"};
    EXPECT_EQ(summarise(study, options).cells.size(), 2U);
}

TEST(Summary, AnAxisWithTheNameOfAResultIsAnAxis) {
    const Study study = parse_study(
        "network,loads,seed,ports,tokens,steps,left_out_because\n"
        "path:n=4,staircase,1,1,10,7,\npath:n=4,staircase,1,2,10,4,\n"
        "path:n=4,staircase,2,1,12,8,\npath:n=4,staircase,2,2,12,5,\n",
        "s.csv");
    const Summary summary = summarise(study);
    EXPECT_EQ(summary.by, (Texts{"network", "loads", "ports"}));
    EXPECT_EQ(summary.of, (Texts{"tokens", "steps"}));
}

TEST(Summary, OfAnyOtherFileTextsAndAxesAreNames) {
    const Study study = parse_study(
        "method,n,seed,time\na,10,1,0.5\na,20,1,0.7\na,10,2,0.6\na,20,2,0.9\n", "s.csv");
    const Summary summary = summarise(study);
    EXPECT_EQ(summary.by, (Texts{"method", "n"}));
    EXPECT_EQ(summary.of, Texts{"time"});
}

TEST(Summary, ColumnsThatWereAddedToTheFileOfASweepAreResultsIfTheyAreNumbers) {
    const Study study = parse_study(
        "network,loads,seed,side,steps,left_out_because,ratio,lab\n"
        "torus:4x4,staircase,1,4,7,,0.5,x\ntorus:4x4,staircase,2,4,8,,0.25,x\n",
        "s.csv");
    const Summary summary = summarise(study);
    EXPECT_EQ(summary.by, (Texts{"network", "loads", "side", "lab"}));
    EXPECT_EQ(summary.of, (Texts{"steps", "ratio"}));
}

TEST(Summary, TheUsualFiguresOfRunsAreResults) {
    std::string header = sweep_header();
    header.pop_back();
    const Study study = parse_study(header + "\n", "s.csv");
    const StudyColumns columns = columns_of(study);
    Texts names;
    for (const std::size_t at : columns.names)
        names.push_back(study.columns[at]);
    EXPECT_EQ(names, (Texts{"network", "loads", "algorithm", "parameters"}));
    EXPECT_EQ(names.size() + columns.results.size() + 3, study.columns.size());
}

TEST(Summary, MeasurementsThatTellTheSameRunsApartAreNoNames) {
    // Two copies of a study, whose seconds differ.
    const std::string one = "path:n=4,staircase,1,7,0.25,\npath:n=4,staircase,2,8,0.5,\n";
    const std::string other = "path:n=4,staircase,1,7,0.75,\npath:n=4,staircase,2,8,0.125,\n";
    EXPECT_EQ(
        error_of("network,loads,seed,steps,seconds,left_out_because\n" + one + other),
        "s.csv: rows 1 and 3 have the same names and the same seed: expected each run once, or "
        "the columns that name a cell (by)");
    SummaryOptions options;
    options.by = {"network"};
    EXPECT_EQ(
        error_of("network,loads,seed,steps,seconds,left_out_because\n" + one + other, options), "");
}

TEST(Summary, ColumnsThatAreAskedForNameNoCells) {
    SummaryOptions options;
    options.of = {"odd_time"};
    options.against = "B";
    const Summary summary = summarise(
        parse_study("network,seed,algorithm,given_rule,odd_time,left_out_because\n"
                    "x,1,A,true,1e20,\nx,2,A,true,3e20,\nx,1,B,false,12,\nx,2,B,false,13,\n",
                    "s.csv"),
        options);
    ASSERT_EQ(summary.by, (Texts{"network", "algorithm"}));
    ASSERT_EQ(summary.cells.size(), 2U);
    EXPECT_EQ(summary.cells[0].quantities.at(0).difference->n, 2U);
    EXPECT_NE(summary_latex(summary).find("A & {\\num{2e+20} \\(\\pm\\) \\num{1.27062e+21}}"),
              std::string::npos);
}

TEST(Summary, ACellOfOneRunHasNoInterval) {
    const Summary summary = summarise(parse_study(
        "network,loads,seed,steps,left_out_because\npath:n=4,staircase,1,7,\n", "s.csv"));
    const auto& sample = summary.cells.at(0).quantities.at(0).sample;
    EXPECT_EQ(sample->mean, 7);
    EXPECT_FALSE(sample->interval);
    EXPECT_NE(summary_text(summary).find("1 cell of 1 run"), std::string::npos);
    EXPECT_NE(summary_markdown(summary).find("| path:n=4 | 7 |"), std::string::npos);
    EXPECT_NE(summary_csv(summary).find(",steps,1,0,0,7,student,0.95,,,,7,7,7,7,7\n"),
              std::string::npos);
}

TEST(Summary, AnAlgorithmIsComparedWithItselfUnderOtherParameters) {
    const std::string study =
        "network,seed,algorithm,parameters,steps,left_out_because\n"
        "path:n=4,1,chebyshev,degree=2,9,\npath:n=4,1,chebyshev,degree=3,7,\n"
        "path:n=4,2,chebyshev,degree=2,11,\npath:n=4,2,chebyshev,degree=3,6,\n";
    SummaryOptions options;
    options.against = "chebyshev";
    EXPECT_EQ(
        error_of(study, options),
        "s.csv: rows 1 and 2 are both runs of \"chebyshev\" from the same start: expected one, "
        "as \"chebyshev degree=3\" names with its parameters");
    options.against = "chebyshev degree=3";
    const Summary summary = summarise(parse_study(study, "s.csv"), options);
    EXPECT_EQ(summary.cells.at(0).quantities.at(0).difference->mean, 3.5);
    EXPECT_FALSE(summary.cells.at(1).quantities.at(0).difference);
}

TEST(Summary, PairsAreOfWholeRunsOnly) {
    SummaryOptions options;
    options.against = "threshold-2";
    const Summary summary = summarise(parse_study(two_algorithms, "s.csv"), options);
    EXPECT_EQ(summary.cells[1].quantities.at(0).difference->n, 2U);
    EXPECT_EQ(summary.cells[1].quantities.at(0).difference->mean, -6.5);
}

TEST(Summary, ARunInAChangingWorldEndsWithItsSteps) {
    const Study study = parse_study(
        "seed,steps,reached,stopped_because\n1,9,true,max-steps\n2,9,false,max-steps\n"
        "3,9,false,interrupted\n4,9,false,quiet\n",
        "s.csv");
    EXPECT_EQ(state_of(study, 0), RowState::whole);
    EXPECT_EQ(state_of(study, 1), RowState::cut_short);
    EXPECT_EQ(state_of(study, 2), RowState::cut_short);
    EXPECT_EQ(state_of(study, 3), RowState::whole);
}

TEST(Summary, TextsForLatexAndMarkdownAreEscaped) {
    const Summary summary = summarise(parse_study(
        "network,seed,odd_time\na_b&c%$#{}~^\\|*,1,-0.0123\na_b&c%$#{}~^\\|*,2,0.0163\n", "s.csv"));
    EXPECT_NE(
        summary_latex(summary).find(
            R"(a\_b\&c\%\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}\textbar{}*)"),
        std::string::npos);
    EXPECT_NE(summary_markdown(summary).find(R"(a\_b&c%$#{}~^\\\|\*)"), std::string::npos);
}

TEST(Summary, NumbersHaveTheDigitsThatTheirIntervalsSupport) {
    const auto entry = [](const std::string& numbers) {
        std::string text = "network,seed,time\n";
        int seed = 0;
        for (std::size_t at = 0; at < numbers.size(); at = numbers.find(' ', at) + 1) {
            text += "x," + std::to_string(++seed) + ',' +
                    numbers.substr(at, numbers.find(' ', at) - at) + '\n';
            if (numbers.find(' ', at) == std::string::npos) break;
        }
        const std::string table = summary_markdown(summarise(parse_study(text, "s.csv")));
        const std::size_t begin = table.find("| x | ") + 6;
        return table.substr(begin, table.find(" |", begin) - begin);
    };
    EXPECT_EQ(entry("1 2 3"), "2.0 ± 2.5");
    EXPECT_EQ(entry("33.1 33.2 33.7"), "33.33 ± 0.80");
    EXPECT_EQ(entry("-0.0001 0.0001"), "0.0000 ± 0.0013");
    EXPECT_EQ(entry("1000000 1000000 1000000"), "1,000,000 ± 0");
    EXPECT_EQ(entry("123456 234567"), "179,012 ± 705,900");
    EXPECT_EQ(entry("33.333333333333336"), "33.3333");
    EXPECT_EQ(entry("1e-20 3e-20 2.5e-20"), "2.2e-20 ± 2.6e-20");
    EXPECT_EQ(entry("-1e-20 1e-20"), "0 ± 1.3e-19");
    EXPECT_EQ(entry("1e-300 1e-300"), "1e-300 ± 0");
    EXPECT_EQ(entry("1e20 3e20"), "2e+20 ± 1.27062e+21");
}

TEST(Summary, NumbersTooLargeForTheirSpreadAreRefused) {
    EXPECT_EQ(error_of("network,seed,time\nx,1,1.7e308\nx,2,-1.7e308\n"),
              "s.csv: time: expected numbers whose differences, deviation and interval are finite, "
              "found -1.7e+308 and 1.7e+308");
    SummaryOptions options;
    options.of = {"time"};
    options.against = "B";
    EXPECT_EQ(error_of("algorithm,seed,time\nA,1,1.7e308\nB,1,-1.7e308\n", options),
              "s.csv: time: expected numbers whose differences, deviation and interval are finite, "
              "found 1.7e+308 and -1.7e+308");
    // Ends of an interval whose width is no double.
    const Summary summary =
        summarise(parse_study("network,seed,time\nx,1,1e307\nx,2,-1e307\n", "s.csv"));
    EXPECT_NE(summary_markdown(summary).find("0 ± 1.27062e+308 |"), std::string::npos);
    for (const std::string& text : {summary_text(summary), summary_csv(summary),
                                    summary_json(summary), summary_latex(summary)}) {
        EXPECT_EQ(text.find("inf"), std::string::npos);
        EXPECT_EQ(text.find("null"), std::string::npos);
    }
}

TEST(Summary, SmallNumbersHaveExponentsInAllTexts) {
    const Summary summary =
        summarise(parse_study("network,seed,time\nx,1,1e-20\nx,2,3e-20\nx,3,2.5e-20\n", "s.csv"));
    EXPECT_NE(summary_latex(summary).find("{\\num{2.2e-20} \\(\\pm\\) \\num{2.6e-20}}"),
              std::string::npos);
    const std::string text = summary_text(summary);
    for (const char* const shown : {"2.2e-20", "2.6e-20", "1.04e-20"})
        EXPECT_NE(text.find(shown), std::string::npos) << text;
    SummaryOptions options;
    options.interval.kind = statistics::IntervalKind::bootstrap;
    const std::string ends = summary_latex(
        summarise(parse_study("network,seed,time\nx,1,1e-20\nx,2,3e-20\n", "s.csv"), options));
    EXPECT_NE(ends.find("{\\num{2.0e-20}} & {\\num{1.0e-20}} & {\\num{3.0e-20}}"),
              std::string::npos)
        << ends;
}

TEST(Summary, AQuantityWithoutAValueHasNoNumbers) {
    SummaryOptions options;
    options.of = {"time"};
    const Summary summary =
        summarise(parse_study("network,seed,time\nx,1,\nx,2,\ny,1,3\ny,2,4\n", "s.csv"), options);
    const std::string json = summary_json(summary);
    const std::size_t first = json.find("\"quantity\"");
    ASSERT_NE(first, std::string::npos);
    const std::string object = json.substr(first, json.find('}', first) - first);
    EXPECT_NE(object.find("\"n\": 0"), std::string::npos) << object;
    EXPECT_EQ(object.find("mean"), std::string::npos) << object;
    EXPECT_NE(json.find("\"n\": 2"), std::string::npos) << json;
}

TEST(Summary, QuantilesAscendAndStandOnce) {
    SummaryOptions options;
    options.fractions = {0.9, 0.1};
    const Summary summary =
        summarise(parse_study("network,seed,time\nx,1,0\nx,2,10\n", "s.csv"), options);
    EXPECT_EQ(summary.options.fractions, (std::vector<double>{0.1, 0.9}));
    EXPECT_EQ(summary.cells.at(0).quantities.at(0).sample->quantiles, (std::vector<double>{1, 9}));
    EXPECT_NE(summary_csv(summary).find(",median,quantile_0.1,quantile_0.9,largest\n"),
              std::string::npos);
    options.fractions = {0.1, 0.5, 0.1};
    EXPECT_EQ(error_of("network,seed,time\nx,1,0\n", options),
              "quantiles: expected each fraction once, found 0.1 twice");
}

TEST(Summary, IsNotWrittenOverItsStudy) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "summary_over_study";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string path = (folder / "study.csv").string();
    std::ofstream(path) << "network,seed,time\nx,1,0\nx,2,10\n";
    fs::create_hard_link(path, folder / "hard.csv");
    fs::create_symlink(path, folder / "soft.csv");
    const Summary summary = summarise(read_study(path));
    for (const char* const name : {"study.csv", "hard.csv", "soft.csv"})
        EXPECT_THROW(write_summary(summary, (folder / name).string()), InputError) << name;
    EXPECT_EQ(read_study(path).rows.size(), 2U);
    write_summary(summary, (folder / "other.csv").string());
    EXPECT_EQ(read_study((folder / "other.csv").string()).rows.size(), 1U);
    fs::remove_all(folder);
}

TEST(Summary, TheSameRunTwiceIsAnError) {
    const std::string text = two_algorithms;
    const std::string last = text.substr(text.rfind("path"));
    EXPECT_EQ(
        error_of(text + last),
        "s.csv: rows 6 and 7 have the same names and the same seed: expected each run once, or "
        "the columns that name a cell (by)");
}

TEST(Summary, WhatCannotBeSummarisedIsSaid) {
    EXPECT_EQ(error_of("method,time\na,1\n"),
              "s.csv: expected a column \"seed\", or the columns that name a cell (by)");
    SummaryOptions options;
    options.of = {"step"};
    EXPECT_EQ(error_of(two_algorithms, options),
              "s.csv: expected a column \"step\": did you mean \"steps\"?");
    options.of = {"network"};
    EXPECT_EQ(error_of(two_algorithms, options),
              "s.csv: row 1, network: expected a number, found \"path:n=4\"");
    options.of = {};
    options.against = "difusion";
    EXPECT_EQ(error_of(two_algorithms, options),
              "s.csv: expected an algorithm with rows, found \"difusion\": did you mean "
              "\"diffusion\"?");
}

}  // namespace
}  // namespace equipoise::report
