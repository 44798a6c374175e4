#include "equipoise/catalogue/studies/reassign_answer.hpp"

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::catalogue {
namespace {

/// Three shards on one of two machines.
ReassignRequest three_shards() {
    ReassignRequest request;
    request.items = "items";
    request.machines = "machines";
    request.texts["items"] = "item,machine,size\nx,a,4\ny,a,4\nz,a,0\n";
    request.texts["machines"] = "machine,rack\na,r1\nb,r2\n";
    request.effort = 100;
    return request;
}

/// What is wrong with a schedule, given without its header.
std::string fault_of(ReassignRequest request, const std::string& lines) {
    request.texts["check"] = "wave,item,from,to\n" + lines;
    return judge_reassign(request, "check").fault;
}

TEST(ReassignAnswer, APlanIsReplayedAndItsScheduleJudgedAlike) {
    ReassignRequest request = three_shards();
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.reached());
    EXPECT_FALSE(plan.judged());
    EXPECT_FALSE(plan.timed);
    ASSERT_EQ(plan.plan.moves.size(), 1U);
    request.texts["check"] = reassign::moves_text(plan.problem, plan.plan.moves);
    const ReassignAnswer judged = judge_reassign(request, "check");
    EXPECT_TRUE(judged.judged());
    EXPECT_TRUE(judged.reached()) << judged.fault;
    EXPECT_EQ(judged.plan.moves, plan.plan.moves);
    EXPECT_EQ(judged.plan.replayed.end.score, plan.plan.replayed.end.score);
    EXPECT_EQ(judged.plan.replayed.peaks, plan.plan.replayed.peaks);
    EXPECT_EQ(judged.plan.at_least.fewest.at_least, plan.plan.at_least.fewest.at_least);
    EXPECT_TRUE(judged.plan.conflicts.empty());
}

TEST(ReassignAnswer, AScheduleWithoutFaultsNeedNotReachTheEnd) {
    ReassignRequest request = three_shards();
    request.texts["check"] = "wave,item,from,to\n0,z,a,b\n";
    const ReassignAnswer judged = judge_reassign(request, "check");
    EXPECT_EQ(judged.fault, "");
    EXPECT_FALSE(judged.reached());
}

TEST(ReassignAnswer, TheFirstFaultOfAScheduleIsNamedWithItsLine) {
    ReassignRequest request = three_shards();
    EXPECT_EQ(fault_of(request, "0,x,a,b\n"), "");
    EXPECT_TRUE(fault_of(request, "0,x,a,b\n0,y,a,b\n").starts_with("check:3: "));
    EXPECT_TRUE(fault_of(request, "0,x,a,b\n1,y,b,a\n").starts_with("check:3: "));
    // A wave that is too large comes before a move that cannot be read later.
    EXPECT_TRUE(fault_of(request, "0,x,a,b\n0,y,a,b\n1,y,a,b\n").starts_with("check:3: "));
    // Lines need not be in the order of waves.
    EXPECT_EQ(fault_of(request, "1,y,a,b\n0,x,a,b\n"), "");
    EXPECT_THROW(static_cast<void>(fault_of(request, "0,none,a,b\n")), InputError);
}

TEST(ReassignAnswer, AScheduleBeyondTheBudgetIsAtFault) {
    ReassignRequest request = three_shards();
    request.at_most = "moves=1";
    EXPECT_EQ(fault_of(request, "0,x,a,b\n1,z,a,b\n"),
              "check: 2 moves, above the 1 that --at-most allows");
    request.at_most = "size=3";
    EXPECT_EQ(fault_of(request, "0,x,a,b\n"),
              "check: 4 of size, above the 3 that --at-most allows");
    request.at_most = "waves=1";
    EXPECT_EQ(fault_of(request, "0,x,a,b\n1,z,a,b\n"),
              "check: 2 waves, above the 1 that --at-most allows");
}

TEST(ReassignAnswer, AStopRequestedInTheBeginningStillGivesAPlan) {
    ReassignRequest request = three_shards();
    request.effort.reset();
    std::stop_source source;
    source.request_stop();
    const ReassignAnswer plan = answer_reassign(request, {source.get_token(), {}});
    EXPECT_TRUE(plan.timed);
    EXPECT_TRUE(plan.plan.interrupted);
    EXPECT_TRUE(plan.plan.replayed.allowed);
}

}  // namespace
}  // namespace equipoise::catalogue
