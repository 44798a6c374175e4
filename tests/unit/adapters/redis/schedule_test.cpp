// Which slots go together, and which pairs of masters at a time.

#include "equipoise/adapters/redis/schedule.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::redis {
namespace {

TEST(ScheduleOfSlots, TakesThePairWithMostBytesInTwoBatches) {
    BatchSchedule schedule(3, 4);
    for (std::uint32_t move = 0; move < 5; ++move)
        schedule.add(move, 0, 1, 10);
    schedule.add(5, 0, 2, 60);
    const auto most = schedule.take();
    ASSERT_TRUE(most);
    EXPECT_EQ(most->to, 2U);
    EXPECT_EQ(most->moves, std::vector<std::uint32_t>{5});
    const auto second = schedule.take();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->to, 1U);
    EXPECT_EQ(second->moves.size(), 2U);
    const auto third = schedule.take();
    ASSERT_TRUE(third);
    EXPECT_EQ(third->moves.size(), 1U);  // the fourth slot that the master gives
    EXPECT_FALSE(schedule.take());
    schedule.end(*second);
    EXPECT_EQ(schedule.take()->moves.size(), 2U);
    EXPECT_FALSE(schedule.take());
}

TEST(ScheduleOfSlots, HasNoMasterGiveOnceItTookNorTakeWhileItGives) {
    BatchSchedule schedule(3, 16);
    schedule.add(0, 0, 1, 30);
    schedule.add(1, 1, 2, 20);
    schedule.add(2, 2, 0, 10);
    const auto first = schedule.take();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->from, 1U);
    EXPECT_EQ(first->to, 2U);  // which has least to give
    EXPECT_FALSE(schedule.take());
    EXPECT_FALSE(schedule.is_idle());
    schedule.end(*first);
    EXPECT_TRUE(schedule.is_idle());
    const auto next = schedule.take();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->from, 0U);
    EXPECT_EQ(next->to, 1U);  // which gave all
    schedule.end(*next);
    EXPECT_FALSE(schedule.take());
    EXPECT_TRUE(schedule.has_waiting());
}

TEST(ScheduleOfSlots, LetsThoseTakeFirstWhoHaveNothingToGive) {
    BatchSchedule schedule(4, 16);
    schedule.add(0, 0, 1, 90);
    schedule.add(1, 1, 0, 10);
    schedule.add(2, 0, 2, 5);
    schedule.add(3, 1, 3, 5);
    const auto first = schedule.take();
    const auto second = schedule.take();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->to + second->to, 2U + 3U);
    EXPECT_FALSE(schedule.take());
    schedule.end(*first);
    EXPECT_FALSE(schedule.take());
    schedule.end(*second);
    const auto third = schedule.take();
    ASSERT_TRUE(third);
    EXPECT_EQ(third->to, 1U);  // which has less to give
    schedule.end(*third);
    EXPECT_FALSE(schedule.take());
    EXPECT_TRUE(schedule.has_waiting());
}

TEST(ScheduleOfSlots, OfOneSlotAtATimeTakesOneAfterTheOther) {
    BatchSchedule schedule(2, 1);
    schedule.add(0, 0, 1, 1);
    schedule.add(1, 0, 1, 1);
    const auto first = schedule.take();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->moves.size(), 1U);
    EXPECT_FALSE(schedule.take());
    schedule.end(*first);
    EXPECT_TRUE(schedule.take());
    EXPECT_FALSE(schedule.take());
}

}  // namespace
}  // namespace equipoise::redis
