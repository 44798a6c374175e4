#include "equipoise/agent/boot_time.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace equipoise::agent {
namespace {

TEST(BootTime, GoesOnAndKnowsItsBoot) {
    const BootTime first = BootTime::now();
    EXPECT_FALSE(first.boot.empty());
    const BootTime second = BootTime::now();
    EXPECT_GE(first.until(second), 0);
    EXPECT_EQ(first.until(second), -second.until(first));
}

TEST(BootTime, OfAnotherBootIsLongAgo) {
    const BootTime now = BootTime::now();
    const BootTime other{.boot = now.boot + "x", .nanoseconds = now.nanoseconds};
    EXPECT_EQ(other.until(now), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace equipoise::agent
