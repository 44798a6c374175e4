#include "equipoise/base/json.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"

namespace {

using namespace equipoise;

std::string message_of(const std::string& text) {
    try {
        static_cast<void>(parse_json(text, "a.json"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

TEST(Json, IsReadUpToTheLevelsThatAreAllowed) {
    EXPECT_EQ(message_of(nested(json_levels_max)), "");
    const std::string expected =
        "a.json:1: expected at most 32 levels of nested objects and lists, found \"";
    EXPECT_TRUE(message_of(nested(json_levels_max + 1)).starts_with(expected));
    EXPECT_TRUE(message_of(std::string(1'000'000, '[')).starts_with(expected));
    std::string objects;
    for (int level = 0; level < 100'000; ++level)
        objects += R"({"a":)";
    EXPECT_TRUE(message_of(objects).starts_with(expected));
    // Brackets within texts do not count as levels.
    const std::string brackets(99, '[');
    EXPECT_EQ(message_of("[\"" + brackets + "\\\"" + brackets + "\\\\\"]"), "");
}

TEST(Json, OtherTextIsRefusedWithItsLine) {
    EXPECT_EQ(message_of(""), "a.json:1: expected well-formed JSON, found nothing");
    EXPECT_EQ(message_of("\n\nnonsense\n"),
              "a.json:3: expected well-formed JSON, found \"nonsense\"");
    EXPECT_EQ(message_of("[1,\n 2 3]"), "a.json:2: expected well-formed JSON, found \"3]\"");
    EXPECT_EQ(message_of("[1]\n[2]"),
              "a.json:2: expected nothing after the end of the document, found \"[2]\"");
    EXPECT_EQ(message_of("[1e999]"), "a.json: expected numbers within 64 bits, found a larger one");
}

TEST(Json, ThatEndsTooEarlySaysWhere) {
    const std::string cut = "expected more JSON, found the end of the file";
    for (const char* text : {"{", "{\"a\": 1", "[1, 2", "{\"a\": \"b", "[tr"})
        EXPECT_EQ(message_of(text), "a.json:1: " + cut) << text;
    EXPECT_EQ(message_of("{\n\"a\": 1,\n"), "a.json:2: " + cut);
    EXPECT_EQ(message_of("[\"one\nline\"]"),
              "a.json:1: expected a closing quote, found the end of the line");
}

TEST(Json, ReadingEndsAtTheFirstByteThatCannotBeJson) {
    for (const auto& [path, message] :
         {std::pair("/dev/zero", "/dev/zero:1: expected well-formed JSON, found \"\\u0000"),
          std::pair("/nowhere/a.json", "/nowhere/a.json: cannot be read: No such file"),
          std::pair("/proc", "/proc: cannot be read: Is a directory")}) {
        try {
            static_cast<void>(read_json_text(path));
            ADD_FAILURE() << path;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(message)) << error.what();
        }
    }
}

TEST(Json, MayBeginWithAByteOrderMark) {
    EXPECT_EQ(message_of("\xEF\xBB\xBF{\"a\":1}"), "");
    EXPECT_EQ(parse_json("\xEF\xBB\xBF[7]", "a.json")[0], 7);
    EXPECT_NE(message_of("[\xEF\xBB\xBF]"), "");
}

}  // namespace
