#include "equipoise/base/csv_fields.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(CsvField, IsQuotedIfItMustBe) {
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
    EXPECT_EQ(csv_field(" before"), "\" before\"");
    EXPECT_EQ(csv_field(""), "");
}

TEST(CsvFields, AreReadAsTheyWereWritten) {
    const std::vector<std::string> texts = {"plain",   "a,b", "say \"no\"", " before",
                                            "after\t", "",    "\"",         ","};
    std::string line;
    for (const std::string& text : texts)
        line += (line.empty() ? "" : ",") + csv_field(text);
    EXPECT_EQ(csv_fields(line), texts);
    EXPECT_EQ(csv_line(texts), line + '\n');
    EXPECT_EQ(csv_line({"", "b"}), ",b\n");
}

}  // namespace
}  // namespace equipoise
