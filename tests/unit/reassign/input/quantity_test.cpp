#include "equipoise/reassign/input/quantity.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// `NUMBER/DECIMALS`, with B if there is a unit.
std::string read(const std::string& text) {
    const std::optional<Quantity> found = quantity(text);
    if (!found) return "nothing";
    return exact_text({"", 0}, found->number) + '/' + std::to_string(found->decimals) +
           (found->has_unit ? "B" : "");
}

TEST(Quantity, NumbersAreExactToNineDigitsAfterThePoint) {
    EXPECT_EQ(read("0"), "0/0");
    EXPECT_EQ(read("300"), "300/0");
    EXPECT_EQ(read("0.25"), "25/2");
    EXPECT_EQ(read(".5"), "5/1");
    EXPECT_EQ(read("7."), "7/0");
    EXPECT_EQ(read("1.500000000000"), "15/1");
    EXPECT_EQ(read("0.000000001"), "1/9");
    EXPECT_EQ(read("0.0000000001"), "nothing");
    EXPECT_EQ(read("0.000"), "0/0");
    EXPECT_EQ(read("00012"), "12/0");
}

TEST(Quantity, ExponentsAreThoseThatSpreadsheetsAndRPrint) {
    EXPECT_EQ(read("1e+05"), "100000/0");
    EXPECT_EQ(read("1.5E3"), "1500/0");
    EXPECT_EQ(read("25e-2"), "25/2");
    EXPECT_EQ(read("10e-1"), "1/0");
    EXPECT_EQ(read("1e-10"), "nothing");
    EXPECT_EQ(read("1e999999999999"), "nothing");
    EXPECT_EQ(read("0e60"), "0/0");
    EXPECT_EQ(read("1e"), "nothing");
}

TEST(Quantity, UnitsOfBytesStandBehindTheNumberWithOrWithoutABlank) {
    EXPECT_EQ(read("12B"), "12/0B");
    EXPECT_EQ(read("1.5 GB"), "1500000000/0B");
    EXPECT_EQ(read("2TiB"), "2199023255552/0B");
    EXPECT_EQ(read("1 kB"), "1000/0B");
    EXPECT_EQ(read("1 KB"), "1000/0B");
    EXPECT_EQ(read("1 KiB"), "1024/0B");
    EXPECT_EQ(read("3\tMiB"), "3145728/0B");
    EXPECT_EQ(read("1 EB"), "1000000000000000000/0B");
    EXPECT_EQ(read("1EiB"), "1152921504606846976/0B");
    EXPECT_EQ(read("1e3 PB"), "1000000000000000000/0B");
}

TEST(Quantity, FractionsOfAByteAreRounded) {
    EXPECT_EQ(read("1.234 KiB"), "1264/0B");
    EXPECT_EQ(read("0.4 B"), "0/0B");
    EXPECT_EQ(read("0.5 B"), "1/0B");
}

TEST(Quantity, WhatIsNoAmountIsRefused) {
    for (const char* const text : {"",
                                   " ",
                                   "-5",
                                   "+5",
                                   "nan",
                                   "inf",
                                   "1,5",
                                   "1_000",
                                   "0x10",
                                   "1 2",
                                   "GB",
                                   ".",
                                   "e5",
                                   "5 gb",
                                   "5G",
                                   "500m",
                                   "5 Mb",
                                   "5 GB/s",
                                   "1..2",
                                   "\xc2\xa0"
                                   "5"})
        EXPECT_EQ(read(text), "nothing") << text;
    EXPECT_EQ(read(std::string(5000, '9')), "nothing");
    EXPECT_EQ(read("0." + std::string(5000, '1')), "nothing");
    EXPECT_EQ(read("9e29 EiB"), "nothing");
}

TEST(Quantity, MessagesSuggestTheUnitsThatMayBeMeant) {
    EXPECT_EQ(quantity_expected("5 gb"), "the unit GB or GiB");
    EXPECT_EQ(quantity_expected("5G"), "the unit GB or GiB");
    EXPECT_EQ(quantity_expected("5 mib"), "the unit MiB");
    EXPECT_EQ(quantity_expected("5 parsec"),
              "the unit B, kB, MB, GB, TB, PB, EB, KiB, MiB, GiB, TiB, PiB or EiB");
    EXPECT_EQ(quantity_expected("1,5"), quantity_expected("-5"));
    EXPECT_EQ(quantity_expected("-5"),
              "an amount, 0 or more, such as 300, 0.25 (at most 9 digits after the point), 1.5 GB "
              "or 2 TiB");
}

