#include "equipoise/base/json_documents.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"

namespace {

using namespace equipoise;

std::string refusal_of(const std::string& text) {
    try {
        for (const JsonDocument& document : json_documents(text, "a.txt"))
            static_cast<void>(parse_json(document, "a.txt"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(JsonDocuments, AreFoundBetweenTheLinesOfAText) {
    const std::string text =
        "\xEF\xBB\xBF[2020-01-01] WARN {not JSON}\r\nHeading\r\n\r\n{\"a\":\r\n 1}\r\n"
        "\nOther {\n  {\"b\": \"}\\\"{\"}  \nend";
    const std::vector<JsonDocument> documents = json_documents(text, "a.txt");
    ASSERT_EQ(documents.size(), 2U);
    EXPECT_EQ(documents[0].text, "{\"a\":\r\n 1}");
    EXPECT_EQ(documents[0].line, 4U);
    EXPECT_NE(documents[0].before.find("Heading"), std::string_view::npos);
    EXPECT_EQ(documents[1].text, "{\"b\": \"}\\\"{\"}");
    EXPECT_EQ(documents[1].line, 8U);
    EXPECT_EQ(documents[1].before, "\r\n\nOther {\n  ");
    EXPECT_EQ(parse_json(documents[0], "a.txt")["a"], 1);
}

TEST(JsonDocuments, ErrorsNameTheLineOfTheWholeText) {
    EXPECT_EQ(refusal_of(""), "a.txt:1: expected a line that begins with {, found nothing");
    EXPECT_EQ(refusal_of("\n\n[1]\nx\n"),
              "a.txt:3: expected a line that begins with {, found \"[1]\"");
    EXPECT_EQ(refusal_of("text\n{\"a\":\n 1 2}\n"),
              "a.txt:3: expected well-formed JSON, found \"2}\"");
    EXPECT_EQ(refusal_of("text\n{\"a\": 1}}\n"),
              "a.txt:2: expected nothing after the end of the document, found \"}\"");
    EXPECT_EQ(refusal_of("{\"a\": 1} {\"b\": 2}\n"),
              "a.txt:1: expected nothing after the end of the document, found \"{\"b\": 2}\"");
    EXPECT_EQ(refusal_of("text\n{\"a\": 1,\n\"b\": [\n"),
              "a.txt:3: expected more JSON, found the end of the file");
    EXPECT_EQ(refusal_of("{\"a\": [\nHeading\n{\"b\": 1}\n"),
              "a.txt:2: expected well-formed JSON, found \"Heading\"");
    EXPECT_EQ(refusal_of("text\n{\"a\": 1e999}\n"),
              "a.txt: expected numbers within 64 bits, found a larger one");
    EXPECT_TRUE(refusal_of("text\n" + std::string(40, '\n') + "{\"a\":" + std::string(40, '['))
                    .starts_with("a.txt:42: expected at most 32 levels"));
}

TEST(JsonDocuments, ReadingEndsWhereNoneCanFollow) {
    const auto error = [](const std::string& path) -> std::string {
        try {
            static_cast<void>(read_text_with_json(path));
        } catch (const InputError& caught) {
            return caught.what();
        }
        return "";
    };
    EXPECT_TRUE(error("/dev/zero").starts_with("/dev/zero:1: expected well-formed JSON, found"));
    EXPECT_TRUE(error("/nowhere/a.json").starts_with("/nowhere/a.json: cannot be read: No such"));
    // More text than any tool prints before what it is asked for.
    std::string much = "{\"a\": 1}\n";
    for (int line = 0; line < 200'000; ++line)
        much += "nothing\n";
    EXPECT_TRUE(refusal_of(much).starts_with("a.txt:1")) << refusal_of(much);
    EXPECT_NE(refusal_of(much).find("expected a line that begins with {, found \"nothing\""),
              std::string::npos);
}

}  // namespace
