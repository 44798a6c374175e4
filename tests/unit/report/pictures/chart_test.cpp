#include "equipoise/report/pictures/chart.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/chart_axis.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

Chart one_curve() {
    Chart chart;
    chart.title = "A curve";
    chart.panels.push_back({{"steps"}, {"tokens"}, {{"first", 0, {{0, 1000}, {100, 10}}}}, {}, {}});
    return chart;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(ChartAxis, ALogarithmicOneGivesEveryDecadeTheSameRoomAndZeroAPlace) {
    const PlacedAxis axis({"", Scale::logarithmic}, 0, 100, 0, 250);
    EXPECT_DOUBLE_EQ(axis.at(0), 0);
    EXPECT_DOUBLE_EQ(axis.at(1), 50);
    EXPECT_DOUBLE_EQ(axis.at(10), 150);
    EXPECT_DOUBLE_EQ(axis.at(100), 250);
}

TEST(ChartAxis, SmallUnitsGiveSmallValuesDecades) {
    const PlacedAxis axis({"", Scale::logarithmic, 0.001}, 0, 1, 0, 350);
    EXPECT_DOUBLE_EQ(axis.at(0.01), 150);
    EXPECT_EQ(axis.ticks(50).at(1).name, "0.001");
}

TEST(ChartAxis, TicksHaveRoom) {
    for (const double most : {3.0, 70.0, 4096.0, 1e9, 1e15}) {
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            const PlacedAxis axis({"", scale}, 0, most, 0, 600);
            double last = -60;
            for (const Tick& tick : axis.ticks(60)) {
                EXPECT_LE(axis.at(tick.value), 600.001);
                if (tick.name.empty()) continue;
                EXPECT_GE(axis.at(tick.value) - last, 59.9) << most << ' ' << tick.name;
                last = axis.at(tick.value);
            }
        }
    }
}

TEST(ChartAxis, ALinearOneShowsNegativeValues) {
    const PlacedAxis axis({"", Scale::linear}, -10, 10, 0, 200);
    EXPECT_DOUBLE_EQ(axis.at(0), 100);
    EXPECT_EQ(axis.ticks(50).front().name, "−10");
}

TEST(ChartAxis, OneOfWholeNumbersHasTicksAtThemAlone) {
    const PlacedAxis axis({"", Scale::linear, 1, true}, 0, 2, 0, 600);
    ASSERT_EQ(axis.ticks(50).size(), 3U);
    EXPECT_EQ(axis.ticks(50)[1].name, "1");
}

TEST(ChartAxis, ALinearOneOfZerosAloneGoesToOne) {
    const PlacedAxis axis({"", Scale::linear}, 0, 0, 0, 100);
    EXPECT_EQ(axis.ticks(50).back().name, "1");
}

TEST(Chart, LongTitlesAndNamesAreNotCutAtTheEdge) {
    Chart chart = one_curve();
    chart.title = std::string(300, 'm') + " and " + std::string(100, 'i');
    chart.panels[0].series[0].name = std::string(300, 'm');
    const std::string svg = chart_svg(chart);
    EXPECT_FALSE(holds(svg, std::string(60, 'm') + "</text>"));
    EXPECT_EQ(count_of(svg, "m…m"), 2U);
    EXPECT_TRUE(holds(svg, "<title>" + chart.title + "</title>"));
}

TEST(Chart, DrawsCurvesWithTheirKeys) {
    Chart chart = one_curve();
    chart.panels[0].series.push_back({"second", 1, {{0, 5}, {10, 1}}, false});
    const std::string svg = chart_svg(chart);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    EXPECT_EQ(count_of(svg, "<polyline"), 1U);  // points alone are not joined
    EXPECT_EQ(count_of(svg, ">first<"), 1U);
    EXPECT_EQ(count_of(svg, ">second<"), 1U);
    EXPECT_TRUE(holds(svg, look::colours[0].data()) && holds(svg, look::colours[1].data()));
    EXPECT_FALSE(holds(svg, "stroke-dasharray"));
}

TEST(Chart, NamesWhatDashedAndDottedLinesAre) {
    Chart chart = one_curve();
    chart.panels[0].limits = {{LimitKind::promise, false, 20, "≤ 20", "", {0}},
                              {LimitKind::best, true, 50, "50 steps", "", {}}};
    const std::string svg = chart_svg(chart);
    EXPECT_TRUE(holds(svg, ">promised by a theorem<"));
    EXPECT_TRUE(holds(svg, ">best possible<"));
    EXPECT_TRUE(holds(svg, ">≤ 20<"));
    EXPECT_TRUE(holds(svg, ">50 steps<"));
}

