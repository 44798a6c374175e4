#include "equipoise/catalogue/runner/stop.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalogue_runs.hpp"

namespace {

using namespace equipoise;
using test::message_of;

TEST(StopRules, AreReadAndWrittenAlike) {
    for (const char* text : {"discrepancy:1", "one-balanced", "quiet:12", "stable:7",
                             "own-termination", "own-termination+discrepancy:0+quiet:3"})
        EXPECT_EQ(catalogue::to_text(catalogue::parse_stop(text)), text);
}

TEST(StopRules, ThatDoNotExistAreRefusedWithThoseThatDo) {
    const auto refusal = [](const char* text) {
        return message_of([&] { static_cast<void>(catalogue::parse_stop(text)); });
    };
    EXPECT_EQ(refusal("quiet:x"),
              "stop rule \"quiet:x\": expected quiet:STEPS with a whole number, 1 or more, found "
              "\"x\"");
    EXPECT_EQ(refusal("quiet"),
              "stop rule \"quiet\": expected quiet:STEPS with a whole number, 1 or more, found "
              "none");
    EXPECT_EQ(refusal("quiet:3+"),
              "stop rule \"quiet:3+\": expected rules joined by +, found an empty one");
    EXPECT_EQ(refusal("one-balanced:3"),
              "stop rule \"one-balanced:3\": expected one-balanced alone, found \":3\" after it");
    EXPECT_EQ(refusal("qiet:3"), "unknown stop rule \"qiet:3\": did you mean \"quiet:STEPS\"?");
    for (const char* text : {"", "quiet", "quiet:0", "quiet:-1", "quiet:99999999999999999999",
                             "one-balanced:3", "quiet:3+", "never", "discrepancy:1.5"})
        EXPECT_NE(message_of([&] { static_cast<void>(catalogue::parse_stop(text)); }), "no error")
            << text;
}

}  // namespace
