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

}  // namespace
}  // namespace equipoise
