// What kafka-reassign-partitions --verify and --list print, old and new.

#include "equipoise/adapters/kafka/progress.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::kafka {
namespace {

using Words = std::vector<std::string>;
using State = Progress::State;

std::vector<State> states_of(const std::vector<Progress>& progress) {
    std::vector<State> states;
    states.reserve(progress.size());
    for (const Progress& each : progress)
        states.push_back(each.state);
    return states;
}

const std::string verified =
    "Current partition replica assignment\n\n"
    "Status of partition reassignment:\n"
    "Reassignment of partition a-b-0 is completed.\n"
    "Reassignment of partition t-1 is still in progress.\n"
    "There is no active reassignment of partition t-2, but replica set is 1,2 rather than 2,3.\n"
    "Reassignment of replica t-1-3 completed successfully.\n"
    "\nClearing broker-level throttles on brokers 1,2,3\n"
    "Clearing topic-level throttles on topics a-b,t\n";

TEST(ProgressOfReassignments, IsReadFromVerifyOldAndNew) {
    const std::vector<Progress> now = read_progress(verified, "verify");
    EXPECT_EQ(states_of(now),
              (std::vector<State>{State::completed, State::under_way, State::elsewhere}));
    EXPECT_EQ(now[0].partition, "a-b-0");
    EXPECT_EQ(now[2].replicas, (Words{"1", "2"}));
    EXPECT_EQ(now[2].line, 6U);
    const std::vector<Progress> old = read_progress(
        "Status of partition reassignment: \r\n"
        "Reassignment of partition t-0 completed successfully\r\n"
        "Reassignment of partition [t,1] is still in progress\r\n"
        "Reassignment of partition t-2 failed\r\n"
        "Throttle was removed.\r\n",
        "verify");
    EXPECT_EQ(states_of(old),
              (std::vector<State>{State::completed, State::under_way, State::failed}));
    EXPECT_EQ(old[1].partition, "t-1");
}

TEST(ProgressOfReassignments, IsReadFromListAndTheLastWordCounts) {
    const std::vector<Progress> list = read_progress(
        "Current partition reassignments:\nt-0: replicas: 1,2,3. adding: 3. removing: 1.\n"
        "t-1: replicas: 4,5. removing: 5.\nt-0: replicas: 1,2,4. adding: 4. removing: 1,2.\n",
        "list");
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].replicas, (Words{"4"}));
    EXPECT_EQ(list[0].adding, (Words{"4"}));
    EXPECT_EQ(list[1].replicas, (Words{"4"}));
    EXPECT_EQ(read_progress("t-0: replicas: 1,2. adding: 4,5. removing: 1.", "list")[0].replicas,
              (Words{"2", "4", "5"}));
    EXPECT_TRUE(read_progress("No partition reassignments found.\n", "list").empty());
    const auto error = [](const std::string& line) {
        return test::thrown_by([&] { static_cast<void>(read_progress("\n" + line, "list")); });
    };
    EXPECT_EQ(error("t-0: replicas: 1,2,x. adding: 3."),
              "input: list:2: expected what kafka-reassign-partitions says of a partition, found "
              "\"t-0: replicas: 1,2,x. adding: 3.\"");
    EXPECT_NE(error("t-0: replicas: 1. removing: 1."), "none");
    EXPECT_NE(error("Reassignment of partition t-0 has ended"), "none");
}

/// Partitions t-0 and t-1 on brokers 1 to 3.
Items there() {
    return items_of(
        read_assignment(R"({"partitions":[{"topic":"t","partition":0,"replicas":[1,2]},)"
                        R"({"topic":"t","partition":1,"replicas":[2,3]}]})",
                        "now"));
}

const std::string wave = R"({"partitions":[{"topic":"t","partition":0,"replicas":[3,2]},)"
                         R"({"topic":"t","partition":1,"replicas":[1,3]}]})"
                         "\n";

using Waves = std::vector<std::vector<Replicas>>;