TEST(Chart, SaysInWordsWhatLiesFarBeyondItsAxes) {
    Chart chart = one_curve();
    chart.panels[0].limits = {{LimitKind::promise, true, 1e6, "≤ 1,000,000", "far beyond", {0}}};
    const std::string svg = chart_svg(chart);
    EXPECT_TRUE(holds(svg, ">far beyond<"));
    EXPECT_FALSE(holds(svg, "stroke-dasharray"));
}

TEST(Chart, LimitsAtOneValueAreOneLineWithTheMarkersOfAll) {
    Chart chart = one_curve();
    chart.panels[0].limits = {{LimitKind::promise, false, 20, "≤ 20", "", {0}},
                              {LimitKind::promise, false, 20, "≤ 20", "", {1}}};
    EXPECT_EQ(count_of(chart_svg(chart), ">≤ 20<"), 1U);
}

/// A text that is not turned, as wide as it can be.
struct Words {
    double begin = 0;
    double end = 0;
    double y = 0;
    std::string words;
};

/// What stands between two marks, from `at` on, which then is behind it.
std::string between(const std::string& svg, std::size_t& at, const std::string& open,
                    const std::string& close) {
    const std::size_t begin = svg.find(open, at) + open.size();
    at = svg.find(close, begin);
    return svg.substr(begin, at - begin);
}

std::vector<Words> words_of(const std::string& svg) {
    std::vector<Words> all;
    for (std::size_t at = svg.find("<text x="); at != std::string::npos;
         at = svg.find("<text x=", at)) {
        const double x = std::stod(between(svg, at, "x=\"", "\""));
        const double y = std::stod(between(svg, at, "y=\"", "\""));
        const std::string anchor = between(svg, at, "anchor=\"", "\"");
        const std::string words = between(svg, at, ">", "<");
        const double width = look::text_width(words, look::text_size);
        const double begin = anchor == "start" ? x : anchor == "end" ? x - width : x - width / 2;
        all.push_back({begin, begin + width, y, words});
    }
    return all;
}

TEST(Chart, CutsAndCoversNoText) {
    Chart chart = one_curve();
    chart.title =
        "A title that is so long that it does not stand on a line of its own, since it "
        "tells of a network, its nodes and its links, and of all its tokens";
    for (std::size_t k = 0; k < 12; ++k) {
        const auto value = static_cast<double>(100 + k);
        chart.panels[0].series.push_back(
            {"an algorithm with a long name " + std::to_string(k), k, {{0, 900}, {100, value}}});
        chart.panels[0].limits.push_back({LimitKind::promise,
                                          false,
                                          value,
                                          "≤ " + std::to_string(k) + " of 1,000,000,000",
                                          "",
                                          {k}});
        chart.panels[0].limits.push_back(
            {LimitKind::promise, true, value, "≤ " + std::to_string(k) + " steps", "", {k}});
    }
    const std::string svg = chart_svg(chart);
    const std::vector<Words> all = words_of(svg);
    EXPECT_GT(all.size(), 40U);
    for (const Words& one : all) {
        EXPECT_GE(one.begin, 0) << one.words;
        EXPECT_LE(one.end, look::width) << one.words;
        for (const Words& other : all) {
            if (&one == &other) continue;
            EXPECT_TRUE(std::abs(other.y - one.y) > 12 || other.end <= one.begin ||
                        one.end <= other.begin)
                << other.words << " and " << one.words;
        }
    }
}

TEST(Chart, DrawsBands) {
    Chart chart = one_curve();
    chart.panels[0].bands.push_back({0, {{0, 500}, {100, 5}}, {{0, 2000}, {100, 50}}});
    EXPECT_EQ(count_of(chart_svg(chart), "fill-opacity"), 1U);
}

TEST(Chart, RefusesWhatHasNoPlace) {
    Chart chart = one_curve();
    chart.panels[0].series[0].points[0].y = -1;
    EXPECT_THROW(static_cast<void>(chart_svg(chart)), InputError);
    chart.panels[0].series[0].points[0].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(chart_svg(chart)), InputError);
}

}  // namespace
}  // namespace equipoise::report
