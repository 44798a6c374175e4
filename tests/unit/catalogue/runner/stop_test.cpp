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
    EXPECT_EQ(
        message_of([] { static_cast<void>(catalogue::parse_stop("quiet:x")); }),
        "stop rule \"quiet:x\": expected quiet: and a whole number of at least 1, found \"x\"");
    for (const char* text : {"", "quiet", "quiet:0", "quiet:-1", "quiet:99999999999999999999",
                             "one-balanced:3", "quiet:3+", "never", "discrepancy:1.5"})
        EXPECT_NE(message_of([&] { static_cast<void>(catalogue::parse_stop(text)); }), "no error")
            << text;
}

}  // namespace
