#include "equipoise/base/error.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"

namespace equipoise {
namespace {

TEST(InputErrorAt, NamesFileLineExpectedAndFound) {
    const InputError error =
        InputError::at("loads.csv", 7, "a whole number of tokens (0 or more)", "-3");
    EXPECT_STREQ(error.what(),
                 "loads.csv:7: expected a whole number of tokens (0 or more), found \"-3\"");
}

TEST(InputErrorAt, OmitsWhatWasFoundIfThatIsEmpty) {
    EXPECT_STREQ(InputError::at("a", 1, "a link", "").what(),
                 "a:1: expected a link, found nothing");
}

TEST(InputErrorAt, StaysOnOneShortLineWhateverWasFound) {
    const std::string found = "a\nb\t\x01" + std::string(5000, 'x');
    const std::string message = InputError::at("file", 2, "a link", found).what();
    EXPECT_LT(message.size(), 150U);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_NE(message.find("a\\nb\\t\\u0001"), std::string::npos);
    EXPECT_NE(message.find("..."), std::string::npos);
}

TEST(Errors, OverflowAndUnsuitableAreInputErrors) {
    EXPECT_THROW(throw OverflowError("total"), InputError);
    EXPECT_THROW(throw UnsuitableError("not a tree"), InputError);
}

TEST(AssertDeathTest, AbortsAndNamesTheCondition) {
    EXPECT_DEATH(EQUIPOISE_ASSERT(1 + 1 == 3), "assertion failed: 1 \\+ 1 == 3");
    EQUIPOISE_ASSERT(1 + 1 == 2);
}

}  // namespace
}  // namespace equipoise
