#include "equipoise/report/pictures/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
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
    const double one = axis.at(1);
    EXPECT_GT(one, 0);
    EXPECT_DOUBLE_EQ(axis.at(10), one + (250 - one) / 2);
    EXPECT_DOUBLE_EQ(axis.at(100), 250);
}

TEST(ChartAxis, FromZeroToOneALogarithmicOneIsShort) {
    for (const double most : {2.0, 10.0, 5000.0, 1e9})
        for (const double length : {60.0, 250.0, 800.0}) {
            const PlacedAxis axis({"", Scale::logarithmic}, 0, most, 0, length);
            EXPECT_LE(axis.at(1), length / 10) << most << ' ' << length;
            EXPECT_GT(axis.at(1), axis.at(0.5));
            EXPECT_TRUE(axis.has_zero());
        }
}

TEST(ChartAxis, ALogarithmicOneBeginsBelowItsLeastValueIfNoneIsBelowTheUnit) {
    const PlacedAxis axis({"", Scale::logarithmic}, 30, 4000, 0, 500);
    EXPECT_FALSE(axis.has_zero());
    EXPECT_DOUBLE_EQ(axis.at(20), 0);
    EXPECT_EQ(axis.at(1), 0);  // what is below the axis lies at its beginning
    for (const Tick& tick : axis.ticks(20))
        EXPECT_GE(tick.value, 20);
}

TEST(ChartAxis, ALogarithmicOneHasATickAtEveryPowerOfTenWithOrWithoutAName) {
    for (const double least : {0.0, 1.0, 70.0})
        for (const double room : {10.0, 60.0, 400.0}) {
            const PlacedAxis axis({"", Scale::logarithmic}, least, 1e9, 0, 300);
            const std::vector<Tick> ticks = axis.ticks(room);
            for (double power = least < 10 ? 1 : 100; power <= 1e9; power *= 10)
                EXPECT_TRUE(std::any_of(ticks.begin(), ticks.end(), [&](const Tick& tick) {
                    return !tick.minor && std::abs(tick.value - power) < 1e-6 * power;
                })) << power;
        }
}

TEST(ChartAxis, ALogarithmicOneOfLessThanAPowerOfTenHasNamesToo) {
    for (const auto& [least, most] : {std::pair{21.0, 29.0}, std::pair{12.0, 80.0},
                                      std::pair{10.0, 10.0}, std::pair{310.0, 340.0}}) {
        const PlacedAxis axis({"", Scale::logarithmic}, least, most, 0, 200);
        const std::vector<Tick> ticks = axis.ticks(30);
        EXPECT_GE(std::count_if(ticks.begin(), ticks.end(),
                                [](const Tick& tick) { return !tick.name.empty(); }),
                  2)
            << least << ' ' << most;
    }
}

TEST(ChartAxis, ALinearOneMayLeaveOutZeroWhereThatSavesHalfOfIt) {
    ChartAxis axis{"", Scale::linear};
    axis.from_zero = false;
    EXPECT_GT(PlacedAxis(axis, 1000, 1200, 0, 100).at(1000), -1);
    EXPECT_FALSE(PlacedAxis(axis, 1000, 1200, 0, 100).has_zero());
    EXPECT_TRUE(PlacedAxis(axis, 200, 1200, 0, 100).has_zero());
}

TEST(ChartAxis, CategoriesHavePlacesOfTheSameWidth) {
    ChartAxis axis;
    axis.categories = {"torus", "path", "star"};
    const PlacedAxis placed(axis, 0, 2, 0, 300);
    EXPECT_DOUBLE_EQ(placed.at(0), 50);
    EXPECT_DOUBLE_EQ(placed.at(2), 250);
    ASSERT_EQ(placed.ticks(10).size(), 3U);
    EXPECT_EQ(placed.ticks(10)[1].name, "path");
}

TEST(ChartAxis, SmallUnitsGiveSmallValuesDecades) {
    const PlacedAxis axis({"", Scale::logarithmic, 0.001}, 0, 1, 0, 350);
    const double unit = axis.at(0.001);
    EXPECT_DOUBLE_EQ(axis.at(0.01), unit + (350 - unit) / 3);
    EXPECT_EQ(axis.ticks(30).at(1).name, "0.001");
}

TEST(ChartAxis, TheSmallestAndTheLargestNumbersHaveAFewTicks) {
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    constexpr double largest = std::numeric_limits<double>::max();
    for (const Scale scale : {Scale::linear, Scale::logarithmic})
        for (const auto& [least, most] :
             {std::pair{0.0, smallest}, std::pair{smallest, smallest}, std::pair{1e-310, 1e-305},
              std::pair{0.0, 8e307}, std::pair{8e307, 8e307}, std::pair{1.0, 8e307},
              std::pair{1e17, 1e17 + 16}})
            for (const double unit : {0.0, smallest, 1.0}) {
                ChartAxis axis{"", scale, unit};
                axis.from_zero = false;
                const PlacedAxis placed(axis, least, most, 0, 300);
                EXPECT_LE(placed.ticks(40).size(), 4000U) << least << ' ' << most;
                EXPECT_TRUE(std::isfinite(placed.at(most))) << least << ' ' << most;
            }
    const PlacedAxis all({"", Scale::logarithmic}, largest, largest, 0, 300);
    EXPECT_LE(all.ticks(40).size(), 40U);
}

