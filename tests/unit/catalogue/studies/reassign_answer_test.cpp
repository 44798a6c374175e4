#include "equipoise/catalogue/studies/reassign_answer.hpp"

#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"
#include "equipoise/report/answers/reassign_files.hpp"
#include "tests/support/thrown.hpp"

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

TEST(ReassignAnswer, WhatMovesWaitForIsNotWrittenOfAScheduleThatIsNotAllowed) {
    ReassignRequest request = three_shards();
    request.texts["machines"] = "machine,size\na,10\nb,3\n";
    request.texts["check"] = "wave,item,from,to\n0,x,a,b\n";
    const ReassignAnswer judged = judge_reassign(request, "check");
    EXPECT_EQ(test::thrown_by([&] { report::write_moves("/nowhere/moves.csv", judged); }),
              "input: --moves: expected moves that are allowed, found a fault: "
              "machine b holds 4 of size, above its capacity of 3, in wave 0");
}

/// Two copies of t, three of u, on four machines; a copy of u is on each of a, b and c.
ReassignRequest copies_on_four(const std::vector<std::string>& replicas) {
    ReassignRequest request;
    request.items = "items";
    request.machines = "machines";
    request.texts["items"] = "item,machine,size\nt,a,4\nt,b,4\nu,a,2\nu,b,2\nu,c,2\n";
    request.texts["machines"] = "machine,rack\na,r1\nb,r2\nc,r1\nd,r2\n";
    request.replicas = replicas;
    request.level = {"none"};
    request.effort = 100;
    return request;
}

TEST(ReassignAnswer, CopiesThatAreMadeAndDroppedAreJudgedAsTheyWerePlanned) {
    ReassignRequest request = copies_on_four({"t=4", "u=1"});
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.reached());
    ASSERT_EQ(plan.dropped.size(), 2U);
    ASSERT_EQ(plan.plan.moves.size(), 2U);
    const std::string schedule =
        reassign::moves_text(plan.problem, plan.plan.moves, {}, plan.dropped);
    request.texts["check"] = schedule;
    EXPECT_EQ(judge_reassign(request, "check").fault, "");
    EXPECT_TRUE(judge_reassign(request, "check").reached());
    request.texts["check"] = "wave,item,from,to\n" + schedule.substr(schedule.find("0,t"));
    EXPECT_EQ(judge_reassign(request, "check").fault,
              "check: no line drops a copy of u, of which --replicas asks for fewer");
}

TEST(ReassignAnswer, AScheduleMayDropOtherCopiesThanAPlanWould) {
    const ReassignRequest request = copies_on_four({"u=2"});
    EXPECT_EQ(answer_reassign(request).dropped.front().machine, 1U);
    EXPECT_EQ(fault_of(request, "0,u,a,\n"), "");
    EXPECT_EQ(fault_of(request, "0,u,d,\n"), "check:2: u is not to lose a copy on machine d");
    EXPECT_EQ(fault_of(request, "0,u,a,\n0,u,b,\n"),
              "check:3: u is not to lose a copy on machine b");
    EXPECT_EQ(fault_of(copies_on_four({"t=3"}), "0,t,,c\n1,t,,d\n"),
              "check:3: no copy of item t is to be made in wave 1");
    EXPECT_TRUE(test::thrown_by([] {
                    (void)fault_of(copies_on_four({}), "0,t,,c\n");
                }).starts_with("input: check:2: expected a machine"));
}

TEST(ReassignAnswer, CopiesThatAreMadeAndDroppedAlreadyAreNotPlannedAgain) {
    ReassignRequest request = copies_on_four({"t=4", "u=1"});
    request.texts["resume"] = "wave,item,from,to\n0,u,a,\n0,u,b,\n0,t,,c\n";
    request.resume = "resume";
    const ReassignAnswer rest = answer_reassign(request);
    EXPECT_TRUE(rest.dropped.empty());
    EXPECT_EQ(reassign::moves_text(rest.problem, rest.plan.moves), "wave,item,from,to\n0,t,,d\n");
    request.texts["resume"] = "wave,item,from,to\n0,t,a,\n";
    EXPECT_EQ(test::thrown_by([&] { (void)answer_reassign(request); }),
              "input: resume:2: t is not to lose a copy on machine a");
}

TEST(ReassignAnswer, LeadersGiveOnlyWhereSomethingLeads) {
    ReassignRequest request = copies_on_four({});
    request.copy_from = "leader";
    EXPECT_EQ(test::thrown_by([&] { (void)answer_reassign(request); }),
              "input: --copy-from: expected items of which some lead, to copy from leaders");
    request.copy_from = "new";
    EXPECT_EQ(test::thrown_by([&] { (void)answer_reassign(request); }),
              "input: --copy-from: expected old or leader, found \"new\"");
}