Waves waves_of(const std::string& text) {
    return read_reassignments(text, "state", there());
}

TEST(ProgressOfReassignments, BesideAReassignmentSaysWhatHasBecomeOfIt) {
    EXPECT_EQ(waves_of(wave + "Reassignment of partition t-0 is completed.\n"
                              "Reassignment of partition t-1 is still in progress.\n"),
              waves_of(wave));
    EXPECT_EQ(waves_of(wave + "There is no active reassignment of partition t-0, but replica set "
                              "is 1,3 rather than 3,2.\n"),
              (Waves{{{0, {0, 2}}, {1, {0, 2}}}}));
    EXPECT_EQ(waves_of(wave + "Reassignment of partition t-0 failed\n"), (Waves{{{1, {0, 2}}}}));
    // Earlier waves are over.
    EXPECT_EQ(waves_of(R"({"partitions":[{"topic":"t","partition":0,"replicas":[2,1]}]})"
                       "\n" +
                       wave + "Reassignment of partition t-0 failed\n"),
              (Waves{{{0, {1, 0}}}, {{1, {0, 2}}}}));
}

TEST(ProgressOfReassignments, AloneSaysWherePartitionsAre) {
    EXPECT_EQ(waves_of("Current partition reassignments:\n"
                       "t-1: replicas: 1,2,3. adding: 1. removing: 2.\n"
                       "u-0: replicas: 8,9. adding: 9.\n"),
              (Waves{{{1, {0, 2}}}}));
    EXPECT_EQ(waves_of("There is no active reassignment of partition t-0, but replica set is 1,3 "
                       "rather than 3,2.\n"),
              (Waves{{{0, {0, 2}}}}));
    EXPECT_TRUE(waves_of("No partition reassignments found.\n").empty());
    EXPECT_EQ(test::thrown_by([] {
                  static_cast<void>(
                      waves_of("Status of partition reassignment:\nReassignment of "
                               "partition t-0 is completed.\n"));
              }),
              "input: state:2: expected the reassignment that was verified, which says where "
              "partition t-0 goes, before this line, found none");
    EXPECT_EQ(
        test::thrown_by([] { static_cast<void>(waves_of("t-1: replicas: 1,9. adding: 9.\n")); }),
        "input: state:1: expected a broker that holds partitions or that --machines or, in plan, "
        "--nodes names, found \"9\"");
}

TEST(ProgressOfReassignments, APartitionThatIsGoneIsAnError) {
    const std::string gone =
        "There is no active reassignment of partition t-0, but replica set is  rather than 1.\n";
    EXPECT_EQ(read_progress(gone, "state").front().state, State::gone);
    for (const std::string& text : {gone, wave + gone})
        EXPECT_EQ(test::thrown_by([&] { static_cast<void>(waves_of(text)); }),
                  "input: state:" + std::string(text == gone ? "1" : "2") +
                      ": expected replicas of t-0, which is among the items, found none: the "
                      "partition is gone");
}

TEST(ProgressOfReassignments, WhatIsUnderWayIsMarked) {
    Cluster cluster = read_assignment(wave, "now");
    note_progress(read_progress(verified, "verify"), "verify", cluster);
    EXPECT_EQ(cluster.under_way, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(cluster.notes.size(), 1U);
}

TEST(ProgressOfReassignments, NotesSayWhatIsUnderWayAndWhatFailed) {
    EXPECT_EQ(progress_notes(read_progress(verified, "verify"), "verify"),
              (Words{"verify: t-1 is being reassigned; what follows begins where that leads, and "
                     "Kafka refuses another reassignment before then, unless --additional is "
                     "given"}));
    EXPECT_EQ(progress_notes(read_progress("Reassignment of partition t-0 failed\n"
                                           "Reassignment of partition t-1 failed\n",
                                           "verify"),
                             "verify"),
              (Words{"verify: the reassignment of t-0 and t-1 failed; they are taken to be where "
                     "they were before"}));
}

}  // namespace
}  // namespace equipoise::kafka
