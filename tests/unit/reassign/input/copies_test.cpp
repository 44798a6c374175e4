#include "equipoise/reassign/input/copies.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

/// Copies of t on a, b and c, one of u on a; four machines, a and b in rack r0, the others in r1.
Instance three_copies() {
    Instance instance;
    Problem& problem = instance.problem;
    problem = test::reassign_problem({0, 1, 2, 0}, {5, 5, 5, 1}, 4);
    problem.things = {};
    for (const char* name : {"t", "u"})
        problem.things.number_of(name);
    problem.thing = {0, 0, 0, 1};
    problem.item_labels[0] = {"item", problem.things, problem.thing};
    problem.machine_labels.push_back({"rack", {}, {0, 0, 1, 1}});
    for (const char* name : {"r0", "r1"})
        problem.machine_labels[0].values.number_of(name);
    problem.leads = {true, false, false, true};
    return instance;
}

Places dropped_from(const Instance& instance) {
    Places machines;
    for (const DroppedCopy& copy : instance.dropped)
        machines.push_back(copy.machine);
    return machines;
}

TEST(ReassignCopies, AreAskedForOfAllOrByName) {
    const AskedCopies asked = asked_copies({"3", "a=b=2"});
    ASSERT_EQ(asked.all.size(), 2U);
    EXPECT_EQ(asked.all[0].name, "");
    EXPECT_EQ(asked.all[0].copies, 3U);
    EXPECT_EQ(asked.all[1].name, "a=b");
    EXPECT_EQ(asked.all[1].copies, 2U);
    EXPECT_TRUE(asked_copies({}).all.empty());
}

TEST(ReassignCopies, ThatCannotBeReadAreRefused) {
    for (const char* text : {"", "0", "-1", "t=", "=3", "t=x", "1.5", "1000001"})
        EXPECT_EQ(
            test::thrown_by([&] { (void)asked_copies({text}); }),
            "input: --replicas: expected a number of copies (3), or one for an item or a topic "
            "(NAME=3), from 1 to 1000000, found \"" +
                std::string(text) + '"');
    EXPECT_EQ(test::thrown_by([] {
                  (void)asked_copies({"2", "3"});
              }),
              "input: --replicas: expected one number of copies of all, found \"3\"");
    EXPECT_EQ(test::thrown_by([] {
                  (void)asked_copies({"t=2", "t=3"});
              }),
              "input: --replicas: expected each name once, found \"t=3\"");
}

TEST(ReassignCopies, ThatAreMissingComeFromOutsideAfterAllOthers) {
    Instance instance = three_copies();
    instance.problem.stays = {true, false, false, false};
    add_copies(asked_copies({"u=3"}), instance);
    const Problem& problem = instance.problem;
    problem.check();
    EXPECT_EQ(problem.outside, 4U);
    EXPECT_EQ(problem.known_machines(), 4U);
    EXPECT_EQ(problem.places, (Places{0, 1, 2, 0, 4, 4}));
    EXPECT_EQ(problem.thing, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(problem.amount(5, 1), 1);
    EXPECT_EQ(problem.leads, (std::vector<bool>{true, false, false, true, false, false}));
    EXPECT_FALSE(problem.stays[4]);
    EXPECT_EQ(problem.item_labels[0].of[4], 1U);
    EXPECT_EQ(problem.machine_labels[0].of[4], no_value);
    EXPECT_EQ(instance.as_read, (std::vector<ItemId>{0, 1, 2, 3, no_item, no_item}));
    EXPECT_TRUE(instance.dropped.empty());
}

TEST(ReassignCopies, ThatAreMissingBreakNoRuleThatPeopleAreToldOfBeforeThePlan) {
    Instance instance = three_copies();
    instance.problem.spread.push_back({0, 0, 2});
    add_copies(asked_copies({"u=3"}), instance);
    Problem& problem = instance.problem;
    const std::vector<BrokenRule> broken = stand(problem, problem.places).broken;
    EXPECT_FALSE(told_once(problem, broken).empty());
    EXPECT_TRUE(told_before(problem, broken).empty());
    // What does not hold without them is told.
    problem.machine_labels[0].of[2] = 0;
    const std::vector<BrokenRule> told =
        told_before(problem, stand(problem, problem.places).broken);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().kind, RuleKind::spread);
    EXPECT_EQ(told.front().value, problem.item_labels[0].of[0]);
}

TEST(ReassignCopies, AsManyAsThereAreChangeNothing) {
    Instance instance = three_copies();
    add_copies(asked_copies({"t=3", "u=1"}), instance);
    drop_copies(asked_copies({"t=3", "u=1"}), {}, instance);
    EXPECT_EQ(instance.problem.outside, no_machine);
    EXPECT_TRUE(instance.as_read.empty());
    EXPECT_TRUE(instance.dropped.empty());
}

TEST(ReassignCopies, MoreThanMachinesAndUnknownNamesAreRefused) {
    Instance instance = three_copies();
    EXPECT_EQ(test::thrown_by([&] { add_copies(asked_copies({"5"}), instance); }),
              "input: --replicas: expected at most 4 copies of t, one for each machine that is not "
              "drained, found 5");
    instance.problem.drained[3] = true;
    EXPECT_EQ(test::thrown_by([&] { add_copies(asked_copies({"u=4"}), instance); }),
              "input: --replicas: expected at most 3 copies of u, one for each machine that is not "
              "drained, found 4");
    EXPECT_EQ(test::thrown_by([&] { add_copies(asked_copies({"v=1"}), instance); }),
              "input: --replicas: expected the name of an item, found \"v\"");
    instance.problem.item_labels.push_back({"topic", {}, {0, 0, 0, 0}});
    instance.problem.item_labels[1].values.number_of("news");
    EXPECT_EQ(
        test::thrown_by([&] { add_copies(asked_copies({"nws=1"}), instance); }),
        "input: --replicas: expected the name of an item or a topic, found \"nws\": did you mean "
        "\"news\"?");
    EXPECT_EQ(instance.problem.item_count(), 4U);
}

