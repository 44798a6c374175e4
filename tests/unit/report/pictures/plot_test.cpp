#include "equipoise/report/pictures/plot.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

model::Record record_of(const std::string& algorithm, Tokens begin, Tokens end) {
    model::Record record;
    record.algorithm = algorithm;
    record.labels.origin = "net/a<b.gml";
    record.node_count = 2;
    record.initial_loads = {begin, 0};
    record.initial_discrepancy = begin;
    record.final_discrepancy = end;
    record.costs.steps = 100;
    record.reached = true;
    record.samples = {{0, begin, "0", {}}, {10, end + 1, "0", {}}, {100, end, "0", {}}};
    return record;
}

std::string plot_of(const model::Record& record) {
    return plot_svg(std::vector<model::Record>{record});
}

TEST(Plot, DrawsACurveForEveryRun) {
    const std::vector<model::Record> records = {record_of("threshold-2", 1000, 10),
                                                record_of("diffusion", 1000, 0)};
    const std::string svg = plot_svg(records);
    EXPECT_EQ(count_of(svg, "<polyline"), 2U);
    EXPECT_EQ(count_of(svg, ">threshold-2<"), 1U);
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 0U);
}

TEST(Plot, CurvesAreWhatTheSamplesSay) {
    const Chart chart = plot_chart(std::vector<model::Record>{record_of("a", 1000, 7)});
    const std::vector<svg::Point>& points = chart.panels.at(0).series.at(0).points;
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[1].x, 10);
    EXPECT_EQ(points[1].y, 8);
    EXPECT_EQ(points[2].x, 100);
    EXPECT_EQ(points[2].y, 7);
}

TEST(Plot, GivesEveryModelAPanelWithStepsOfItsOwn) {
    std::vector<model::Record> records = {record_of("a", 1000, 10), record_of("b", 1000, 10),
                                          record_of("c", 1000, 10)};
    records[0].model = records[2].model = "single-port";
    records[1].model = "asynchronous";
    const Chart chart = plot_chart(records);
    ASSERT_EQ(chart.panels.size(), 2U);
    EXPECT_EQ(chart.panels[0].x.title, "steps (single-port)");
    EXPECT_EQ(chart.panels[0].series.size(), 2U);
    EXPECT_EQ(chart.panels[1].x.title, "steps (asynchronous)");
}

TEST(Plot, DrawsPromisesAndTheBestPossible) {
    model::Record record = record_of("a", 1000, 10);
    record.guarantee = {20, 200, "a theorem"};
    record.optimum = model::BestCosts{500, 40};
    record.reached = false;
    const Chart chart = plot_chart(std::vector<model::Record>{record});
    const std::vector<Limit>& limits = chart.panels.at(0).limits;
    ASSERT_EQ(limits.size(), 3U);
    EXPECT_EQ(limits[0].label, "≤ 20");
    EXPECT_EQ(limits[1].label, "≤ 200 steps");
    EXPECT_EQ(limits[2].label, "40 steps");
    EXPECT_EQ(limits[2].kind, LimitKind::best);
    EXPECT_TRUE(chart.panels[0].series[0].open_end);
}

TEST(Plot, FullRecordsTellEveryStep) {
    model::Record record = record_of("a", 4, 0);
    record.transfers = {{1, 0, 1, 1}, {2, 0, 1, 1}};
    record.final_loads = {2, 2};
    record.costs = {4, 2, 2, 0};
    const auto points_of = [&](const PlotOptions& options) {
        std::vector<std::pair<double, double>> points;
        const Chart chart = plot_chart(std::vector<model::Record>{record}, options);
        for (const svg::Point& point : chart.panels.at(0).series.at(0).points)
            points.emplace_back(point.x, point.y);
        return points;
    };
    using Points = std::vector<std::pair<double, double>>;
    EXPECT_EQ(points_of({}), (Points{{0, 4}, {1, 4}, {2, 2}, {3, 0}, {4, 0}}));
    EXPECT_EQ(points_of({Quantity::moved}), (Points{{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}}));
    EXPECT_EQ(points_of({Quantity::potential}), (Points{{0, 16}, {1, 16}, {2, 4}, {3, 0}, {4, 0}}));
    EXPECT_EQ(points_of({Quantity::discrepancy, Over::rounds}),
              (Points{{0, 4}, {0.5, 4}, {1, 2}, {1.5, 0}, {2, 0}}));
}

TEST(Plot, SampledRecordsDoNotTellWhenTokensMoved) {
    model::Record record = record_of("a", 4, 0);
    record.costs.exchanges = 2;
    EXPECT_THROW(
        static_cast<void>(plot_chart(std::vector<model::Record>{record}, {Quantity::moved})),
        InputError);
}

TEST(Plot, NamesOfRunsTellThemApart) {
    std::vector<model::Record> records = {record_of("a", 4, 0), record_of("a", 4, 0),
                                          record_of("b", 4, 0)};
    records[1].seed = 7;
    const auto name = [&](std::size_t run) {
        return plot_chart(records).panels.at(0).series.at(run).name;
    };
    EXPECT_EQ(name(0), "a seed=0");
    EXPECT_EQ(name(1), "a seed=7");
    EXPECT_EQ(name(2), "b");
    records[1].parameters["beta"] = "2";
    EXPECT_EQ(name(0), "a");
    EXPECT_EQ(name(1), "a beta=2");
}

TEST(Plot, WordsNameQuantitiesAndAxes) {
    EXPECT_EQ(quantity_from_word("local-imbalance"), Quantity::local_imbalance);
    EXPECT_EQ(over_from_word("rounds"), Over::rounds);
    PlotOptions options;
    set_axes(options, "log-y");
    EXPECT_EQ(options.x, Scale::linear);
    EXPECT_EQ(options.y, Scale::logarithmic);
    set_axes(options, "log-x");
    EXPECT_EQ(options.x, Scale::logarithmic);
    EXPECT_EQ(options.y, Scale::linear);
    EXPECT_THROW(set_axes(options, "log"), InputError);
    EXPECT_THROW(static_cast<void>(quantity_from_word("load")), InputError);
}

TEST(Plot, CountsFixedPointRunsInTokens) {
    model::Record record = record_of("a", 256'000, 2560);
    record.load_scale = 256;
    record.samples[1].discrepancy = Tokens{256} * 11;
    EXPECT_EQ(plot_of(record), plot_of(record_of("a", 1000, 10)));
}

TEST(Plot, EscapesWhatComesFromRecords) {
    const std::string svg = plot_of(record_of("a", 1000, 0));
    EXPECT_EQ(svg.find("a<b"), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b.gml"), std::string::npos);
}

TEST(Plot, NeedsRecordsWithSamples) {
    EXPECT_THROW(static_cast<void>(plot_svg({})), InputError);
    model::Record record = record_of("a", 1000, 0);
    record.samples.clear();
    EXPECT_THROW(static_cast<void>(plot_of(record)), InputError);
}

}  // namespace
}  // namespace equipoise::report