TEST(ReassignAnswer, PartitionsAreCopiedFromLeadersAndSpreadOverRacksAsKafkaDoes) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] =
        R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2]}]})";
    request.machines = "machines";
    request.texts["machines"] = "machine,rack\n1,r1\n2,r1\n3,r2\n";
    request.effort = 100;
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.problem.copies_from_leader);
    EXPECT_EQ(plan.plan.moves.size(), 1U) << "one replica goes to the other rack";
    EXPECT_EQ(plan.notes.back(),
              "each partition is kept on all 2 racks, or on as many as it has replicas, as Kafka "
              "places it (--spread none: anywhere)");
    request.spread = {"none"};
    request.copy_from = "old";
    const ReassignAnswer without = answer_reassign(request);
    EXPECT_FALSE(without.problem.copies_from_leader);
    EXPECT_TRUE(without.problem.spread.empty());
    EXPECT_TRUE(without.plan.moves.empty());
    request.spread = {"none", "item:rack"};
    EXPECT_TRUE(test::thrown_by([&] {
                    (void)answer_reassign(request);
                }).starts_with("input: --spread: expected"));
}

TEST(ReassignAnswer, ReassignmentsThatMakeCopiesOnEmptyBrokersAreJudged) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] =
        R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1]}]})";
    request.machines = "machines";
    request.texts["machines"] = "machine\n1\n2\n";
    request.replicas = {"2"};
    request.texts["check"] =
        R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2]}]})";
    const ReassignAnswer judged = judge_reassign(request, "plan.json");
    EXPECT_EQ(judged.fault, "");
    EXPECT_TRUE(judged.reached());
}

TEST(ReassignAnswer, ReassignmentsThatDropCopiesDoSoBeforeTheyCopyAnything) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] =
        R"({"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2]},
                                      {"topic":"u","partition":0,"replicas":[1]}]})";
    request.machines = "machines";
    request.texts["machines"] = "machine\n1\n2\n3\n";
    request.replicas = {"t=1"};
    request.effort = 100;
    const auto wave = [](const char* topic, const char* replicas) {
        return std::string(R"({"version":1,"partitions":[{"topic":")") + topic +
               R"(","partition":0,"replicas":[)" + replicas + "]}]}\n";
    };
    const auto fault = [&](const std::string& text) {
        request.texts["check"] = text;
        return judge_reassign(request, "plan.json").fault;
    };
    EXPECT_EQ(fault(wave("t", "1") + wave("t", "3") + wave("u", "2")), "");
    const std::string words = ", but what --replicas drops goes before anything is copied";
    EXPECT_EQ(fault(wave("t", "3")),
              "plan.json: partitions[0]: partition t-0 loses a replica in wave 0" + words);
    EXPECT_EQ(fault(wave("u", "2") + wave("t", "1")),
              "plan.json: partitions[0]: partition t-0 loses a replica in wave 1" + words);
    // The leader's copy goes, as its broker is to be emptied.
    request.drain = {"1"};
    EXPECT_EQ(fault(wave("t", "2") + wave("u", "3")), "");
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_EQ(plan.plan.moves.size(), 1U) << "only u has to move";
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

/// Three groups that are led from a, each with a copy elsewhere.
ReassignRequest led_groups() {
    ReassignRequest request;
    request.items = "items";
    request.texts["items"] =
        "item,machine,leader\ng1,a,yes\ng1,b,\ng2,a,yes\ng2,b,\ng3,a,yes\ng3,c,\n";
    return request;
}

TEST(ReassignAnswer, LeadersAloneAreLevelledWithoutAMove) {
    ReassignRequest request = led_groups();
    request.level = {"leaders"};
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.reached());
    EXPECT_TRUE(plan.plan.moves.empty());
    EXPECT_EQ(plan.plan.led_after.led, (std::vector<Tokens>{1, 1, 1}));
    EXPECT_EQ(plan.plan.leaders.size(), 2U);
    EXPECT_TRUE(plan.plan.at_least.leaders_changed.at_least == 2);
    request.texts["check"] = reassign::moves_text(plan.problem, plan.plan.moves, plan.plan.leaders);
    const ReassignAnswer judged = judge_reassign(request, "check");
    EXPECT_TRUE(judged.reached()) << judged.fault;
    EXPECT_EQ(judged.plan.leaders, plan.plan.leaders);
    EXPECT_EQ(fault_of(request, "leaders,g1,a,b\nleaders,g3,b,c\n"),
              "check:3: machine b does not hold item g3 after the last wave");
    EXPECT_EQ(fault_of(request, "leaders,g1,a,b\nleaders,g2,b,a\n"),
              "check:3: machine b does not lead item g2");
    request.drain = {"a"};
    const ReassignAnswer left = answer_reassign(request);
    EXPECT_TRUE(left.plan.moves.empty());
    EXPECT_EQ(left.plan.led_after.led, (std::vector<Tokens>{0, 2, 1}));
    EXPECT_FALSE(left.reached());
}

