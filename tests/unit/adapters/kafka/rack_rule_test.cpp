#include "equipoise/adapters/kafka/rack_rule.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/reassign_problem.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

/// Four machines on three racks.
reassign::Problem on_racks() {
    reassign::Problem problem = test::reassign_problem({0, 1}, {5, 6}, 4);
    problem.machine_labels.push_back({"rack", {}, {0, 1, 2, 2}});
    for (const char* name : {"r0", "r1", "r2"})
        problem.machine_labels[0].values.number_of(name);
    return problem;
}

bool adds_rule(reassign::Problem problem) {
    std::vector<std::string> notes;
    const std::size_t before = problem.spread.size();
    add_rack_rule(problem, "brokers.csv", notes);
    EXPECT_EQ(notes.size(), problem.spread.size() - before);
    return problem.spread.size() > before;
}

TEST(KafkaRackRule, AsksForAllRacksOrAsManyAsThereAreReplicas) {
    reassign::Problem problem = on_racks();
    std::vector<std::string> notes;
    add_rack_rule(problem, "brokers.csv", notes);
    ASSERT_EQ(problem.spread.size(), 1U);
    EXPECT_EQ(problem.spread[0].label, 0U);
    EXPECT_EQ(problem.spread[0].machine_label, 0U);
    EXPECT_EQ(problem.spread[0].least, 3U);
    problem = on_racks();
    problem.drained[0] = true;
    add_rack_rule(problem, "brokers.csv", notes);
    EXPECT_EQ(problem.spread[0].least, 2U) << "the first rack takes no replicas";
}

TEST(KafkaRackRule, IsLeftOutWhereRacksAreUnknownOrRulesSpeakOfThem) {
    EXPECT_TRUE(adds_rule(on_racks()));
    EXPECT_FALSE(adds_rule(test::reassign_problem({0, 1}, {5, 6}, 4)));
    reassign::Problem problem = on_racks();
    problem.machine_labels[0] = {"rack", {}, std::vector<reassign::ValueId>(4, reassign::no_value)};
    EXPECT_FALSE(adds_rule(problem)) << "no rack";
    problem = on_racks();
    problem.machine_labels[0].of = {0, 0, 0, 0};
    EXPECT_FALSE(adds_rule(problem)) << "one rack";
    problem = on_racks();
    problem.spread.push_back({0, 0, 2});
    EXPECT_FALSE(adds_rule(problem));
}

TEST(KafkaRackRule, ABrokerWithoutARackIsRefusedWhereOthersHaveSome) {
    reassign::Problem problem = on_racks();
    problem.machine_labels[0].of[1] = reassign::no_value;
    const auto refusal = [&] { return test::thrown_by([&] { adds_rule(problem); }); };
    EXPECT_EQ(
        refusal(),
        "input: brokers.csv: expected the rack of every broker, found none of broker b, which "
        "holds replicas (--spread none plans without racks, --drain b empties it)");
    problem.drained[1] = true;
    EXPECT_EQ(refusal(), "nothing");
    problem.machine_labels[0].of[3] = reassign::no_value;
    EXPECT_EQ(refusal(),
              "input: brokers.csv: expected the rack of every broker, found none of broker d "
              "(--spread none plans without racks, --drain d keeps it empty)");
    problem.spread.push_back({0, 0, 2});
    EXPECT_EQ(refusal(), "nothing") << "a rule that is asked for";
}

TEST(KafkaRackRule, ATargetIsToldThatTheRuleDoesNotHoldOnTheWay) {
    const auto is_told = [](const reassign::Problem& problem) {
        std::vector<std::string> notes;
        note_target_without_rack_rule(problem, notes);
        return !notes.empty();
    };
    reassign::Problem problem = on_racks();
    EXPECT_TRUE(is_told(problem));
    problem.spread.push_back({0, 0, 2});
    EXPECT_FALSE(is_told(problem));
    EXPECT_FALSE(is_told(test::reassign_problem({0, 1}, {5, 6}, 4)));
}

}  // namespace
}  // namespace equipoise::kafka