TEST(ReassignCopies, OfATopicAreThoseOfItsItemsUnlessTheseAreNamed) {
    Instance instance = three_copies();
    instance.problem.item_labels.push_back({"topic", {}, {0, 0, 0, 0}});
    instance.problem.item_labels[1].values.number_of("news");
    const AskedCopies asked = asked_copies({"4", "u=1", "news=2"});
    add_copies(asked, instance);
    drop_copies(asked, {}, instance);
    EXPECT_EQ(instance.problem.thing, (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(ReassignCopies, ThatAreTooManyGoFromTheFullestMachineButNeverLead) {
    Instance instance = three_copies();
    drop_copies(asked_copies({"t=2"}), {}, instance);
    // a is the fullest, but its copy leads; b and c are as full, and c comes last.
    EXPECT_EQ(dropped_from(instance), Places{2});
    EXPECT_EQ(instance.dropped.front().read, 2U);
    EXPECT_EQ(instance.dropped.front().amounts, (std::vector<Tokens>{1, 5}));
    EXPECT_EQ(instance.as_read, (std::vector<ItemId>{0, 1, 3}));
    EXPECT_EQ(instance.problem.places, (Places{0, 1, 0}));
    EXPECT_EQ(instance.problem.leads, (std::vector<bool>{true, false, true}));
    instance.problem.check();

    Instance slow = three_copies();
    slow.problem.speeds = {1, 1, 2, 1};
    drop_copies(asked_copies({"t=2"}), {}, slow);
    EXPECT_EQ(dropped_from(slow), Places{1}) << "b holds more beside its speed";
}

TEST(ReassignCopies, ThatAreTooManyLeaveTheOthersOnAsManyRacksAsTheRuleNeeds) {
    Instance instance = three_copies();
    instance.problem.spread.push_back({0, 0, 2});
    drop_copies(asked_copies({"t=2"}), {}, instance);
    EXPECT_EQ(dropped_from(instance), Places{1}) << "c alone is in r1";
}

TEST(ReassignCopies, ThatMustLeaveTheirMachineGoFirstAndThoseThatStayLast) {
    Instance instance = three_copies();
    instance.problem.drained[1] = true;
    drop_copies(asked_copies({"t=2"}), {}, instance);
    EXPECT_EQ(dropped_from(instance), Places{1});
    Instance pinned = three_copies();
    pinned.problem.pinned[2] = true;
    drop_copies(asked_copies({"t=2"}), {}, pinned);
    EXPECT_EQ(dropped_from(pinned), Places{1});
}

TEST(ReassignCopies, ThatLeadGoIfTheirMachineIsToBeEmptiedAndAnotherMayStay) {
    Instance instance = three_copies();
    instance.problem.drained[0] = true;
    drop_copies(asked_copies({"t=2"}), {}, instance);
    EXPECT_EQ(dropped_from(instance), Places{0});
    EXPECT_TRUE(instance.dropped.front().led);
    EXPECT_EQ(instance.problem.leads, (std::vector<bool>{true, false, true})) << "b follows";
    EXPECT_EQ(successors(instance), (std::vector<ItemId>{0}));
    EXPECT_EQ(instance.notes.size(), 1U);
    instance.problem.check();

    Instance to_leave = three_copies();
    to_leave.problem.drained = {true, true, false, false};
    drop_copies(asked_copies({"t=2"}), {}, to_leave);
    EXPECT_EQ(dropped_from(to_leave), Places{1}) << "both must leave: the leader goes on leading";
    EXPECT_TRUE(successors(to_leave).empty());

    Instance few = three_copies();
    few.problem.drained = {true, true, false, false};
    drop_copies(asked_copies({"t=1"}), {}, few);
    EXPECT_EQ(dropped_from(few), (Places{0, 1}));
    EXPECT_EQ(few.problem.places, (Places{2, 0})) << "nothing of t has to move";
    EXPECT_EQ(few.problem.leads, (std::vector<bool>{true, true}));

    Instance all_leave = three_copies();
    all_leave.problem.drained = {true, true, true, false};
    drop_copies(asked_copies({"t=1"}), {}, all_leave);
    EXPECT_EQ(dropped_from(all_leave), (Places{1, 2}));
}

TEST(ReassignCopies, ThatLeadGoIfAScheduleDropsThemAndTheirMachineIsToBeEmptied) {
    const std::vector<load::ItemDrop> given = {{0, 0, 2}};
    Instance instance = three_copies();
    instance.problem.drained[0] = true;
    drop_copies(asked_copies({"t=2"}), given, instance);
    EXPECT_EQ(dropped_from(instance), Places{0});
    EXPECT_TRUE(instance.notes.empty());
}

TEST(ReassignCopies, ThatAScheduleDropsGoInPlaceOfOthers) {
    Instance instance = three_copies();
    const std::vector<load::ItemDrop> given = {{0, 0, 2}, {0, 1, 3}, {1, 0, 4}};
    drop_copies(asked_copies({"t=2"}), given, instance);
    EXPECT_EQ(dropped_from(instance), Places{1}) << "the copy on a leads, and u keeps its own";
    EXPECT_EQ(find_dropped(instance.dropped, given[1]), instance.dropped.begin());
    EXPECT_EQ(find_dropped(instance.dropped, given[0]), instance.dropped.end());
    EXPECT_EQ(words_of_wrong_drop(instance.problem, given[0]),
              "t is not to lose a copy on machine a");
}

}  // namespace
}  // namespace equipoise::reassign
