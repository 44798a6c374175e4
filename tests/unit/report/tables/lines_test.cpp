#include "equipoise/report/tables/lines.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::report {
namespace {

using Lines = std::vector<std::string>;

TEST(LinesOf, BreakAtSpacesAndNeverInAWord) {
    EXPECT_EQ(lines_of("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(lines_of("one two three", 6), (Lines{"one", "two", "three"}));
    EXPECT_EQ(lines_of("a magnificent word", 5), (Lines{"a", "magnificent", "word"}));
    EXPECT_EQ(lines_of("one two three", 0), (Lines{"one two three"}));
    EXPECT_EQ(lines_of("", 5), (Lines{""}));
}

TEST(LinesOf, KeepWiderGapsInsideLinesOnly) {
    EXPECT_EQ(lines_of("3  (promised <= 6)", 18), (Lines{"3  (promised <= 6)"}));
    EXPECT_EQ(lines_of("13  (promised)", 8), (Lines{"13", "(promised)"}));
}

TEST(LinesOf, BeginALineWithARemarkThatDoesNotFit) {
    EXPECT_EQ(lines_of("3  (promised 6)", 15), (Lines{"3  (promised 6)"}));
    EXPECT_EQ(lines_of("3  (promised 6)", 14), (Lines{"3", "(promised 6)"}));
    EXPECT_EQ(lines_of("stable  (none will ever move)", 16),
              (Lines{"stable", "(none will ever", "move)"}));
}

TEST(LinesOf, KeepQuotationsTogether) {
    EXPECT_EQ(lines_of("one line `u v p/q` each", 12), (Lines{"one line", "`u v p/q`", "each"}));
    EXPECT_EQ(lines_of("a `lone quote", 8), (Lines{"a `lone", "quote"}));
}

TEST(LinesOf, KeepTheSidesOfASignTogether) {
    EXPECT_EQ(lines_of("at most D - 1", 10), (Lines{"at most", "D - 1"}));
    EXPECT_EQ(lines_of("(promised <= 1,234)", 11), (Lines{"(promised <= 1,234)"}));
    EXPECT_EQ(lines_of("so <= 3 steps", 7), (Lines{"so <= 3", "steps"}));
    EXPECT_EQ(lines_of("a + b + c", 5), (Lines{"a + b", "+ c"}));
    EXPECT_EQ(lines_of("- 1", 1), (Lines{"- 1"}));
}

TEST(LinesOf, CountLettersNotBytes) {
    EXPECT_EQ(lines_of("\u00e9\u00e9\u00e9 \u2264", 5), (Lines{"\u00e9\u00e9\u00e9 \u2264"}));
}

TEST(Hanging, LinesBeginBelowTheFirst) {
    EXPECT_EQ(hanging("a long tale without an end that goes on", 4, 24),
              "a long tale without\n    an end that goes on");
    EXPECT_EQ(hanging("a long tale without an end that goes on", 4, 24, 10),
              "a long tale\n    without an end that\n    goes on");
    EXPECT_EQ(hanging("a long tale without an end that goes on", 4, 0),
              "a long tale without an end that goes on");
}

TEST(Wrapped, TextsKeepTheIndentsOfTheirLines) {
    EXPECT_EQ(wrapped("one two three\n  four five six\n\nend\n", 10, 2),
              "one two\n  three\n  four\n    five\n    six\n\nend\n");
    EXPECT_EQ(wrapped("one two three four\n", 13, 4), "one two three\n    four\n");
    EXPECT_EQ(wrapped("one two\n", 0), "one two\n");
}

}  // namespace
}  // namespace equipoise::report
