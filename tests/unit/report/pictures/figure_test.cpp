#include "equipoise/report/pictures/figure.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

const char* const header =
    "network,loads,seed,algorithm,parameters,nodes,steps,guaranteed_steps,stopped_because,"
    "left_out_because\n";

Study study_of(const std::string& rows) {
    return parse_study(header + rows, "study.csv");
}

Study small_study() {
    return study_of(
        "torus,a,1,quick,,16,10,100,quiet,\n"
        "torus,a,2,quick,,16,14,120,quiet,\n"
        "torus,a,3,quick,,16,999,120,max-steps,\n"
        "torus,a,1,slow,,16,40,,quiet,\n"
        "torus,a,2,slow,,16,,,,it cannot\n"
        "path,a,1,quick,,64,100,400,quiet,\n"
        "path,a,2,quick,,64,300,400,quiet,\n");
}

FigureOptions steps_over_nodes() {
    FigureOptions options;
    options.x = "nodes";
    options.y = "steps";
    return options;
}

TEST(Figure, DrawsMeansOfWholeRunsAndCountsTheOthers) {
    const Figure figure = figure_of(small_study(), steps_over_nodes());
    ASSERT_EQ(figure.panels.size(), 1U);
    EXPECT_EQ(figure.curves, (std::vector<std::string>{"quick", "slow"}));
    const std::vector<FigureMark>& quick = figure.panels[0].curves.at(0).marks;
    ASSERT_EQ(quick.size(), 2U);
    EXPECT_EQ(quick[0].at, 16);
    EXPECT_EQ(quick[0].runs, 2U);
    EXPECT_EQ(quick[0].cut_short, 1U);
    EXPECT_EQ(quick[0].centre, 12);
    EXPECT_LT(*quick[0].low, 0);  // Student's interval of two numbers is wide
    EXPECT_EQ(quick[0].promised, 120);
    EXPECT_EQ(quick[1].centre, 200);
    EXPECT_FALSE(figure.panels[0].curves.at(1).marks.at(0).low);  // one run has no interval
    EXPECT_EQ(figure.cut_short, 1U);
    EXPECT_EQ(figure.left_out, 1U);
    const Chart chart = figure_chart(small_study(), steps_over_nodes());
    EXPECT_EQ(chart.notes,
              std::vector<std::string>{"Not drawn: 1 run cut short and 1 run left out. "
                                       "Open markers lack runs that were cut short."});
    EXPECT_EQ(chart.panels.at(0).series.at(0).open_at, std::vector<double>{16});
    EXPECT_NO_THROW(static_cast<void>(chart_svg(chart)));
}

TEST(Figure, BandsMayShowQuantilesOrExtremesAroundTheMedian) {
    FigureOptions options = steps_over_nodes();
    options.spread = Spread::extremes;
    const FigureMark mark = figure_of(small_study(), options).panels[0].curves[0].marks[1];
    EXPECT_EQ(mark.centre, 200);
    EXPECT_EQ(mark.low, 100);
    EXPECT_EQ(mark.high, 300);
    options.spread = Spread::quantiles;
    EXPECT_EQ(figure_of(small_study(), options).panels[0].curves[0].marks[1].low, 150);
    options.spread = Spread::none;
    EXPECT_FALSE(figure_of(small_study(), options).panels[0].curves[0].marks[1].low);
    EXPECT_TRUE(figure_chart(small_study(), options).panels[0].bands.empty());
}

TEST(Figure, TextsAreCategoriesInTheirOrder) {
    FigureOptions options = steps_over_nodes();
    options.x = "network";
    options.marks = Marks::boxes;
    const Figure figure = figure_of(small_study(), options);
    EXPECT_EQ(figure.categories, (std::vector<std::string>{"torus", "path"}));
    const Chart chart = figure_chart(figure, options);
    ASSERT_EQ(chart.panels[0].series.at(0).boxes.size(), 2U);
    EXPECT_EQ(chart.panels[0].series[0].boxes[1].x, 1);
    EXPECT_EQ(chart.panels[0].series[0].boxes[1].largest, 300);
    EXPECT_NO_THROW(static_cast<void>(chart_svg(chart)));
}

TEST(Figure, EachTextOfAFacetHasAPanel) {
    FigureOptions options = steps_over_nodes();
    options.facet = "network";
    const Chart chart = figure_chart(small_study(), options);
    ASSERT_EQ(chart.panels.size(), 2U);
    EXPECT_TRUE(chart.shared_axes);
    EXPECT_EQ(chart.panels[1].title, "path");
    options.facet = "nodes";
    EXPECT_EQ(figure_of(small_study(), options).panels[0].name, "nodes = 16");
}

