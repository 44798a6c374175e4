#include "equipoise/report/pictures/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::report {
namespace {

TEST(Look, AxesHaveAllDigitsBelowABillionAndPowersOfTenBeyond) {
    EXPECT_EQ(look::axis_number(0), "0");
    EXPECT_EQ(look::axis_number(0.5), "0.5");
    EXPECT_EQ(look::axis_number(100'000), "100,000");
    EXPECT_EQ(look::axis_number(1e8), "100,000,000");
    EXPECT_EQ(look::axis_number(1e9), "10⁹");
    EXPECT_EQ(look::axis_number(1e6, 1e10), "10⁶");
    EXPECT_EQ(look::axis_number(100, 1e10), "100");
    EXPECT_EQ(look::axis_number(2.5e12), "2.5 × 10¹²");
    EXPECT_EQ(look::axis_number(-20), "−20");
}

TEST(Look, AWiderTextIsSaidToBeWider) {
    EXPECT_GT(look::text_width("mmm", 13), look::text_width("iii", 13));
    EXPECT_DOUBLE_EQ(look::text_width("0000", 10), 4 * 6.4);
    // A letter of several bytes is one letter.
    EXPECT_DOUBLE_EQ(look::text_width("≤", 10), 8.4);
}

TEST(Look, EveryRunHasAColour) {
    EXPECT_EQ(look::colour(0), look::colour(look::colours.size()));
    EXPECT_NE(look::colour(0), look::colour(1));
}

/// How light a colour is, from 0 to 100 (CIE 1976).
double lightness(std::string_view colour) {
    double luminance = 0;
    const std::array<double, 3> shares = {0.2126, 0.7152, 0.0722};
    for (std::size_t k = 0; k < 3; ++k) {
        const double part =
            std::stoi(std::string(colour.substr(1 + 2 * k, 2)), nullptr, 16) / 255.0;
        luminance +=
            shares[k] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
    }
    return luminance > 0.008856 ? 116 * std::cbrt(luminance) - 16 : 903.3 * luminance;
}

TEST(Look, ColoursForPrintDifferInLightnessAndCanBeSeenOnPaper) {
    for (const look::Palette palette : {look::Palette::print, look::Palette::grey}) {
        std::vector<double> lights;
        for (std::size_t run = 0; run < look::colours.size(); ++run)
            lights.push_back(lightness(look::colour(run, palette)));
        std::sort(lights.begin(), lights.end());
        for (std::size_t k = 1; k < lights.size(); ++k)
            EXPECT_GE(lights[k] - lights[k - 1], 5);
        EXPECT_LE(lights.back(), 75);
        // The first two runs, which most figures have, differ most.
        EXPECT_GE(
            std::abs(lightness(look::colour(0, palette)) - lightness(look::colour(1, palette))),
            40);
    }
}

TEST(Look, SerifAndFixedWidthFontsHaveWidthsOfTheirOwn) {
    EXPECT_GT(look::text_width("GQMH", 10, look::Face::serif), look::text_width("GQMH", 10));
    EXPECT_DOUBLE_EQ(look::text_width("il", 10, look::Face::mono),
                     look::text_width("WM", 10, look::Face::mono));
}

TEST(Look, SixtyFourRunsLookDifferent) {
    std::set<std::pair<std::string_view, std::size_t>> looks;
    for (std::size_t run = 0; run < 64; ++run)
        looks.insert({look::colour(run), look::shape(run)});
    EXPECT_EQ(looks.size(), 64U);
}

TEST(Look, ATextThatIsTooWideLosesItsMiddle) {
    EXPECT_EQ(look::shortened("short", 100, 10), "short");
    const std::string text = "begin" + std::string(200, 'x') + "end";
    const std::string cut = look::shortened(text, 100, 10);
    EXPECT_LE(look::text_width(cut, 10), 100);
    EXPECT_GT(look::text_width(cut, 10), 80);
    EXPECT_TRUE(cut.starts_with("begin") && cut.ends_with("end")) << cut;
    // Letters of several bytes stay whole.
    EXPECT_EQ(look::shortened("ééééééé", 21, 10).size() % 2, 1U);  // "…" has three bytes
    EXPECT_EQ(look::shortened("ééé", 0, 10), "…");
}

}  // namespace
}  // namespace equipoise::report
