// Schedules with few tokens under way at any time.

#include "equipoise/optimum/steps/throttled_schedule.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

TEST(ThrottledSchedule, EndsWithoutOneWhenItIsAskedToStop) {
    const Network path = test::stored_network("path:n=2");
    const Problem problem{&path, {8, 0}, {{4, 4}, {}, 0}, {}, {}, {}};
    const std::vector<Tokens> flows = {4};
    int asked = 0;
    EXPECT_FALSE(throttled_schedule(problem, flows, 1, [&] { return ++asked == 3; }));
    EXPECT_EQ(asked, 3);
    EXPECT_TRUE(throttled_schedule(problem, flows, 1, [] { return false; }));
}

TEST(ThrottledSchedule, PassesOverStepsInWhichAllWait) {
    const Network path = test::stored_network("path:n=2");
    Problem problem{&path, {2000, 0}, {{1000, 1000}, {}, 0}, {}, {}, {1'000'000}};
    const std::vector<Tokens> flows = {1000};
    int asked = 0;
    const auto schedule = throttled_schedule(problem, flows, 1, [&] { return ++asked > 2000; });
    ASSERT_TRUE(schedule);
    const ScheduleVerdict verdict = check_schedule(problem, *schedule);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_EQ(verdict.steps, 1'000'000'000U);
    EXPECT_EQ(verdict.in_flight_max, 1);
}

TEST(ThrottledSchedule, SendsAsSoonAsAPortIsFreeThoughNothingArrivesBefore) {
    // The token of node 3 comes to node 2 as step 2 begins. Sent on at once, it would arrive
    // together with that of node 1; a step later it does not.
    const Network star(4, {{0, 1}, {0, 2}, {2, 3}});
    const Problem problem{&star, {0, 1, 0, 1}, {{2, 0, 0, 0}, {}, 0}, {}, {}, {5, 3, 2}};
    std::vector<Tokens> flows;
    for (LinkId link = 0; link < star.link_count(); ++link)
        flows.push_back(star.ends(link).tail == 0 || star.ends(link).head == 3 ? -1 : 1);
    const auto schedule = throttled_schedule(problem, flows, 2);
    ASSERT_TRUE(schedule);
    const ScheduleVerdict verdict = check_schedule(problem, *schedule);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_EQ(verdict.steps, 6U);
}

}  // namespace
}  // namespace equipoise::optimum