TEST(Figure, ParametersTellCurvesOfOneAlgorithmApart) {
    const Figure figure = figure_of(study_of("torus,a,1,quick,k=1,16,10,,quiet,\n"
                                             "torus,a,1,quick,k=2,16,10,,quiet,\n"),
                                    steps_over_nodes());
    EXPECT_EQ(figure.curves, (std::vector<std::string>{"quick k=1", "quick k=2"}));
}

TEST(Figure, SaysWhichRunsItTakesTogether) {
    FigureOptions options = steps_over_nodes();
    const Study study = study_of(
        "torus,a,1,quick,,16,10,,quiet,\n"
        "path,a,1,quick,,16,20,,quiet,\n");
    EXPECT_EQ(figure_of(study, options).averaged_over, std::vector<std::string>{"network"});
    options.facet = "network";
    EXPECT_TRUE(figure_of(study, options).averaged_over.empty());
}

TEST(Figure, ItsNumbersAreATable) {
    FigureOptions options = steps_over_nodes();
    options.spread = Spread::extremes;
    EXPECT_EQ(figure_csv(small_study(), options),
              "algorithm,nodes,runs,cut_short,left_out,steps_median,steps_low,steps_high,"
              "steps_promised\n"
              "quick,16,2,1,0,12,10,14,120\n"
              "quick,64,2,0,0,200,100,300,400\n"
              "slow,16,1,0,1,40,40,40,\n");
    options.marks = Marks::boxes;
    options.facet = "network";
    EXPECT_TRUE(figure_csv(small_study(), options)
                    .starts_with("network,algorithm,nodes,runs,cut_short,left_out,steps_median,"
                                 "steps_low,steps_high,steps_least,steps_largest,steps_promised\n"
                                 "torus,quick,16,2,1,0,12,11,13,10,14,120\n"));
}

TEST(Figure, AMarkWhoseBandHasNoWidthHasAnErrorBar) {
    FigureOptions options = steps_over_nodes();
    options.spread = Spread::extremes;
    const auto panel_of = [&](const std::string& rows) {
        return figure_chart(study_of(rows), options).panels.at(0);
    };
    const std::string first = "torus,a,1,quick,,16,10,,quiet,\ntorus,a,2,quick,,16,14,,quiet,\n";
    const ChartPanel alone = panel_of(first);
    EXPECT_TRUE(alone.bands.empty());
    ASSERT_EQ(alone.series.at(0).bars.size(), 1U);
    EXPECT_EQ(alone.series[0].bars[0].x, 16);
    EXPECT_EQ(alone.series[0].bars[0].low, 10);
    EXPECT_EQ(alone.series[0].bars[0].high, 14);
    const ChartPanel two = panel_of(first + "torus,a,1,quick,,64,30,,quiet,\n");
    EXPECT_EQ(two.bands.size(), 1U);
    EXPECT_TRUE(two.series.at(0).bars.empty());
}

TEST(Figure, BoxesAndBandsEndAtTwoQuantiles) {
    FigureOptions options = steps_over_nodes();
    const std::vector<std::vector<double>> wrong = {{0.9, 0.1}, {0.5}, {0.1, 0.5, 0.9}};
    for (const std::vector<double>& fractions : wrong) {
        options.summary.fractions = fractions;
        options.marks = Marks::curves;
        options.spread = Spread::mean;
        EXPECT_NO_THROW(static_cast<void>(figure_of(small_study(), options)));
        options.spread = Spread::quantiles;
        EXPECT_THROW(static_cast<void>(figure_of(small_study(), options)), InputError);
        options.marks = Marks::boxes;
        EXPECT_THROW(static_cast<void>(figure_of(small_study(), options)), InputError);
    }
    options.summary.fractions = {0.5, 0.5};
    EXPECT_THROW(static_cast<void>(figure_of(small_study(), options)), InputError);
}

TEST(Figure, RefusesWhatCannotBeDrawn) {
    FigureOptions options = steps_over_nodes();
    options.y = "stepz";
    EXPECT_THROW(static_cast<void>(figure_of(small_study(), options)), InputError);
    options.y = "network";
    EXPECT_THROW(static_cast<void>(figure_of(small_study(), options)), InputError);
    EXPECT_THROW(static_cast<void>(figure_of(study_of("torus,a,1,quick,,16,10,,max-steps,\n"),
                                             steps_over_nodes())),
                 InputError);
}

}  // namespace
}  // namespace equipoise::report
