#include "equipoise/report/look.hpp"

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

}  // namespace
}  // namespace equipoise::report
