#include "equipoise/base/utf8.hpp"

#include <string>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(Utf8, EveryCodePointIsReadBackFromItsBytes) {
    for (std::uint32_t code = 0; code <= 0x10ffff; ++code) {
        if (code >= 0xd800 && code < 0xe000) continue;
        std::string text;
        append_utf8(text, code);
        const auto character = first_character(text + "x");
        ASSERT_TRUE(character) << code;
        ASSERT_EQ(character->code, code);
        ASSERT_EQ(character->length, text.size());
        // And none that is cut short.
        for (std::size_t bytes = 1; bytes < text.size(); ++bytes)
            ASSERT_FALSE(is_utf8(text.substr(0, bytes))) << code;
    }
}

TEST(Utf8, OtherBytesAreNoCharacters) {
    for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf",
                             "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                             "\xf5\x80\x80\x80", "\xff", "\xfe", "\xc3(", "\xe3o"})
        EXPECT_FALSE(first_character(text)) << text;
    EXPECT_FALSE(first_character(""));
    EXPECT_TRUE(is_utf8(""));
    EXPECT_FALSE(is_utf8("S\xe3o"));
}

TEST(Utf8, TextsAreCutBetweenCharacters) {
    EXPECT_EQ(whole_characters("abc", 2), 2U);
    EXPECT_EQ(whole_characters("abc", 9), 3U);
    EXPECT_EQ(whole_characters("a\xe2\x82\xac", 3), 1U);
    EXPECT_EQ(whole_characters("a\xe2\x82\xac", 4), 4U);
    EXPECT_EQ(whole_characters("\x80\x80\x80", 2), 2U);
    EXPECT_EQ(whole_characters("", 2), 0U);
}

TEST(Utf8, Windows1252HoldsIso8859Part1) {
    for (int byte = 0; byte < 256; ++byte) {
        if (byte >= 0x80 && byte < 0xa0) continue;
        EXPECT_EQ(code_of_windows_1252(static_cast<char>(byte)), static_cast<std::uint32_t>(byte));
    }
    EXPECT_EQ(code_of_windows_1252('\x80'), 0x20acU);  // the euro
    EXPECT_EQ(code_of_windows_1252('\x96'), 0x2013U);  // a dash
    EXPECT_EQ(code_of_windows_1252('\x9f'), 0x178U);
    EXPECT_EQ(code_of_windows_1252('\x81'), 0x81U);  // not taken
}

}  // namespace
}  // namespace equipoise
