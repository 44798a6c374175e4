#include "equipoise/report/tables/table.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::report {
namespace {

const std::vector<Column>& columns() {
    static const std::vector<Column> some = {
        {"what", Align::left, true}, {"bound", Align::right}, {"theorem", Align::left, true}};
    return some;
}

TEST(NarrowTables, BreakTextAndKeepNumbersWhole) {
    const std::vector<std::vector<std::string>> rows = {
        {"steps until nothing moves any more", "<= 1,234", "Theorem 1"}, {"rounds", "2", "Lemma"}};
    EXPECT_EQ(layout(columns(), rows, true),
              "what                                   bound  theorem\n"
              "----------------------------------  --------  ---------\n"
              "steps until nothing moves any more  <= 1,234  Theorem 1\n"
              "rounds                                     2  Lemma\n");
    EXPECT_EQ(layout(columns(), rows, true, 40),
              "what                    bound  theorem\n"
              "-------------------  --------  ---------\n"
              "steps until nothing  <= 1,234  Theorem 1\n"
              "moves any more\n"
              "rounds                      2  Lemma\n");
    EXPECT_EQ(layout(columns(), rows, true, 100), layout(columns(), rows, true));
}

TEST(NarrowTables, CutNoWordHoweverNarrow) {
    EXPECT_EQ(layout(columns(), {{"an unbreakable", "12,345,678", "Lemma"}}, true, 10),
              "what              bound  theorem\n"
              "-----------  ----------  -------\n"
              "an           12,345,678  Lemma\n"
              "unbreakable\n");
}

TEST(NarrowTables, KeepIndentsAndLetHeadingsGoAcross) {
    EXPECT_EQ(layout(columns(),
                     {{"A heading across all columns:", "", ""},
                      {"  indented text goes on", "7", "Lemma"}},
                     true, 34),
              "what                bound  theorem\n"
              "------------------  -----  -------\n"
              "A heading across all columns:\n"
              "  indented text         7  Lemma\n"
              "  goes on\n");
}

}  // namespace
}  // namespace equipoise::report