TEST(Quantity, ScaledNumbersHaveNoMoreDigitsThanTheyMay) {
    EXPECT_EQ(scaled_number("0.05", 6, 1'000'000), 50'000U);
    EXPECT_EQ(scaled_number("1", 6, 1'000'000), 1'000'000U);
    EXPECT_EQ(scaled_number("1.000001", 6, 1'000'000), std::nullopt);
    EXPECT_EQ(scaled_number("0.0000001", 6, 1'000'000), std::nullopt);
    EXPECT_EQ(scaled_number("1 B", 6, 10'000'000), std::nullopt);
}

TEST(Quantity, MoreDecimalsScaleAmountsAndLimitsButNotTheirAbsence) {
    Problem problem = test::reassign_problem({0, 1}, {10, 20}, 2);
    problem.capacities = {tokens_max, 100, tokens_max, tokens_max};
    problem.thresholds = {5, 90, tokens_max, tokens_max / 2};
    problem.copied = 1;
    problem.gives = {7, tokens_max};
    problem.budget.amounts = {3, 40};
    EXPECT_EQ(in_units(problem, 1, {25, 2, false}), 25);
    EXPECT_EQ(problem.resources[1].decimals, 2);
    EXPECT_EQ(problem.amounts, (std::vector<Tokens>{1, 1000, 1, 2000}));
    EXPECT_EQ(problem.capacities,
              (std::vector<Tokens>{tokens_max, 10'000, tokens_max, tokens_max}));
    EXPECT_EQ(problem.thresholds, (std::vector<Tokens>{5, 9000, tokens_max, tokens_max}));
    EXPECT_EQ(problem.gives, (std::vector<Tokens>{700, tokens_max}));
    EXPECT_EQ(problem.budget.amounts, (std::vector<Tokens>{3, 4000}));
    EXPECT_EQ(in_units(problem, 1, {25, 0, false}), 2500);
}

TEST(Quantity, AmountsThatDoNotFitWithMoreDecimalsStayAsTheyAre) {
    Problem problem = test::reassign_problem({0, 1}, {tokens_max / 10, tokens_max / 10}, 2);
    EXPECT_FALSE(raise_decimals(problem, 1, 1));
    EXPECT_EQ(problem.resources[1].decimals, 0);
    EXPECT_EQ(problem.amount(0, 1), tokens_max / 10);
}

TEST(AmountText, BytesHaveThreeDigitsAndAUnit) {
    const Resource bytes{"bytes", 0, Release::after_wave, true};
    EXPECT_EQ(amount_text(bytes, 0), "0 B");
    EXPECT_EQ(amount_text(bytes, 12), "12 B");
    EXPECT_EQ(amount_text(bytes, 999), "999 B");
    EXPECT_EQ(amount_text(bytes, 1000), "1.00 kB");
    EXPECT_EQ(amount_text(bytes, 1'234'567), "1.23 MB");
    EXPECT_EQ(amount_text(bytes, 12'345'678), "12.3 MB");
    EXPECT_EQ(amount_text(bytes, 123'456'789), "123 MB");
    EXPECT_EQ(amount_text(bytes, 999'499'999), "999 MB");
    EXPECT_EQ(amount_text(bytes, 999'500'000), "1.00 GB");
    EXPECT_EQ(amount_text(bytes, 9'995'000), "10.0 MB");
    EXPECT_EQ(amount_text(bytes, -1'500'000'000), "-1.50 GB");
    EXPECT_EQ(amount_text(bytes, Int128{1500} * 1'000'000'000'000'000'000), "1.50 ZB");
    EXPECT_EQ(amount_text({"bytes", 1, Release::after_wave, true}, 125), "12.5 B");
    EXPECT_EQ(amount_text({"bytes", 1, Release::after_wave, true}, 12'500), "1.25 kB");
}

TEST(AmountText, OthersAreInFull) {
    EXPECT_EQ(amount_text({"cpu", 0}, 1'234'567), "1,234,567");
    EXPECT_EQ(amount_text({"cpu", 2}, 123'450), "1,234.5");
    EXPECT_EQ(amount_text({"cpu", 3}, 5), "0.005");
    EXPECT_EQ(amount_text({"cpu", 1}, -5), "-0.5");
    EXPECT_EQ(exact_text({"cpu", 2}, 123'400), "1234");
    EXPECT_EQ(exact_text({"cpu", 2}, -1), "-0.01");
}

}  // namespace
}  // namespace equipoise::reassign