TEST(Chart, TextsFromFilesStayText) {
    Chart chart = one_curve();
    chart.title = "A\x01 B\xff";
    chart.panels[0].title = "line\nbreak";
    chart.panels[0].series[0].name = "\xed\xa0\x80\xef\xbf\xbf";
    chart.panels[0].x.title = "caf\xc3\xa9\x1b";
    const std::string svg = chart_svg(chart);
    for (const char* const wrong : {"\x01", "\xff", "\xed", "\xef\xbf\xbf", "\x1b"})
        EXPECT_FALSE(holds(svg, wrong));
    for (const char* const right :
         {"A\\u0001 B\\xff", "line break", "\\xed\\xa0\\x80\\uffff", "caf\xc3\xa9\\u001b"})
        EXPECT_TRUE(holds(svg, right)) << right;
}

TEST(Chart, RefusesALinearAxisWithoutAFiniteLength) {
    Chart chart = one_curve();
    chart.panels[0].series[0].points = {{0, -1e308}, {1, 1e308}};
    chart.panels[0].y.scale = Scale::linear;
    EXPECT_THROW(static_cast<void>(chart_svg(chart)), InputError);
    chart.panels[0].series[0].points = {{-1e308, 1}, {1e308, 2}};
    chart.panels[0].x.scale = Scale::linear;
    EXPECT_THROW(static_cast<void>(chart_svg(chart)), InputError);
    chart.panels[0].series[0].points = {{0, -1e306}, {1, 1e306}};
    const std::string svg = chart_svg(chart);
    EXPECT_FALSE(holds(svg, "nan"));
    EXPECT_FALSE(holds(svg, "inf"));
}

