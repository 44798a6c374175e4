#include "equipoise/base/separated_values.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

using Texts = std::vector<std::string>;

/// The fields of a line, those in quotes between brackets; "broken" alone if quotes are wrong.
Texts fields_of(std::string_view line, Separator separator) {
    std::vector<Field> fields;
    if (!split_fields(line, separator, fields)) return {"broken"};
    Texts texts;
    for (const Field& field : fields)
        texts.push_back(field.quoted ? '[' + field.text + ']' : field.text);
    return texts;
}

TEST(SplitFields, DividesLinesAtTheirSeparatorAndDropsBlanksAroundFields) {
    EXPECT_EQ(fields_of(" a b , c,,", Separator::comma), (Texts{"a b", "c", "", ""}));
    EXPECT_EQ(fields_of("a;b c;1,5", Separator::semicolon), (Texts{"a", "b c", "1,5"}));
    EXPECT_EQ(fields_of("a\t b c \t\td", Separator::tab), (Texts{"a", "b c", "", "d"}));
    EXPECT_EQ(fields_of(" a \t b,c ", Separator::blanks), (Texts{"a", "b,c"}));
    EXPECT_EQ(fields_of("", Separator::comma), Texts{""});
    EXPECT_EQ(fields_of(" ", Separator::blanks), Texts{});
}

TEST(SplitFields, TakesQuotesOffAndKeepsWhatTheyHold) {
    EXPECT_EQ(fields_of(R"("a, b" , "say ""no""","")", Separator::comma),
              (Texts{"[a, b]", "[say \"no\"]", "[]"}));
    EXPECT_EQ(fields_of("\" a\tb \" c", Separator::blanks), (Texts{"[ a\tb ]", "c"}));
    EXPECT_EQ(fields_of("\"a\tb\"\t\"c\"", Separator::tab), (Texts{"[a\tb]", "[c]"}));
    EXPECT_EQ(fields_of("5\" pipe,b", Separator::comma), (Texts{"5\" pipe", "b"}));
}

TEST(SplitFields, RefusesQuotesThatAreNotClosedOrNotAlone) {
    EXPECT_EQ(fields_of("a,\"b", Separator::comma), Texts{"broken"});
    EXPECT_EQ(fields_of("\"a\"b,c", Separator::comma), Texts{"broken"});
    EXPECT_EQ(fields_of("\"a\"b c", Separator::blanks), Texts{"broken"});
    EXPECT_EQ(fields_of("\"a\" b,c", Separator::comma), Texts{"broken"});
    EXPECT_EQ(fields_of("\"", Separator::tab), Texts{"broken"});
}

template <Separator separator>
Texts taken_from(std::string_view line) {
    Texts texts;
    while (!line.empty())
        texts.emplace_back(take_field<separator>(line));
    return texts;
}

TEST(TakeField, AgreesWithSplitFieldsWhereNothingIsInQuotes) {
    for (const char* line : {"a,b", " a b , c,x", "a;b c; 1,5", "a\t b c \t\td", "a \t b,c", "x"}) {
        EXPECT_EQ(taken_from<Separator::comma>(line), fields_of(line, Separator::comma)) << line;
        EXPECT_EQ(taken_from<Separator::semicolon>(line), fields_of(line, Separator::semicolon))
            << line;
        EXPECT_EQ(taken_from<Separator::tab>(line), fields_of(line, Separator::tab)) << line;
        EXPECT_EQ(taken_from<Separator::blanks>(line), fields_of(line, Separator::blanks)) << line;
    }
}

TEST(Quoted, DoublesQuotesInside) {
    EXPECT_EQ(quoted("say \"no\""), R"("say ""no""")");
    EXPECT_EQ(quoted(""), "\"\"");
}

}  // namespace
}  // namespace equipoise
