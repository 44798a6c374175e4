#include "equipoise/base/timed_stop.hpp"

#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

TEST(TimedStop, StopsWhenTheTimeHasComeAndNotBefore) {
    const TimedStop stop({}, TimedStop::Clock::now() + milliseconds(50));
    while (!stop.is_late()) {
        EXPECT_FALSE(stop.token().stop_requested() && !stop.is_late());
        std::this_thread::sleep_for(milliseconds(1));
    }
    while (!stop.token().stop_requested())
        std::this_thread::sleep_for(milliseconds(1));
    const TimedStop late({}, TimedStop::Clock::now());
    EXPECT_TRUE(late.token().stop_requested());
}

TEST(TimedStop, StopsWhenTheOtherTokenDoes) {
    std::stop_source other;
    const TimedStop timed(other.get_token(), TimedStop::Clock::now() + hours(1));
    const TimedStop untimed(other.get_token(), {});
    EXPECT_FALSE(timed.token().stop_requested());
    other.request_stop();
    EXPECT_TRUE(timed.token().stop_requested());
    EXPECT_TRUE(untimed.token().stop_requested());
    EXPECT_FALSE(timed.is_late());
    EXPECT_FALSE(untimed.is_late());
}

TEST(TimeLimit, GivesPartsOfWhatIsLeft) {
    const TimeLimit hour(3600.0);
    EXPECT_NEAR(hour.left().value(), 3600, 60);
    EXPECT_NEAR(hour.left(0.5).value(), 1800, 30);
    EXPECT_GT(hour.after(0.5).value(), TimeLimit::Clock::now() + minutes(20));
    EXPECT_LT(hour.after(0.5).value(), TimeLimit::Clock::now() + minutes(31));
    EXPECT_EQ(TimeLimit(0.0).left(), 0.0);
}

TEST(TimeLimit, WithoutSecondsHasNoEnd) {
    for (const TimeLimit& none : {TimeLimit(std::nullopt), TimeLimit(1e300)}) {
        EXPECT_FALSE(none.left().has_value());
        EXPECT_FALSE(none.left(0.5).has_value());
        EXPECT_FALSE(none.after(1).has_value());
    }
}

}  // namespace
}  // namespace equipoise