TEST(ChartAxis, ALinearOneOfNegativeNumbersReachesTheLargest) {
    const PlacedAxis equal({"", Scale::linear}, -1e17, -1e17, 0, 300);
    EXPECT_DOUBLE_EQ(equal.at(-1e17), 0);
    EXPECT_DOUBLE_EQ(equal.at(0), 300);
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

/// One column of a paper.
ChartLook column_look() {
    ChartLook look;
    look.size = ChartSize{85, 60};
    return look;
}

Chart sharing_panels(std::size_t count) {
    Chart chart;
    chart.shared_axes = true;
    chart.description = "tokens over steps";
    for (std::size_t k = 0; k < count; ++k) {
        chart.panels.push_back(one_curve().panels[0]);
        chart.panels.back().title = "panel " + std::to_string(k);
    }
    return chart;
}

TEST(Chart, IsAsLargeAsAskedFor) {
    const std::string svg = chart_svg(one_curve(), column_look());
    EXPECT_TRUE(holds(svg, R"(viewBox="0 0 321.26 226.772" width="85mm" height="60mm")"));
    EXPECT_TRUE(holds(svg, "font-size=\"10.67\""));  // 8 points
    ChartLook look = column_look();
    look.font_points = 9;
    look.font = "Palatino";
    look.size->height = 0;  // as much as the panel needs
    const std::string other = chart_svg(one_curve(), look);
    EXPECT_TRUE(holds(other, "width=\"85mm\"") && holds(other, "font-size=\"12\""));
    EXPECT_TRUE(holds(other, "font-family=\"'Palatino', 'Times New Roman'"));
    look.size = ChartSize{25, 20};
    EXPECT_THROW(static_cast<void>(chart_svg(one_curve(), look)), InputError);
}

TEST(Chart, PanelsThatShareAxesStandSideBySideWhereTheyFit) {
    const auto rows_of = [](double width) {
        ChartLook look;
        look.size = ChartSize{width, 0};
        std::set<double> rows;
        for (const Words& words : words_of(chart_svg(sharing_panels(4), look)))
            if (words.words.starts_with("panel ")) rows.insert(words.y);
        return rows.size();
    };
    EXPECT_EQ(rows_of(45), 4U);
    EXPECT_EQ(rows_of(85), 2U);
    EXPECT_EQ(rows_of(180), 1U);
    const std::string svg = chart_svg(sharing_panels(4));
    EXPECT_EQ(count_of(svg, ">steps<"), 1U);
    EXPECT_EQ(count_of(svg, ">tokens<"), 1U);
}

TEST(Chart, KeysStandWhereTheyAreToStand) {
    Chart chart = one_curve();
    const auto key_of = [&](KeyPlace place) {
        ChartLook look = column_look();
        look.keys = place;
        for (const Words& words : words_of(chart_svg(chart, look)))
            if (words.words == "first") return std::pair{words.begin, words.y};
        return std::pair{-1.0, -1.0};
    };
    EXPECT_EQ(key_of(KeyPlace::none).first, -1);
    EXPECT_LT(key_of(KeyPlace::above).second, 40);
    EXPECT_GT(key_of(KeyPlace::right).first, 200);
    EXPECT_LT(key_of(KeyPlace::top_left).first, key_of(KeyPlace::top_right).first);
    EXPECT_LT(key_of(KeyPlace::top_left).second, key_of(KeyPlace::bottom_left).second);
    // The curve falls from the top left to the bottom right.
    EXPECT_EQ(key_of(KeyPlace::inside), key_of(KeyPlace::top_right));
    chart.panels[0].series[0].points = {{0, 10}, {100, 1000}};
    EXPECT_EQ(key_of(KeyPlace::inside), key_of(KeyPlace::top_left));
}

TEST(Chart, DrawsErrorBarsAndBoxes) {
    Chart chart = one_curve();
    Series& series = chart.panels[0].series[0];
    series.joined = false;
    series.bars = {{0, 900, 1100}, {100, -5, 20}};  // one goes to the end of the axis
    EXPECT_EQ(count_of(chart_svg(chart), "stroke-width=\"1.3\""), 7U);  // 2 times 3, and the key
    series.points.clear();
    series.bars.clear();
    series.boxes = {{10, 1, 2, 3, 4, 5}};
    EXPECT_EQ(count_of(chart_svg(chart), "fill-opacity=\"0.25\""), 2U);
}

TEST(Chart, LeavesOutPromisesIfAsked) {
    Chart chart = one_curve();
    chart.panels[0].limits = {{LimitKind::promise, false, 20, "≤ 20", "", {0}}};
    chart.panels[0].series.push_back({"first", 0, {{0, 30}, {100, 30}}, true, false, true});
    EXPECT_EQ(count_of(chart_svg(chart), "stroke-dasharray"), 3U);  // and the key
    ChartLook look;
    look.promises = false;
    EXPECT_EQ(count_of(chart_svg(chart, look), "stroke-dasharray"), 0U);
    chart.panels[0].series.back().points = {{0, 30}, {100, 3e6}};
    EXPECT_TRUE(holds(chart_svg(chart), ">Beyond the axis: what theorems promise for first.<"));
}

TEST(Chart, NamesMayHoldCommasAndTheSignsOfSpecs) {
    Chart chart = one_curve();
    chart.panels[0].x.categories = {"gnp:n=64,p=0.1", "gnp:n=64"};
    chart.panels[0].series.push_back({"second", 1, {{0, 5}, {1, 1}}});
    rename(chart, "second,gnp:n=64,p=0.1=random, sparse,first=1st");
    EXPECT_EQ(chart.panels[0].x.categories[0], "random, sparse");
    EXPECT_EQ(chart.panels[0].series[0].name, "second");
    EXPECT_EQ(chart.panels[0].series[0].look, 0U);
    EXPECT_EQ(chart.panels[0].series[1].name, "1st");
    EXPECT_EQ(chart.panels[0].series[1].look, 1U);
    EXPECT_THROW(rename(chart, "third=3"), InputError);
    EXPECT_THROW(rename(chart, "second="), InputError);
}

TEST(Chart, LongNamesOfCategoriesAreTurnedRatherThanCut) {
    Chart chart = one_curve();
    chart.panels[0].series[0] = {"first", 0, {{0, 5}, {1, 1}, {2, 3}}, false};
    chart.panels[0].x.categories = {"torus:8x8", "hypercube:d=6", "caterpillar:spine=9"};
    EXPECT_FALSE(holds(chart_svg(chart), "rotate(-40)"));
    ChartLook look;
    look.size = ChartSize{60, 80};
    const std::string svg = chart_svg(chart, look);
    EXPECT_EQ(count_of(svg, "rotate(-40)"), 3U);
    EXPECT_TRUE(holds(svg, ">caterpillar:spine=9<"));
}

TEST(ChartLook, WordsOfTheCommandLineAreChecked) {
    EXPECT_EQ(size_from_text("85x60").height, 60);
    EXPECT_EQ(size_from_text("85").height, 0);
    for (const char* wrong : {"", "x", "85x", "10x60", "85x60x2", "nanx60", "85 mm"})
        EXPECT_THROW(static_cast<void>(size_from_text(wrong)), InputError) << wrong;
    EXPECT_EQ(font_from_text("Latin Modern Roman"), "Latin Modern Roman");
    for (const char* wrong : {"", "a'b", "a\"b", "<b>"})
        EXPECT_THROW(static_cast<void>(font_from_text(wrong)), InputError) << wrong;
    EXPECT_THROW(static_cast<void>(font_points_from_text("0")), InputError);
    EXPECT_THROW(static_cast<void>(palette_from_word("gray")), InputError);
    EXPECT_THROW(static_cast<void>(key_place_from_word("left")), InputError);
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
