#include "equipoise/base/printable.hpp"

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(Printable, LeavesTextInAnyLanguageAlone) {
    EXPECT_EQ(printable("na\xc3\xafve \xe2\x89\xa4 \xc2\xa0x"),
              "na\xc3\xafve \xe2\x89\xa4 \xc2\xa0x");
}

TEST(Printable, MasksWhateverSteersATerminal) {
    EXPECT_EQ(printable("\x1b[31mred\x07\x7f\r\n"), "?[31mred????");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m\xc2\x80"),
              "?31m?");
    EXPECT_EQ(printable("cut short \xc2"), "cut short \xc2");
}

TEST(Printable, KeepsWhatTheCallerMayWrite) {
    EXPECT_EQ(printable("a\tb\n\x1b", "\n\t"), "a\tb\n?");
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
