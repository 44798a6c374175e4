#include "equipoise/base/table_reader.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise {
namespace {

using Lines = TableReader::Lines;
using Rows = std::vector<std::vector<std::string>>;

/// The rows of a table with the header `node,tokens` or `node,tokens,rank`.
Rows rows_of(const std::string& text, Lines lines = Lines::as_long_as_header) {
    std::istringstream stream(text);
    LineSource source(stream, "t");
    TableReader table(source, {"node,tokens", "node,tokens,rank"}, lines);
    Rows rows;
    std::vector<std::string> fields;
    while (table.next(fields))
        rows.push_back(fields);
    return rows;
}

std::string error_of(const std::string& text, Lines lines = Lines::as_long_as_header) {
    try {
        static_cast<void>(rows_of(text, lines));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(TableReader, FindsTheSeparatorInTheHeader) {
    const Rows rows = {{"a b", "5"}, {"c", "7"}};
    EXPECT_EQ(rows_of("node,tokens\na b,5\n\n c , 7\n"), rows);
    EXPECT_EQ(rows_of("node;tokens\r\na b;5\r\nc;7\r\n"), rows);
    EXPECT_EQ(rows_of("\n node\ttokens\na b\t5\n\nc\t7"), rows);
    EXPECT_EQ(rows_of("node tokens\n\"a b\" 5\nc   7\n"), rows);
    EXPECT_EQ(rows_of("\"node\",\"tokens\"\r\"a b\",\"5\"\rc,7\r"), rows);
}

TEST(TableReader, RefusesOtherHeadersAndLinesOfOtherLengths) {
    const std::string header = R"(t:1: expected the header "node,tokens" or "node,tokens,rank")";
    EXPECT_EQ(error_of("\n"), header + ", found nothing");
    EXPECT_EQ(error_of("tokens,node\n"), header + ", found \"tokens,node\"");
    EXPECT_EQ(error_of("\"node,tokens\"\n"), header + ", found \"\"node,tokens\"\"");
    EXPECT_EQ(error_of("node,tokens\na,1,2\n"),
              "t:2: expected 2 fields, node,tokens, found \"a,1,2\"");
    EXPECT_EQ(error_of("node;tokens;rank\na,1,2\n"),
              "t:2: expected 3 fields, node,tokens,rank, found \"a,1,2\"");
    EXPECT_EQ(error_of("node,tokens\n\"a,1\n"),
              "t:2: expected 2 fields, node,tokens, found \"\"a,1\"");
}

TEST(TableReader, CountsOneFieldAsOne) {
    std::istringstream stream("node\na,1\n");
    LineSource source(stream, "t");
    TableReader table(source, {"node"});
    std::vector<std::string> fields;
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(table.next(fields)); }),
              "input: t:2: expected 1 field, node, found \"a,1\"");
}

TEST(TableReader, ALongFirstFieldMayHoldSeparatorsAndOtherLengthsMayBeAllowed) {
    EXPECT_EQ(
        rows_of("node,tokens\nPortland,  OR ,\"5\"\n\"x,y\",6\n", Lines::with_long_first_field),
        (Rows{{"Portland,  OR", "5"}, {"x,y", "6"}}));
    EXPECT_EQ(rows_of("node tokens\nNew York 5\n", Lines::with_long_first_field),
              (Rows{{"New York", "5"}}));
    EXPECT_EQ(error_of("node,tokens\n\"a\",b,5\n", Lines::with_long_first_field),
              "t:2: expected 2 fields, node,tokens, found \"\"a\",b,5\"");
    EXPECT_EQ(rows_of("node,tokens\na\nb,1,2\n", Lines::of_any_length),
              (Rows{{"a"}, {"b", "1", "2"}}));
}

/// The columns of a table with any header, with its separator's effect.
std::vector<std::string> columns_of(const std::string& text) {
    std::istringstream stream(text);
    LineSource source(stream, "t");
    return TableReader(source).columns();
}

TEST(TableReader, TakesAnyHeaderAndFindsColumnsByNameWhateverTheirCase) {
    std::istringstream stream("\n Item ;node,2;\"a;b\";\nx;y;z;\n");
    LineSource source(stream, "t");
    TableReader table(source);
    EXPECT_EQ(table.columns(), (std::vector<std::string>{"Item", "node,2", "a;b", ""}));
    EXPECT_EQ(table.header(), "Item,node,2,a;b,");
    EXPECT_EQ(table.column("item"), 0U);
    EXPECT_EQ(table.column("A;B"), 2U);
    EXPECT_EQ(table.column("node"), std::nullopt);
    std::vector<std::string> fields;
    ASSERT_TRUE(table.next(fields));
    EXPECT_EQ(fields, (std::vector<std::string>{"x", "y", "z", ""}));
    EXPECT_FALSE(table.next(fields));
}

TEST(TableReader, TheSeparatorOfAnyHeaderIsTheOneThatMakesMostFields) {
    EXPECT_EQ(columns_of("a,b;c,d\n").size(), 3U);
    EXPECT_EQ(columns_of("a\tb c\n"), (std::vector<std::string>{"a", "b c"}));
    EXPECT_EQ(columns_of("a b  c\n").size(), 3U);
    EXPECT_EQ(columns_of("a\n").size(), 1U);
    const auto error = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(columns_of(text));
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(error("\n\n"), "t:2: expected a header that names the columns, found nothing");
    EXPECT_EQ(error("a,A\n"), "t:1: expected every column once, found \"A\"");
    EXPECT_EQ(error("\"a\n"), "t:1: expected a header that names the columns, found \"\"a\"");
    EXPECT_EQ(error("a,,\n"), "no error");
}

}  // namespace
}  // namespace equipoise
