#include "equipoise/report/pictures/look.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>

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
