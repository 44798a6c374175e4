#include "equipoise/base/printable.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/utf8.hpp"

namespace equipoise {
namespace {

TEST(Printable, LeavesTextInAnyLanguageAlone) {
    EXPECT_EQ(printable("na\xc3\xafve \xe2\x89\xa4 \xc2\xa0x"),
              "na\xc3\xafve \xe2\x89\xa4 \xc2\xa0x");
}

TEST(Printable, EscapesWhateverSteersATerminal) {
    EXPECT_EQ(printable("\x1b[31mred\x07\x7f\r\n\t"), "\\u001b[31mred\\u0007\\u007f\\r\\n\\t");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m\xc2\x80"),
              "\\u009b31m\\u0080");
    // Separators of lines, and what turns the direction of writing.
    EXPECT_EQ(printable("a\xe2\x80\xa8"
                        "b\xe2\x80\xae"
                        "c\xe2\x81\xa6"),
              "a\\u2028b\\u202ec\\u2066");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
    EXPECT_EQ(printable("S\xe3o Paulo"), "S\\xe3o Paulo");
    EXPECT_EQ(printable("cut short \xc2"), "cut short \\xc2");
    EXPECT_EQ(printable("\xed\xa0\x80\xf5"), "\\xed\\xa0\\x80\\xf5");
}

TEST(Printable, EscapesOnceHoweverOftenItIsAsked) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    EXPECT_EQ(printable(printable(all)), printable(all));
    EXPECT_TRUE(is_utf8(printable(all)));
}

TEST(Printable, KeepsWhatTheCallerMayWrite) {
    EXPECT_EQ(printable("a\tb\n\x1b", "\n\t"), "a\tb\n\\u001b");
}

TEST(BeginningOf, CutsBetweenCharacters) {
    EXPECT_EQ(beginning_of("short"), "short");
    EXPECT_EQ(beginning_of(std::string(60, 'x')), std::string(60, 'x'));
    EXPECT_EQ(beginning_of(std::string(61, 'x')), std::string(60, 'x') + "...");
    for (std::size_t before = 0; before < 4; ++before) {
        std::string text(before, 'x');
        for (int i = 0; i < 30; ++i)
            text += "\xe2\x80\xa2";  // a bullet
        EXPECT_TRUE(is_utf8(beginning_of(text))) << before;
        EXPECT_GE(beginning_of(text).size(), 61U) << before;
    }
}

TEST(OneLine, JoinsLinesAndLeavesOtherBlanksAlone) {
    EXPECT_EQ(one_line("one line,  two blanks "), "one line,  two blanks ");
    EXPECT_EQ(one_line("first \r\n\tsecond\n\nthird\x1b"), "first second third\\u001b");
    EXPECT_EQ(one_line("\n between breaks\n"), "between breaks");
    EXPECT_EQ(one_line("\n"), "");
    EXPECT_EQ(one_line(""), "");
}

TEST(Shortened, KeepsBeginningAndEndOfLongWordsAndTexts) {
    EXPECT_EQ(shortened("net.gml:3: expected a number"), "net.gml:3: expected a number");
    EXPECT_EQ(shortened("  two  blanks "), "  two  blanks ");
    EXPECT_EQ(shortened(""), "");
    const std::string word = shortened("an " + std::string(5000, 'x') + "end of it");
    EXPECT_EQ(word.size(), 3 + 160 + 6);
    EXPECT_TRUE(word.starts_with("an xxx") && word.ends_with("xend of it"));
    std::string many;
    for (int i = 0; i < 1000; ++i)
        many += "word ";
    EXPECT_EQ(shortened(many).size(), 800);
    // No half of a character is left.
    std::string umlauts;
    for (int i = 0; i < 300; ++i)
        umlauts += "\xc3\xa4";
    const std::string short_umlauts = shortened("x" + umlauts);
    EXPECT_LE(short_umlauts.size(), 160U);
    for (const std::size_t at : {short_umlauts.find("...") - 1, short_umlauts.find("...") + 4})
        EXPECT_EQ(static_cast<unsigned char>(short_umlauts[at]), 0xa4U);
}

}  // namespace
}  // namespace equipoise