TEST(ReassignAnswer, LeadersBesideALevelOrNoneChangeAfterTheMoves) {
    ReassignRequest request = led_groups();
    request.drain = {"a"};
    request.effort = 1'000;
    request.level = {"none", "leaders"};
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.reached());
    EXPECT_EQ(plan.plan.moves.size(), 3U);
    EXPECT_EQ(plan.plan.led_after.led[0], 0);
    request.level = {};
    const ReassignAnswer unasked = answer_reassign(request);
    EXPECT_TRUE(unasked.plan.leaders.empty()) << "leaders that move go on leading";
}

TEST(ReassignAnswer, ATargetIsReachedInWavesThatKeepRules) {
    ReassignRequest request = led_groups();
    request.target = "places:target";
    request.texts["target"] = "item,machine,leader\ng1,c,\ng1,b,yes\ng3,b,\ng3,c,\n";
    const ReassignAnswer plan = answer_reassign(request);
    EXPECT_TRUE(plan.reached());
    EXPECT_EQ(plan.plan.moves, (std::vector<reassign::Move>{{0, 4, 0, 1}, {1, 0, 0, 2}}));
    EXPECT_EQ(plan.plan.leaders, (std::vector<reassign::LeaderChange>{{0, 0, 1}}));
    EXPECT_TRUE(plan.plan.at_least.moves.at_least == 2);
    EXPECT_EQ(plan.target, (load::EndsByThing{{1, 2}, {}, {1, 2}}));
    request.texts["check"] = "wave,item,from,to\n0,g1,a,c\n1,g3,a,b\n";
    const ReassignAnswer judged = judge_reassign(request, "check");
    EXPECT_EQ(judged.fault, "");
    EXPECT_EQ(judged.plan.missed, 0U);
    EXPECT_EQ(judged.plan.led_after.elsewhere, 1U);
    EXPECT_FALSE(judged.reached());
    // Where there is no way, nothing is half asked for.
    request.machines = "machines";
    request.texts["machines"] = "machine,items\na,\nb,3\nc,1\n";
    const ReassignAnswer full = answer_reassign(request);
    EXPECT_TRUE(full.plan.replayed.allowed);
    EXPECT_EQ(full.plan.missed, 1U);
    EXPECT_FALSE(full.reached());
}

/// Three partitions of Kafka's, and what is proposed for them.
ReassignRequest proposal(const std::string& partitions) {
    ReassignRequest request;
    request.items = "now.json";
    request.texts["items"] = R"({"partitions":[{"topic":"t","partition":0,"replicas":[3,4,2,0]},)"
                             R"({"topic":"t","partition":1,"replicas":[0,2,3,1]},)"
                             R"({"topic":"t","partition":2,"replicas":[1,3,0,4]}]})";
    request.target = "places:proposed.json";
    request.texts["target"] = R"({"version":1,"partitions":[)" + partitions + "]}";
    return request;
}

/// Who leads each partition in the end.
std::vector<std::string> leading(const ReassignAnswer& answer) {
    std::vector<std::string> names;
    for (const reassign::ItemId leader : answer.plan.replayed_leaders.leaders)
        names.push_back(answer.problem.machine_name(answer.plan.replayed.places[leader]));
    return names;
}

TEST(ReassignAnswer, AProposalOfKafkasIsReachedWithItsOrder) {
    const ReassignAnswer moved =
        answer_reassign(proposal(R"({"topic":"t","partition":0,"replicas":[0,1,2,3]},)"
                                 R"({"topic":"t","partition":1,"replicas":[1,2,3,4]},)"
                                 R"({"topic":"t","partition":2,"replicas":[2,3,4,0]})"));
    EXPECT_TRUE(moved.reached());
    EXPECT_EQ(moved.plan.moves.size(), 3U);
    EXPECT_EQ(leading(moved), (std::vector<std::string>{"0", "1", "2"}));
    const ReassignAnswer turned =
        answer_reassign(proposal(R"({"topic":"t","partition":0,"replicas":[0,4,2,3]})"));
    EXPECT_TRUE(turned.reached());
    EXPECT_TRUE(turned.plan.moves.empty());
    EXPECT_EQ(leading(turned), (std::vector<std::string>{"0", "0", "1"}));
    const auto machine = [&](const char* name) { return *turned.problem.machines.find(name); };
    EXPECT_EQ(turned.target[0],
              (std::vector<NodeId>{machine("0"), machine("4"), machine("2"), machine("3")}));
    EXPECT_TRUE(turned.target[1].empty());
}

}  // namespace
}  // namespace equipoise::catalogue
